//! Control sequences in names and messages: they reach no terminal, whatever they came through.

use super::sealed::sealed;
use super::*;
use serde_json::json;

/// A title, a colour, an answer typed by the terminal, the beginning of a sequence in one byte, text that runs backwards.
const EVIL: &str = "\x1b]0;title\x07\x1b[31m\x1b[6n\u{9b}2J\u{202e}\x7f\r";

/// Whether text has something that a terminal obeys.
fn acts(text: &str) -> bool {
    text.chars().any(|c| c.is_control() && c != '\n' && c != '\t' || ('\u{202a}'..='\u{202e}').contains(&c))
}

/// Runs of the program whose words or files are evil, by name.
fn runs(folder: &Folder) -> Vec<(&'static str, Vec<String>)> {
    let name = format!("x{}.s", EVIL.replace('\r', ""));
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let case = folder.put("plain.s", format!("; isa: gfx900\n; expect: v0 = 1\ns_nop 0 ; {EVIL}\n"));
    let wrong = folder.put("wrong.s", format!("; isa: gfx900\nv_add_f32{EVIL} v0, v0, v0\n"));
    let header =
        folder.put("header.s", format!("; isa: gfx900\n; buffer a = file \"{EVIL}\"\n; nonsense: {EVIL}\ns_nop 0\n"));
    let file =
        folder.put("file.s", format!("; isa: gfx900\n; buffer a = file \"{}\"\ns_nop 0\n", EVIL.replace('\r', "")));
    let named = folder.put(&name, "; isa: gfx900\n; expect: v0 = 1\ns_nop 0\n");
    let shown = json!([{"place": EVIL, "expected": EVIL, "got": EVIL}]);
    let journal = [
        json!({"kind": "header", "format": 2, "version": EVIL, "plan": EVIL, "units": 9, "suites": [EVIL], "archs": [EVIL],
            "engines": [{"name": EVIL}, {"name": EVIL, "driver": EVIL}], "seed": 1, "began": 0, "command": [EVIL], "left_out": [EVIL]}),
        json!({"kind": "unit", "unit": EVIL, "suite": EVIL, "arch": EVIL, "lanes": 64, "engine": EVIL, "seconds": 0.5,
            "rows": {EVIL: {"fail": 1, "unsupported": 1}}, "results": [
                {"case": EVIL, "row": EVIL, "text": EVIL, "status": "fail", "reason": EVIL, "count": 1, "differences": shown, "again": EVIL},
                {"case": EVIL, "row": EVIL, "text": EVIL, "status": "unsupported", "reason": EVIL, "count": 1}]}),
    ];
    let journal = folder.put("run.jsonl", journal.iter().map(sealed).collect::<String>());
    let list = folder.put("expect/emu-fails.txt", format!("case{EVIL}\n"));
    let expect = list.rsplit_once('/').expect("a folder").0.to_owned();
    vec![
        ("a file that is not there", words(&["run", EVIL])),
        ("a word that means nothing", words(&["run", "x", "--arch", EVIL])),
        ("an option that there is not", words(&[&format!("--{EVIL}")])),
        ("a command that there is not", words(&[EVIL])),
        ("a case", words(&["run", &case])),
        ("a case with an error", words(&["run", &wrong])),
        ("a case with an error in its header", words(&["run", &header])),
        ("a case with a file", words(&["run", &file])),
        ("a case with a name", words(&["run", &named])),
        ("a trace", words(&["trace", &named])),
        ("source with an error", words(&["asm", "--arch", "gfx900", &wrong])),
        ("a comparison", words(&["diff", &named, "--engines", "emu,emu"])),
        ("a summary", words(&["report", "show", &journal])),
        ("a journal beside another", words(&["report", "diff", &journal, &journal])),
        (
            "lists",
            words(&[
                "conform",
                "control",
                "--arch",
                "gfx1100",
                "--engines",
                "emu",
                "--every",
                "9",
                "--expect",
                &expect,
            ]),
        ),
        ("recordings", words(&["golden", "show", EVIL])),
        ("a page that can not be written", words(&["report", "html", &journal, "-o", &format!("/no/{EVIL}")])),
    ]
}

/// Also what goes to files and pipes as text: somebody will look at it.
#[test]
fn text_has_no_control_sequences() {
    let folder = Folder::new("text");
    for (what, words) in runs(&folder) {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let ran = wavediff(&words);
        assert!(!acts(&ran.out) && !acts(&ran.err), "{what}: {:?} {:?}", ran.out, ran.err);
        assert!(ran.code.is_some(), "{what}");
    }
    // It is written out, and not left away.
    let ran = wavediff(&["run", EVIL]);
    assert!(ran.err.contains("\\u001b]0;title\\u0007"), "{}", ran.err);
}

/// JSON stays what it was.
#[test]
fn json_says_the_same() {
    let folder = Folder::new("json");
    let case = folder.put(&format!("x{}.s", EVIL.replace('\r', "")), "; isa: gfx900\n; expect: v0 = 0\ns_nop 0\n");
    let ran = wavediff(&["run", &case, "--json"]);
    let value: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(value["case"].as_str(), Some(case.as_str()));
}

/// On a terminal, with the colours of the program and no others; data too, which goes to pipes as it is.
#[test]
fn a_terminal_sees_the_colours_of_the_program_only() {
    let folder = Folder::new("terminal");
    // What gives a program a terminal is part of every Linux, and has other options elsewhere.
    if cfg!(not(target_os = "linux")) {
        return;
    }
    let quoted = |word: &str| format!("'{}'", word.replace('\'', "'\\''"));
    let on_terminal = |words: &[String]| {
        let line: Vec<String> = std::iter::once(PROGRAM).chain(words.iter().map(String::as_str)).map(quoted).collect();
        let mut command = Command::new("script");
        command.args(["-qec", &line.join(" "), "/dev/null"]).stdin(Stdio::null());
        command.env("TERM", "xterm").env_remove("NO_COLOR");
        ended(command).out.replace("\r\n", "\n")
    };
    let (mut colours, mut seen) = (0, 0);
    for (what, words) in runs(&folder) {
        let mut out = on_terminal(&words);
        for own in ["\x1b[1;31m", "\x1b[1;33m", "\x1b[1m", "\x1b[0m"] {
            colours += out.matches(own).count();
            out = out.replace(own, "");
        }
        // Bars of progress move the cursor on their own line.
        if what != "lists" {
            assert!(!acts(&out), "{what}: {out:?}");
        }
        seen += usize::from(out.contains("\\u001b"));
    }
    assert!(colours > 10 && seen > 10, "{colours} colours, {seen} of the runs show what they were given");
    // A listing that somebody lets run over his terminal.
    let source = folder
        .put("data.s", format!(".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\n.text\n.print \"{EVIL}\"\ns_endpgm\n"));
    let out = on_terminal(&["asm".to_owned(), source]);
    assert!(!acts(&out.replace("\x1b[1m", "").replace("\x1b[0m", "").replace("\x1b[1;31m", "")), "{out:?}");
}
