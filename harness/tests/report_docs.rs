//! The book in `docs`: every link leads somewhere, every command line in it is one that the program takes, every recipe is whole.

mod tree;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn files(folder: &str, end: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join(folder)).expect("a folder").map(|e| e.expect("a file").path());
    let mut all: Vec<PathBuf> = entries.filter(|p| p.is_file() && p.to_string_lossy().ends_with(end)).collect();
    all.sort();
    assert!(!all.is_empty(), "{folder}");
    all
}

/// The lines of a chapter that are text, and those that are code: in fences, or set in by four columns behind an empty line.
fn lines(text: &str) -> (Vec<&str>, Vec<&str>) {
    let (mut prose, mut code) = (Vec::new(), Vec::new());
    let (mut fence, mut block, mut empty) = (false, false, true);
    for line in text.lines() {
        if line.starts_with("```") {
            fence = !fence;
            continue;
        }
        block = !fence && line.starts_with("    ") && (block || empty);
        empty = line.is_empty() || (block && empty);
        if fence || block { code.push(line) } else { prose.push(line) }
    }
    (prose, code)
}

/// What is between brackets behind brackets, outside of code.
fn links(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    for line in lines(text).0 {
        let mut plain = String::new();
        for (n, part) in line.split('`').enumerate() {
            plain.push_str(if n % 2 == 0 { part } else { "code" });
        }
        let mut rest = plain.as_str();
        while let Some((_, behind)) = rest.split_once("](") {
            let (target, behind) = behind.split_once(')').expect("the end of a link");
            all.push(target.to_owned());
            rest = behind;
        }
    }
    all
}

/// The anchors of a chapter, as mdBook and GitHub make them of headings.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = lines(text).0.into_iter().filter(|line| line.starts_with('#'));
    let slug = |line: &str| {
        let title = line.trim_start_matches('#').trim().to_lowercase();
        title
            .chars()
            .filter(|c| c.is_alphanumeric() || " -_".contains(*c))
            .map(|c| if c == ' ' { '-' } else { c })
            .collect()
    };
    headings.map(slug).collect()
}

/// Prose is broken at a hundred columns; tables, code and headings have a line each.
#[test]
fn prose_has_a_hundred_columns() {
    let (mut long, mut checked) = (Vec::new(), 0);
    for file in tree::files(&root()).iter().filter(|file| file.extension().is_some_and(|end| end == "md")) {
        checked += 1;
        for line in lines(&read(file)).0 {
            let free = line.starts_with(['|', '#', '>']) || !line.trim().contains(' ');
            if !free && line.chars().count() > 100 {
                long.push(format!("{}: {line}", file.display()));
            }
        }
    }
    assert!(long.is_empty(), "{} lines are longer:\n{}", long.len(), long.join("\n"));
    assert!(checked > 30, "{checked} files");
}

#[test]
fn every_link_leads_somewhere() {
    let mut checked = 0;
    for file in files("docs", ".md").into_iter().chain([root().join("README.md")]) {
        let text = read(&file);
        for link in links(&text) {
            if link.starts_with("https://") {
                continue;
            }
            let (path, anchor) = link.split_once('#').unwrap_or((link.as_str(), ""));
            let target = if path.is_empty() { file.clone() } else { file.parent().expect("a folder").join(path) };
            assert!(target.exists(), "{}: {link}", file.display());
            assert!(anchor.is_empty() || anchors(&read(&target)).contains(anchor), "{}: {link}", file.display());
            checked += 1;
        }
    }
    assert!(checked > 40, "{checked} links");
}

/// Links stay inside the book, so that they hold when it is built.
#[test]
fn the_summary_has_every_chapter_and_nothing_else() {
    let listed: BTreeSet<String> = links(&read(&root().join("docs/SUMMARY.md"))).into_iter().collect();
    let name = |p: PathBuf| p.file_name().expect("a name").to_string_lossy().into_owned();
    let there: BTreeSet<String> = files("docs", ".md").into_iter().map(name).filter(|n| n != "SUMMARY.md").collect();
    assert_eq!(listed, there);
    for chapter in &there {
        let text = read(&root().join("docs").join(chapter));
        assert!(text.starts_with("# "), "{chapter} has a title");
        for link in links(&text).iter().filter(|l| !l.starts_with("https://")) {
            assert!(!link.starts_with("..") && !link.starts_with('/'), "{chapter}: {link} leads out of the book");
        }
    }
}

/// What is called as a program in a piece of code, wherever the program lies: the words behind its name.
fn calls(code: &str) -> Vec<Vec<String>> {
    let code = code.replace("cargo run --release -- ", "wavediff ");
    let mut all = Vec::new();
    let mut rest = code.as_str();
    while let Some(at) = rest.find("wavediff ") {
        let before = rest[..at].chars().next_back();
        rest = &rest[at + "wavediff ".len()..];
        if before.is_some_and(|c| !" \t(|`/".contains(c)) {
            continue;
        }
        let end = rest.find(['|', '>', ';', '`', '#']).unwrap_or(rest.len());
        all.push(rest[..end].split_whitespace().map(str::to_owned).collect());
    }
    all
}

