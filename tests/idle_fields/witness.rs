//! The texts of LLVM's disassembler, for many words at once.

use std::io::Write;
use std::process::{Command, Stdio};

/// Whether the witness is there.
pub fn is_there(test: &str) -> bool {
    let there = Command::new("llvm-mc-19").arg("--version").output().is_ok_and(|done| done.status.success());
    if !there {
        assert!(std::env::var_os("WAVEDIFF_REQUIRE_LLVM").is_none(), "llvm-mc-19 is not installed");
        println!("skipped: {test}: llvm-mc-19 is not installed");
    }
    there
}

/// What stands between two instructions: filling, which a literal or an address list may swallow, and an end that is left over.
const FILLING: u32 = 0xbf80_7abc;
const END: u32 = 0xbf80_7abd;

/// The text of each instruction; none where it is refused, is more than one, or makes llvm-mc crash.
pub fn texts(mcpu: &str, all: &[Vec<u32>]) -> Vec<Option<String>> {
    if all.is_empty() {
        return Vec::new();
    }
    let line = |words: &[u32]| {
        let bytes = words.iter().flat_map(|word| word.to_le_bytes());
        bytes.map(|byte| format!("{byte:#04x}")).collect::<Vec<_>>().join(" ")
    };
    let ends = [line(&[FILLING; 4]), line(&[END])].join("\n");
    let input: String = all.iter().map(|words| format!("{}\n{ends}\n", line(words))).collect();
    let mut child = Command::new("llvm-mc-19")
        .args(["-triple=amdgcn", "--disassemble"])
        .arg(format!("-mcpu={mcpu}"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("llvm-mc");
    let mut to = child.stdin.take().expect("a pipe");
    // It may end before it has read everything: what it says then is counted below.
    let writer = std::thread::spawn(move || drop(to.write_all(input.as_bytes())));
    let output = child.wait_with_output().expect("llvm-mc");
    writer.join().expect("no panic");
    let (filling, end) = (format!("s_nop {:#x}", FILLING & 0xffff), format!("s_nop {:#x}", END & 0xffff));
    let mut found = Vec::new();
    let mut lines: Vec<String> = Vec::new();
    for text in String::from_utf8_lossy(&output.stdout).lines() {
        let text = text.split(" //").next().unwrap_or("").split(';').next().unwrap_or("");
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        match text {
            _ if text.is_empty() || text.starts_with('.') || text == filling => {}
            _ if text == end => {
                let only = lines.len() == 1;
                found.push(lines.drain(..).next().filter(|_| only));
            }
            _ => lines.push(text),
        }
    }
    if found.len() == all.len() {
        return found;
    }
    // Some words make it crash: which, halves tell.
    let [_] = all else {
        let (low, high) = all.split_at(all.len() / 2);
        return [texts(mcpu, low), texts(mcpu, high)].concat();
    };
    vec![None]
}
