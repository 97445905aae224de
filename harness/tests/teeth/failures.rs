//! What is told of a failure is enough to understand it, wherever it is told; and the command that is printed with it shows that very case, and no other.

use super::selections::selection;
use libtest_mimic::Failed;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use wavediff::case::Case;
use wavediff::spirv::fault::Fault;

const FAULT: Fault = Fault::FloatSubSwapped;
/// Results among which one is looked for: as many of a row JUnit's file has, and the terminal has more.
const FIRST: usize = 8;

/// On a device: both values in hex and as floats, and how far they are apart.
pub fn of_a_device() -> Result<(), Failed> {
    let folder = folder("failures-device")?;
    let chosen = ["conform", "alu", "--filter", "^v_sub_f32", "--engines", "emu,vulkan", "--inputs", "4"];
    let said = reported(&chosen, &folder)?;
    let units = units(&folder.join("run.jsonl"))?;
    let is_far = |result: &&Value| result["differences"][0]["apart"].is_string();
    let result = results(&units).into_iter().take(FIRST).find(is_far).ok_or("no two floats")?;
    let difference = &result["differences"][0];
    let [expected, got] = ["expected", "got"].map(|side| difference[side].as_str().and_then(bits));
    let (Some(expected), Some(got)) = (expected, got) else { return Err(format!("no floats: {difference}").into()) };
    if difference["apart"] != format!("{} ulp", ulps(expected, got)) {
        return Err(format!("not so far: {difference}").into());
    }
    if !lines(result).iter().any(|line| line.starts_with("< ") && line.contains("f32 ")) {
        return Err(format!("no inputs: {result}").into());
    }
    everywhere(&said, &folder, result)?;
    // What was written for `bisect` shows it.
    let file = result["file"].as_str().ok_or("no file")?;
    Case::parse(&std::fs::read_to_string(file)?, file)?;
    let found: Value = serde_json::from_str(&faulty(&["bisect", "--json", file], 1)?)?;
    if found["row"] != "v_sub_f32" {
        return Err(format!("{file} shows {found}").into());
    }
    shows_again(result, &folder)
}

/// Beside a recording, which has digests: what the emulator read and wrote, and the place that is recorded with another digest. The folder's name is one
/// that a shell would take apart.
pub fn of_a_recording() -> Result<(), Failed> {
    let folder = folder("failures as it's recorded")?;
    let recording = text(&folder.join("recording"));
    // What the device does wrong is recorded, so that the emulator is wrong beside it.
    let chosen = ["alu", "--filter", "^v_sub_f32", "--inputs", "4"];
    let to = ["--differing", "-o", recording.as_str()];
    faulty(&[&["golden", "record"], &chosen[..], &to].concat(), 0)?;
    let golden = text(&folder);
    let with = ["--engines", "emu,golden", "--golden", golden.as_str()];
    let said = reported(&[&["conform"], &chosen[..], &with].concat(), &folder)?;
    let units = units(&folder.join("run.jsonl"))?;
    let result = results(&units).into_iter().find(|result| result["status"] == "fail").ok_or("nothing differs")?;
    let difference = &result["differences"][0];
    let place = difference["place"].as_str().unwrap_or_default();
    let digests = ["expected", "got"].map(|side| difference[side].as_str().unwrap_or_default().starts_with("digest "));
    if digests != [true; 2] || difference["expected"] == difference["got"] {
        return Err(format!("no digests: {difference}").into());
    }
    let wrote = format!("> {place} = 0x");
    for begin in ["< ", wrote.as_str()] {
        if !lines(result).iter().any(|line| line.starts_with(begin) && line.contains("f32 ")) {
            return Err(format!("no line begins with {begin:?}: {result}").into());
        }
    }
    everywhere(&said, &folder, result)?;
    shows_again(result, &folder)
}