/// The calls in a chapter or a recipe that name a command.
fn commands(file: &Path) -> Vec<Vec<String>> {
    let text = read(file);
    let mut code = String::new();
    if file.extension().is_some_and(|end| end == "md") {
        let (prose, blocks) = lines(&text);
        code.push_str(&blocks.join("\n"));
        for line in prose {
            code.extend(line.split('`').skip(1).step_by(2).flat_map(|span| ["\n", span]));
        }
    } else {
        code.push_str(&text);
    }
    let names_one =
        |words: &Vec<String>| words.first().is_some_and(|word| word.chars().all(|c| c.is_ascii_lowercase()));
    code.lines().flat_map(calls).filter(names_one).collect()
}

/// `--help` of commands, asked for once.
#[derive(Default)]
struct Help(BTreeMap<String, Option<String>>);

impl Help {
    fn of(&mut self, command: &str) -> Option<String> {
        let ask = || {
            let output = Command::new(env!("CARGO_BIN_EXE_wavediff")).args(command.split(' ')).arg("--help").output();
            let output = output.expect("the program runs");
            output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
        };
        self.0.entry(command.to_owned()).or_insert_with(ask).clone()
    }
}

#[test]
fn every_command_line_is_one_that_the_program_takes() {
    let mut help = Help::default();
    let mut checked = 0;
    let chapters = files("docs", ".md").into_iter().chain([root().join("README.md")]);
    for file in chapters.chain(files("docs/ci", "")) {
        for words in commands(&file) {
            let name = &words[0];
            let place = format!("{}: wavediff {}", file.display(), words.join(" "));
            let mut options = help.of(name).unwrap_or_else(|| panic!("{place}: there is no such command"));
            // `report merge`, `golden record`: the options are those of the second word.
            if options.contains("\nCommands:\n") {
                let sub = format!("{name} {}", words.get(1).expect(&place));
                options = help.of(&sub).unwrap_or_else(|| panic!("{place}: there is no such command"));
            }
            // Behind `--` stand the words of another program.
            let own = words.iter().take_while(|word| **word != "--");
            for word in own.filter(|w| w.starts_with("--") && w.len() > 2) {
                let option = word.split('=').next().expect("a word");
                let known = options.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).any(|w| w == option);
                assert!(known || option == "--help", "{place}: there is no {option}");
            }
            checked += 1;
        }
    }
    assert!(checked > 60, "{checked} command lines");
}

/// A run without its device is not green, and only all shards together know what of the lists of known failures nobody needs.
#[test]
fn recipes_require_a_device_and_merge_with_the_lists() {
    let (mut runs, mut merges) = (0, 0);
    for file in files("docs/ci", "") {
        let commands = commands(&file);
        // The image has the program for others to call.
        assert_eq!(commands.is_empty(), file.ends_with("Dockerfile"), "{}: {commands:?}", file.display());
        for words in commands {
            let wanted = match (words[0].as_str(), words.get(1).map(String::as_str)) {
                ("conform", _) => (&mut runs, "--require"),
                ("report", Some("merge")) => (&mut merges, "--expect"),
                _ => continue,
            };
            *wanted.0 += 1;
            let says = words.iter().any(|word| word == wanted.1);
            assert!(says, "{}: wavediff {}: without {}", file.display(), words.join(" "), wanted.1);
        }
    }
    assert_eq!((runs, merges), (8, 4));
}

/// Scripts are read to their ends by the shell that runs them.
#[test]
fn every_script_is_one() {
    let mut checked = BTreeSet::new();
    for script in ["docs/ci", ".ci"].iter().flat_map(|folder| files(folder, "")) {
        if !read(&script).starts_with("#!/usr/bin/env bash\n") {
            continue;
        }
        let Ok(output) = Command::new("bash").arg("-n").arg(&script).output() else {
            eprintln!("skipped: there is no bash");
            return;
        };
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        checked.insert(script.file_name().expect("a name").to_string_lossy().into_owned());
    }
    assert!(["run", "slurm.sh"].iter().all(|name| checked.contains(*name)), "{checked:?}");
}

/// Whether a line of `.dockerignore` leaves a path out: it names the path or a folder above it, from the top or, behind `**/`, from anywhere.
fn leaves_out(line: &str, path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').collect();
    let (line, mut starts) = line.strip_prefix("**/").map_or((line, 0..1), |rest| (rest, 0..parts.len()));
    let names: Vec<&str> = line.trim_matches('/').split('/').collect();
    let fits = |(name, part): (&&str, &&str)| match name.split_once('*') {
        Some((start, end)) => part.strip_prefix(start).is_some_and(|rest| rest.ends_with(end)),
        None => name == part,
    };
    starts.any(|at| parts.len() >= at + names.len() && names.iter().zip(&parts[at..]).all(fits))
}

