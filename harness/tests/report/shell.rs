//! Completions and manual pages have every command.

use super::*;

/// The commands that `--help` lists.
pub fn commands(of: &[&str]) -> Vec<String> {
    let args: Vec<&str> = of.iter().copied().chain(["--help"]).collect();
    let (_, help, _) = ran(&args);
    let listed = help.lines().skip_while(|l| *l != "Commands:").skip(1).take_while(|l| !l.is_empty());
    let words =
        listed.filter(|l| l.starts_with("  ") && !l.starts_with("   ")).filter_map(|l| l.split_whitespace().next());
    words.filter(|word| *word != "help").map(str::to_owned).collect()
}

#[test]
fn completions_know_every_command() {
    let all = commands(&[]);
    assert!(all.len() > 15 && all.contains(&"report".to_owned()), "{all:?}");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let (code, script, _) = ran(&["completions", shell]);
        assert_eq!(code, 0);
        for command in &all {
            assert!(script.contains(command.as_str()), "{shell}: {command}");
        }
        let option = if shell == "fish" { "-l arch" } else { "--arch" };
        assert!(script.contains("merge") && script.contains(option), "{shell}");
    }
    assert_eq!(ran(&["completions", "tcsh"]).0, 2);
}

/// `bash` itself completes a command and an option, where there is one.
#[test]
fn bash_completes() {
    let script = wavediff(&["completions", "bash"]).stdout;
    let scratch = Scratch::new("bash");
    std::fs::write(scratch.path("wavediff.bash"), script).expect("a file");
    let complete = |words: &str, last: usize| {
        let line = format!(
            "source {}; COMP_WORDS=({words}); COMP_CWORD={last}; _wavediff wavediff \"${{COMP_WORDS[{last}]}}\" \"\"; echo ${{COMPREPLY[@]}}",
            scratch.path("wavediff.bash")
        );
        Command::new("bash").args(["-c", &line]).output().map(|o| String::from_utf8_lossy(&o.stdout).trim().to_owned())
    };
    let Ok(reply) = complete("wavediff rep", 1) else {
        eprintln!("skipped: there is no bash");
        return;
    };
    assert_eq!(reply, "report");
    assert_eq!(complete("wavediff report merge --ex", 3).expect("bash"), "--expect");
}

#[test]
fn every_command_has_a_manual_page() {
    let scratch = Scratch::new("man");
    let (code, out, err) = ran(&["man", "-o", &scratch.path("man1")]);
    assert_eq!((code, out.as_str(), err.as_str()), (0, "", ""));
    let mut pages = vec!["wavediff".to_owned()];
    for command in commands(&[]) {
        pages.extend(commands(&[&command]).into_iter().map(|sub| format!("wavediff-{command}-{sub}")));
        pages.push(format!("wavediff-{command}"));
    }
    assert!(pages.contains(&"wavediff-report-merge".to_owned()), "{pages:?}");
    for page in &pages {
        let text = scratch.read(&format!("man1/{page}.1"));
        assert!(text.starts_with(".ie") || text.starts_with(".TH") || text.contains(".TH "), "{page}");
        assert!(text.contains(".SH NAME") && text.contains(".SH SYNOPSIS"), "{page}");
        assert!(text.contains("wavediff"), "{page}");
    }
    assert_eq!(
        std::fs::read_dir(scratch.path("man1")).expect("pages").count(),
        pages.len(),
        "and none for what is hidden"
    );
    assert!(ran(&["man", "report", "merge"]).1.contains("Journals of other plans"));
    assert_eq!(ran(&["man", "nothing"]).0, 2);
}
