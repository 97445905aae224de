//! Shards and whole runs, runs before and after, and the summary.

use super::*;

/// A third of a run, by the rule of `--shard`: units in turn.
fn shard(names: &[String], k: usize) -> Vec<Value> {
    let mine: Vec<String> = names.iter().skip(k).step_by(3).cloned().collect();
    let mut lines = run(&mine);
    lines[0]["shard"] = json!([k + 1, 3]);
    lines[0]["command"] = json!(["wavediff", "conform", "--all", "--shard", format!("{}/3", k + 1)]);
    lines
}

fn sorted(mut lines: Vec<Value>) -> Vec<Value> {
    lines.sort_by_key(|line| (line["unit"].to_string(), line["engine"].to_string()));
    lines
}

fn parsed(text: &str) -> Vec<Value> {
    let mut lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    lines
        .iter_mut()
        .for_each(|line| drop(line.as_object_mut().expect("an object").shift_remove("crc").expect("a checksum")));
    // The header is there twice.
    lines.dedup();
    lines
}

#[test]
fn three_shards_merged_are_the_whole_run() {
    let scratch = Scratch::new("shards");
    let names = names(5);
    let parts: Vec<String> = (0..3).map(|k| scratch.put(&format!("{k}.jsonl"), &shard(&names, k))).collect();
    let out = scratch.path("all.jsonl");
    let (code, _, err) = ran(&["report", "merge", &parts[2], &parts[0], &parts[1], "-o", &out]);
    assert_eq!((code, err.as_str()), (0, ""));
    let merged = parsed(&scratch.read("all.jsonl"));
    let units: Vec<&str> = merged.iter().filter_map(|line| line["unit"].as_str()).collect();
    assert!(units.is_sorted() && units.len() == 40, "{units:?}");
    assert_eq!(sorted(merged.clone()), sorted(run(&names)));
    // What is merged can be merged again, and nothing is lost.
    let (code, again, _) = ran(&["report", "merge", &out]);
    assert_eq!((code, parsed(&again)), (0, merged));
}

/// The same with runs of the program: the plan, the shards and the results are its own.
#[test]
fn shards_of_a_real_run_merged_are_the_whole_run() {
    let scratch = Scratch::new("real");
    let conform = |name: &str, more: &[&str]| {
        let path = scratch.path(name);
        let mut args =
            vec!["conform", "alu", "--arch", "gfx600,gfx1100", "--engines", "emu", "--every", "40", "--inputs", "2"];
        args.extend_from_slice(&["--jobs", "1", "--jsonl", &path]);
        args.extend_from_slice(more);
        let (code, out, err) = ran(&args);
        assert_eq!(code, 0, "{out}{err}");
        path
    };
    let whole = conform("whole.jsonl", &[]);
    let parts: Vec<String> = (1..=3).map(|k| conform(&format!("{k}.jsonl"), &["--shard", &format!("{k}/3")])).collect();
    let merge = |files: &[String]| {
        let args: Vec<&str> = ["report", "merge"].into_iter().chain(files.iter().map(String::as_str)).collect();
        let (code, out, err) = ran(&args);
        assert_eq!((code, err.as_str()), (0, ""));
        let mut lines = parsed(&out);
        for line in &mut lines {
            for times in ["seconds", "began", "command"] {
                line.as_object_mut().expect("an object").remove(times);
            }
        }
        lines
    };
    let (whole, merged) = (merge(&[whole]), merge(&parts));
    assert!(whole.len() > 6, "{} lines", whole.len());
    assert_eq!(whole, merged);
}

#[test]
fn what_is_not_of_one_plan_is_refused() {
    let scratch = Scratch::new("plans");
    let names = names(2);
    let a = scratch.put("a.jsonl", &shard(&names, 0));
    let mut n = 0;
    let mut refused = |change: &dyn Fn(&mut Vec<Value>), says: &str| {
        let mut lines = shard(&names, 1);
        change(&mut lines);
        n += 1;
        let b = scratch.put(&format!("b{n}.jsonl"), &lines);
        let (code, out, err) = ran(&["report", "merge", &a, &b]);
        assert!(code == 1 && out.is_empty() && err.contains(says), "{says}: {err}");
    };
    refused(&|lines| lines[0]["plan"] = json!("another"), "plan another, not 0123456789abcdef");
    refused(&|lines| lines[0]["seed"] = json!(8), "seed 8, not 7");
    refused(&|lines| lines[0]["version"] = json!("9.9.9"), "version 9.9.9");
    refused(&|lines| lines[0]["shard"] = json!([2, 4]), "4 shards, not 3 shards");
    refused(
        &|lines| lines.push(unit("alu/gfx600-w64/0000", ENGINES[0], &[result("alu/gfx600-w64/0000", 0, "fail")])),
        "not the same",
    );
}