/// The image gets every file that it is built from, or has for its program to read, and nothing of what is built here.
#[test]
fn the_image_gets_what_it_copies() {
    let text = read(&root().join(".dockerignore"));
    let ignored: Vec<&str> = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    assert!(
        ignored.iter().all(|line| !line.starts_with('!')),
        "what is taken back is not understood here: {ignored:?}"
    );
    let is_out = |path: &str| ignored.iter().any(|line| leaves_out(line, path));
    for path in ["target/dist/wavediff", "fuzz/target/debug", "run.jsonl", ".git/HEAD"] {
        assert!(is_out(path), "{path}");
    }
    let mut sources = BTreeSet::new();
    for line in read(&root().join("docs/ci/Dockerfile")).lines().filter(|line| !line.contains("--from=")) {
        let Some(words) = line.strip_prefix("COPY ") else { continue };
        let (from, _) = words.trim().rsplit_once(' ').expect("a destination");
        sources.extend(from.split(' ').map(str::to_owned));
    }
    // All is copied to be built.
    assert!(sources.remove("."));
    assert_eq!(sources.iter().map(String::as_str).collect::<Vec<_>>(), ["golden", "shaders", "tests/cases"]);
    sources.extend(["src", "harness"].map(str::to_owned));
    let mut checked = 0;
    for file in sources.iter().flat_map(|folder| tree::files(&root().join(folder))) {
        let path = file.strip_prefix(root()).expect("below").to_string_lossy().into_owned();
        assert!(!is_out(&path), "{path} is left out of the image");
        checked += 1;
    }
    assert!(checked > 1000, "{checked} files");
    assert!(["Cargo.toml", "Cargo.lock"].iter().all(|path| !is_out(path)));
}

/// The recipe for Slurm, run as Slurm would, with a smaller selection on the emulator alone in place of `--all`; one part is started twice.
#[test]
fn the_slurm_recipe_works() {
    let folder = std::env::temp_dir().join(format!("wavediff-slurm-{}", std::process::id()));
    let (bin, results) = (folder.join("bin"), folder.join("results"));
    std::fs::create_dir_all(&bin).expect("a folder");
    std::fs::create_dir_all(&results).expect("a folder");
    let program = env!("CARGO_BIN_EXE_wavediff");
    let less = "alu --arch gfx600 --engines emu --every 60 --inputs 2";
    let shim = format!(
        "#!/bin/bash\nwords=()\nfor w in \"$@\"; do case \"$w\" in --all) words+=({less}) ;; --require|vulkan) ;; *) words+=(\"$w\") ;; esac; done\nexec '{program}' \"${{words[@]}}\"\n"
    );
    let path = bin.join("wavediff");
    std::fs::write(&path, shim).expect("a file");
    #[cfg(unix)]
    std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("a program");
    let search = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap_or_default());
    let slurm = |what: &str, task: u32| {
        let mut command = Command::new("bash");
        command.arg(root().join("docs/ci/slurm.sh").canonicalize().expect("the recipe")).arg(what).current_dir(&folder);
        command.env("PATH", &search).env("RESULTS", &results).env("SLURM_CPUS_PER_TASK", "1");
        command.env("SLURM_ARRAY_TASK_ID", task.to_string()).env("SLURM_ARRAY_TASK_MIN", "0");
        command.env("SLURM_ARRAY_TASK_COUNT", "2").output()
    };
    let Ok(first) = slurm("part", 0) else {
        eprintln!("skipped: there is no bash");
        return;
    };
    assert!(first.status.success(), "{}", String::from_utf8_lossy(&first.stderr));
    let report = slurm("report", 0).expect("bash");
    let said = String::from_utf8_lossy(&report.stderr).into_owned();
    assert!(report.status.code() == Some(1) && said.contains("shard 2/2 is not there"), "{said}");
    for task in [1, 0] {
        let output = slurm("part", task).expect("bash");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let report = slurm("report", 0).expect("bash");
    assert!(report.status.success(), "{}", String::from_utf8_lossy(&report.stderr));
    for name in ["run.jsonl", "run.html", "run.xml"] {
        assert!(results.join(name).is_file(), "{name}");
    }
    // Shards leave it to the report to say which patterns of the lists are good for nothing.
    let lists = folder.join("golden/expect");
    std::fs::create_dir_all(&lists).expect("a folder");
    std::fs::write(lists.join("emu-fails.txt"), "nothing/*\tnobody knows why\n").expect("a file");
    let report = slurm("report", 0).expect("bash");
    let said = String::from_utf8_lossy(&report.stderr).into_owned();
    assert!(report.status.code() == Some(1) && said.contains("`nothing/*` excuses nothing"), "{said}");
    let headers = read(&results.join("part-1.jsonl")).matches("\"kind\":\"header\"").count();
    assert_eq!(headers, 3, "two of the first run, one of that which went on");
    std::fs::remove_dir_all(&folder).expect("the folder");
}