/// A case in a file that is where the command line said, with names that a shell would take apart.
pub fn in_a_folder() -> Result<(), Failed> {
    let folder = folder("failures that it's about")?;
    let case = "; isa: gfx1100\n; wave: 64\n; v0 = 1.5\n; v1 = 0.25\n; expect: v2 = 1.25\nv_sub_f32 v2, v0, v1\n";
    std::fs::write(folder.join("it's.s"), case)?;
    let cases = text(&folder);
    reported(&["conform", "cases", "--cases", &cases, "--filter", "it's", "--engines", "emu,vulkan"], &folder)?;
    let units = units(&folder.join("run.jsonl"))?;
    let result = results(&units).into_iter().find(|result| result["status"] == "fail").ok_or("nothing differs")?;
    let difference = &result["differences"][0];
    let wanted = [
        ("place", "v2 lane 0"),
        ("expected", "0x3fa00000 (f32 1.25)"),
        ("got", "0xbfa00000 (f32 -1.25)"),
        ("apart", "2134900736 ulp"),
    ];
    if result["case"] != "cases/gfx1100-w64/it's" || wanted.iter().any(|(key, value)| difference[*key] != *value) {
        return Err(format!("not that difference: {result}").into());
    }
    shows_again(result, &folder)
}

/// A folder with nothing in it.
fn folder(name: &str) -> Result<PathBuf, Failed> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder)?;
    Ok(folder)
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// What the program says with the fault, which ends with this code.
fn faulty(args: &[&str], code: i32) -> Result<String, Failed> {
    ended(super::wavediff(FAULT, &selection(FAULT), args)?, code, args)
}

fn ended(output: Output, code: i32, args: &[&str]) -> Result<String, Failed> {
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.code() == Some(code) {
        return Ok(said);
    }
    let complained = String::from_utf8_lossy(&output.stderr);
    Err(format!("{args:?} ends with {:?}: {said}{complained}", output.status.code()).into())
}

/// Runs a suite that fails, with all reports in a folder; gives what is on the terminal.
fn reported(args: &[&str], folder: &Path) -> Result<String, Failed> {
    let names = ["cases", "run.html", "run.xml", "run.jsonl"];
    let [cases, html, junit, journal] = names.map(|name| text(&folder.join(name)));
    let reports: [&str; 8] = ["--failures", &cases, "--html", &html, "--junit", &junit, "--jsonl", &journal];
    faulty(&[args, &reports].concat(), 1)
}

/// The units of a journal.
fn units(journal: &Path) -> Result<Vec<Value>, Failed> {
    let text = std::fs::read_to_string(journal)?;
    let lines: Vec<Value> = text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    Ok(lines.into_iter().filter(|line| line["kind"] == "unit").collect())
}

fn results(units: &[Value]) -> Vec<&Value> {
    units.iter().filter_map(|unit| unit["results"].as_array()).flatten().collect()
}

/// How many cases there are.
fn cases(units: &[Value]) -> u64 {
    let rows = units.iter().filter_map(|unit| unit["rows"].as_object()).flat_map(|rows| rows.values());
    rows.filter_map(Value::as_object).flat_map(|counts| counts.values()).filter_map(Value::as_u64).sum()
}