#[test]
fn a_unit_twice_is_taken_once_if_it_is_the_same() {
    let scratch = Scratch::new("twice");
    let names = names(2);
    let mut again = run(&names);
    again[1]["seconds"] = json!(99.0);
    let (a, b) = (scratch.put("a.jsonl", &run(&names)), scratch.put("b.jsonl", &again));
    let (code, out, err) = ran(&["report", "merge", &a, &b]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert_eq!(sorted(parsed(&out)), sorted(run(&names)));
}

#[test]
fn what_is_missing_is_named() {
    let scratch = Scratch::new("missing");
    let names = names(5);
    let mut parts: Vec<Vec<Value>> = (0..3).map(|k| shard(&names, k)).collect();
    let merge = |parts: &[Vec<Value>]| {
        let files: Vec<String> =
            parts.iter().enumerate().map(|(k, lines)| scratch.put(&format!("part{k}.jsonl"), lines)).collect();
        let args: Vec<&str> = ["report", "merge"].into_iter().chain(files.iter().map(String::as_str)).collect();
        ran(&args)
    };
    // A shard is not there at all.
    let (code, out, err) = merge(&parts[..2]);
    assert!(code == 1 && err.contains("shard 3/3 is not there"), "{err}");
    assert!(out.contains("\"left_out\":[\"shard 3/3 is not there\""), "the merged journal says so too");
    // A unit is missing on one engine, then on both and the end too.
    let gone = |line: &Value| line["unit"] == "alu/gfx600-w64/0001";
    let at = parts[1].iter().position(gone).expect("the unit");
    parts[1].remove(at);
    let (code, _, err) = merge(&parts);
    assert!(code == 1 && err.contains("part1.jsonl has 13 of 14 units\n"), "{err}");
    parts[1].retain(|line| !gone(line));
    parts[1].pop();
    let (code, _, err) = merge(&parts);
    assert!(code == 1 && err.contains("part1.jsonl has 12 of 14 units, and was cut off"), "{err}");
}

#[test]
fn a_run_is_worse_if_what_passed_does_not() {
    let scratch = Scratch::new("diff");
    let names = names(2);
    let before = scratch.put("before.jsonl", &run(&names));
    let (code, out, _) = ran(&["report", "diff", &before, &before]);
    assert!(code == 0 && out.contains("0 worse, 0 better, 0 otherwise, 262 cases as before"), "{out}");
    // One failure is gone, one is new.
    let mut lines = run(&names);
    let name = "lds/gfx600-w64/0001";
    for line in &mut lines {
        if line["engine"] == ENGINES[0] && line["unit"] == name {
            *line = unit(name, ENGINES[0], &[result(name, 1, "fail")]);
        } else if line["engine"] == ENGINES[0] && line["unit"] == "alu/gfx600-w64/0001" {
            *line = unit("alu/gfx600-w64/0001", ENGINES[0], &[result("alu/gfx600-w64/0001", 4, "fail")]);
        }
    }
    let after = scratch.put("after.jsonl", &lines);
    let (code, out, _) = ran(&["report", "diff", &before, &after]);
    assert_eq!(code, 1);
    let line = |case: &str| out.lines().find(|l| l.contains(case)).unwrap_or_default().to_owned();
    assert!(line("lds/gfx600-w64/0001:1").contains("pass -> fail"), "{out}");
    assert!(line("alu/gfx600-w64/0001:3").contains("fail -> pass"), "{out}");
    assert!(line("alu/gfx600-w64/0001:4").contains("crash -> fail"), "{out}");
    assert!(out.contains("1 worse, 1 better, 1 otherwise"), "{out}");
    let (_, json, _) = ran(&["report", "diff", &before, &after, "--json"]);
    let json: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!((json["worse"].as_bool(), json["changes"].as_array().map(Vec::len)), (Some(true), Some(3)));
    // The other way round what was worse is better, and a unit that is gone is worse still.
    assert_eq!(ran(&["report", "diff", &after, &before]).0, 1);
    lines.retain(|line| line["unit"] != name);
    let fewer = scratch.put("fewer.jsonl", &lines);
    let (code, out, _) = ran(&["report", "diff", &after, &fewer]);
    assert!(code == 1 && out.contains("only before: 2 units: lds/gfx600-w64/0001"), "{out}");
}

/// Cases of another plan are other cases, and a new driver has a new name.
#[test]
fn runs_of_other_plans_are_compared_by_row() {
    let scratch = Scratch::new("rows");
    let names = names(2);
    let before = scratch.put("before.jsonl", &run(&names));
    let mut lines = run(&names);
    lines[0]["plan"] = json!("another");
    for line in &mut lines {
        if line["engine"] == ENGINES[0] {
            line["engine"] = json!("vulkan:llvmpipe (LLVM 19.1.7, 256 bits)");
        }
        if line["unit"] == "lds/gfx600-w64/0001" && line["engine"] == ENGINES[1] {
            *line = unit("lds/gfx600-w64/0001", ENGINES[1], &[result("lds/gfx600-w64/0001", 1, "fail")]);
        }
    }
    let after = scratch.put("after.jsonl", &lines);
    let (code, out, _) = ran(&["report", "diff", &before, &after]);
    assert_eq!(code, 1, "{out}");
    assert!(
        out.contains(
            "vulkan:llvmpipe (LLVM 15.0.6, 256 bits) is compared with vulkan:llvmpipe (LLVM 19.1.7, 256 bits)"
        ),
        "{out}"
    );
    assert!(out.contains("lds/gfx600-w64/v_sin_f32  pass -> 1 fail of 17  golden:card"), "{out}");
    assert!(out.contains("1 worse, 0 better, 0 otherwise, 15 rows as before"), "{out}");
    let (code, _, _) = ran(&["report", "diff", &after, &before]);
    assert_eq!(code, 0, "for the better");
}

#[test]
fn the_summary_counts_and_aligns() {
    let scratch = Scratch::new("show");
    let mut lines = run(&names(2));
    lines[0]["left_out"] = json!(["Vulkan: no loader"]);
    let path = scratch.put("run.jsonl", &lines);
    let (code, out, err) = ran(&["report", "show", &path]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(!out.contains('\x1b'), "no colour where there is no terminal");
    // Of 131 one is unsupported, and one crashed.
    assert!(out.starts_with("compared: emu with the recording card, 129 cases; emu with vulkan:llvmpipe"), "{out}");
    let table: Vec<&str> = out.lines().skip(2).take_while(|line| !line.is_empty()).collect();
    assert_eq!(table.len(), 10, "a head, eight groups and their sum: {out}");
    assert!(table.iter().all(|line| line.chars().count() == table[0].chars().count()), "columns align: {out}");
    let cells = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(
        cells(table[0]),
        ["suite", "processor", "engine", "cases", "passed", "failed", "crashed", "unsupported", "flaky", "time"]
    );
    assert_eq!(
        cells(table[1]),
        ["alu", "gfx600", "w64", "vulkan:llvmpipe", "34", "32", "1", "1", "-", "-", "500", "ms"]
    );
    assert_eq!(cells(table[9]), ["all", "262", "256", "2", "2", "2", "-", "4.00", "s"]);
    for text in [
        "4 of 262 cases not as expected",
        "no sines",
        "v1 lane 3  0x3f800000  0x3f7fffff",
        "wavediff conform --filter alu/gfx600-w64/0001",
        "Vulkan: no loader",
    ] {
        assert!(out.contains(text), "{text}: {out}");
    }
    // A run that was cut off says so.
    lines.pop();
    let path = scratch.put("cut.jsonl", &lines[..4]);
    let (_, out, _) = ran(&["report", "show", &path]);
    assert!(out.contains("the run was cut off: 3 of 16 units are done"), "{out}");
}

/// Gives the units that are asked for eight cases of each row with a status, and no others.
fn with_status(lines: &mut [Value], status: &str, wanted: impl Fn(&Value) -> bool) {
    for line in lines.iter_mut().filter(|line| line["kind"] == "unit" && wanted(line)) {
        line["rows"] = json!({"v_add_f32": {status: 8}, "v_sin_f32": {status: 8}});
        line.as_object_mut().expect("an object").shift_remove("results");
    }
}

/// A run whose every case was refused: 128 of them.
pub fn refused() -> Vec<Value> {
    let mut lines = run(&names(1));
    with_status(&mut lines, "unsupported", |_| true);
    lines
}

/// What `report show` says of a journal.
fn shown(scratch: &Scratch, lines: &[Value]) -> String {
    ran(&["report", "show", &scratch.put("run.jsonl", lines)]).1
}

/// A run of which the plan had three rows of `alu`, of which one is in no unit, and two of `lds`, which only the recording could be compared in.
pub fn half_covered() -> Vec<Value> {
    let mut lines = run(&names(1));
    with_status(&mut lines, "pass", |_| true);
    with_status(&mut lines, "unsupported", |line| line["engine"] == ENGINES[0] && line["suite"] == "lds");
    lines[0]["coverage"] = json!([
        {"suite": "alu", "rows": ["v_add_f32", "v_mul_f32", "v_sin_f32"], "forms": 8, "missing_forms": ["v_mul_f32_dpp"]},
        {"suite": "lds", "rows": ["v_add_f32", "v_sin_f32"], "forms": 3, "missing_forms": ["v_add_f32_sdwa", "v_sin_f32_sdwa"]},
    ]);
    lines
}

#[test]
fn a_run_that_compared_nothing_is_not_called_good() {
    let scratch = Scratch::new("refused");
    let path = scratch.put("run.jsonl", &refused());
    let (code, out, err) = ran(&["report", "show", &path]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.starts_with("nothing was compared\n"), "{out}");
    assert!(out.contains("\nnothing was compared: 128 unsupported\n") && !out.contains("nothing bad"), "{out}");
}

/// A case that a list excuses was compared if it differed, and not if its engine went down with it.
#[test]
fn what_went_down_as_a_list_says_was_not_compared() {
    let scratch = Scratch::new("excused");
    let name = "alu/gfx600-w64/0000";
    for (reason, compared) in [
        ("fail: its sine is off by one", true),
        ("flake: it depends on the weather", true),
        ("crash: the driver gives up", false),
        ("timeout: the compiler does not end", false),
    ] {
        let mut excused = result(name, 0, "expected");
        excused["reason"] = json!(reason);
        let mut lines = vec![header(1)];
        for engine in ENGINES {
            let mut unit = unit(name, engine, std::slice::from_ref(&excused));
            unit["rows"] = json!({"v_sin_f32": {"expected": 1}});
            lines.push(unit);
        }
        lines.push(end());
        let out = shown(&scratch, &lines);
        let says = if compared { "nothing bad in 2 cases: 2 expected" } else { "nothing was compared: 2 expected" };
        assert!(out.contains(&format!("\n{says}\n")), "{reason}: {out}");
    }
}

/// A run that was cut off is not one in which nothing was bad.
#[test]
fn a_verdict_on_half_a_run_says_so() {
    let scratch = Scratch::new("half");
    let mut lines = half_covered();
    let last =
        |lines: &[Value]| shown(&scratch, lines).lines().find(|line| line.starts_with("nothing")).map(str::to_owned);
    assert_eq!(last(&lines).as_deref(), Some("nothing bad in 128 cases: 96 passed, 32 unsupported"));
    lines.pop();
    assert_eq!(last(&lines).as_deref(), Some("nothing bad so far in 128 cases: 96 passed, 32 unsupported"));
}

/// What a recording has says nothing of a device: each engine has its own rows. Forms are the plan's: 8 of 11.
#[test]
fn rows_are_counted_for_each_engine() {
    let scratch = Scratch::new("rows-by-engine");
    let mut lines = half_covered();
    let said = |lines: &[Value]| {
        shown(&scratch, lines)
            .lines()
            .skip(1)
            .take_while(|line| !line.is_empty())
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let fewer = format!("rows 2 of 5 with {}", ENGINES[0]);
    assert_eq!(said(&lines), ["rows 4 of 5, forms 72%", fewer.as_str()]);
    // One line is enough where all have as many.
    with_status(&mut lines, "pass", |_| true);
    assert_eq!(said(&lines), ["rows 4 of 5, forms 72%"]);
}

#[test]
fn what_is_no_journal_is_an_error() {
    let scratch = Scratch::new("none");
    let path = scratch.put("x.jsonl", &[json!({"kind": "unit"})]);
    for command in ["show", "merge"] {
        let (code, _, err) = ran(&["report", command, &path]);
        assert!(code == 1 && err.contains("is no journal of a conformance run"), "{err}");
    }
    assert_eq!(ran(&["report", "html", &path]).0, 2, "no file to write");
}