/// What the instruction read, and perhaps what it wrote.
fn lines(result: &Value) -> Vec<&str> {
    result["inputs"].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// The bits of a float that is shown like `0x3fc00000 (f32 1.5)`, if both say the same.
fn bits(shown: &str) -> Option<u32> {
    let (hex, float) = shown.strip_prefix("0x")?.split_once(" (f32 ")?;
    let bits = u32::from_str_radix(hex, 16).ok().filter(|_| hex.len() == 8)?;
    (float == format!("{:?})", f32::from_bits(bits))).then_some(bits)
}

/// How many floats lie between two, of which zero is one.
fn ulps(a: u32, b: u32) -> u64 {
    let order = |bits: u32| {
        let magnitude = i64::from(bits & 0x7fff_ffff);
        if bits >> 31 == 0 { magnitude } else { -magnitude }
    };
    order(a).abs_diff(order(b))
}

/// The instruction, what it did, the first difference, the command and the case file are on the terminal, on the page and in JUnit's file, and in those
/// that are made of the journal.
fn everywhere(said: &str, folder: &Path, result: &Value) -> Result<(), Failed> {
    let mut pieces = lines(result);
    let difference = &result["differences"][0];
    pieces.extend(["text", "again", "file"].map(|key| result[key].as_str().unwrap_or_default()));
    pieces.extend(["place", "expected", "got"].map(|key| difference[key].as_str().unwrap_or_default()));
    pieces.extend(difference["apart"].as_str());
    if lines(result).is_empty() || pieces.iter().any(|piece| piece.is_empty()) {
        return Err(format!("something is not told: {result}").into());
    }
    let journal = text(&folder.join("run.jsonl"));
    let shown = report(&["show", &journal])?;
    has("the terminal", said, &pieces)?;
    has("what `report show` says", &shown, &pieces)?;
    let escaped: Vec<String> = pieces.iter().map(|piece| escaped(piece)).collect();
    let escaped: Vec<&str> = escaped.iter().map(String::as_str).collect();
    for (kind, name) in [("junit", "run.xml"), ("html", "run.html")] {
        let (of_run, of_journal) = (folder.join(name), folder.join(format!("again-{name}")));
        report(&[kind, &journal, "-o", &text(&of_journal)])?;
        for path in [of_run, of_journal] {
            let what = text(&path);
            let contents = std::fs::read_to_string(path)?;
            if kind == "junit" {
                has(&what, &contents, &escaped)?;
            } else {
                has(&what, &texts(&contents)?, &pieces)?;
            }
        }
    }
    Ok(())
}

fn has(what: &str, text: &str, pieces: &[&str]) -> Result<(), Failed> {
    match pieces.iter().find(|piece| !text.contains(**piece)) {
        Some(piece) => Err(format!("{what} does not have {piece:?}: {text}").into()),
        None => Ok(()),
    }
}

fn report(args: &[&str]) -> Result<String, Failed> {
    ended(Command::new(env!("CARGO_BIN_EXE_wavediff")).arg("report").args(args).output()?, 0, args)
}

/// Text as XML has it.
fn escaped(text: &str) -> String {
    let all = [('&', "&amp;"), ('<', "&lt;"), ('>', "&gt;"), ('"', "&quot;"), ('\'', "&#39;")];
    all.iter().fold(text.to_owned(), |text, (c, entity)| text.replace(*c, entity))
}

/// The texts of a page, a line each: its script makes of them what a reader sees.
fn texts(page: &str) -> Result<String, Failed> {
    let (_, rest) = page.split_once("<script type=\"application/json\" id=\"data\">").ok_or("no data")?;
    let (json, _) = rest.split_once("</script>").ok_or("no end of the data")?;
    let data: Value = serde_json::from_str(json)?;
    let texts: Vec<&str> = data["texts"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    Ok(texts.join("\n"))
}

/// A shell that is given the command which is printed with a result runs one case, which fails alike.
fn shows_again(result: &Value, folder: &Path) -> Result<(), Failed> {
    let command = result["again"].as_str().ok_or("no command")?;
    let journal = folder.join("again.jsonl");
    let beside = Path::new(env!("CARGO_BIN_EXE_wavediff")).parent().map(Path::to_path_buf);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(beside.into_iter().chain(std::env::split_paths(&path)))?;
    let output = Command::new("sh")
        .args(["-c", &format!("{command} --jsonl \"$JOURNAL\"")])
        .env("JOURNAL", &journal)
        .env("PATH", path)
        .env("WAVEDIFF_FAULT", FAULT.name())
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."))
        .output()?;
    ended(output, 1, &[command])?;
    let units = units(&journal)?;
    let (cases, results) = (cases(&units), results(&units));
    let [one] = results[..] else { return Err(format!("{command}: {} cases differ", results.len()).into()) };
    if cases != 1 {
        return Err(format!("{command}: {cases} cases").into());
    }
    let keys = ["case", "row", "text", "status", "inputs", "differences", "again"];
    match keys.iter().find(|key| one[**key] != result[**key]) {
        Some(key) => Err(format!("{command}: the {key} is {}, not {}", one[*key], result[*key]).into()),
        None => Ok(()),
    }
}
