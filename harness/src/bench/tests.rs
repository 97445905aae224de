//! Tables and comparisons of made-up costs.

use super::{compare, data, html};
use serde_json::{Value, json};

/// A run with a row and a pattern.
fn run(rate: f64, stride: f64) -> Value {
    json!({
        "arch": "gfx900", "lanes": 64, "engine": "emu (GCN)", "in": "clocks",
        "rows": [
            {"instruction": "v_<add>", "unit": "vector", "rate_from": "silicon", "latency_from": "guess",
             "rate": {"each": rate}, "latency": {"none": "serial", "failed": false}},
            {"instruction": "ds_read_b32, 8 bytes apart", "unit": "lds", "bytes": 256, "rate": {"each": stride}},
        ],
    })
}

/// What was recorded, as a file.
fn recorded(name: &str, runs: &Value) -> compare::Recorded {
    let file = std::env::temp_dir().join(format!("wavediff-bench-{name}-{}.json", std::process::id()));
    std::fs::write(&file, runs.to_string()).expect("a file");
    let recorded = compare::read(&file);
    std::fs::remove_file(&file).expect("the file");
    recorded.expect("runs")
}

/// The table of a comparison behind its first line, which names the file, and its verdict.
fn compared(name: &str, now: &Value, before: &Value, within: f64, list: bool) -> (String, bool) {
    let mut text = String::new();
    let alike = compare::push(&mut text, now, &recorded(name, before), within, list).expect("a run like it");
    (text.split_once('\n').expect("lines").1.to_owned(), alike)
}

#[test]
fn what_is_slower_is_told() {
    let before = json!([run(4.0, 8.0)]);
    let same = "2 costs compared: 0 slower, 0 faster, by more than 5 %\n";
    assert_eq!(compared("same", &run(4.0, 8.0), &before, 5.0, false), (same.to_owned(), true));
    assert_eq!(compared("near", &run(4.1, 7.9), &before, 5.0, false), (same.to_owned(), true));
    let (text, alike) = compared("far", &run(5.0, 4.0), &before, 5.0, false);
    assert!(!alike);
    assert_eq!(
        text,
        "
instruction                 what  now  recorded  ratio
v_<add>                     rate    5         4  1.250  slower
ds_read_b32, 8 bytes apart  rate    4         8  0.500  faster

2 costs compared: 1 slower, 1 faster, by more than 5 %
"
    );
}

#[test]
fn nothing_compared_is_not_alike() {
    let mut other = run(4.0, 8.0);
    other["rows"] = json!([]);
    let (text, alike) = compared("none", &run(4.0, 8.0), &json!([other]), 5.0, false);
    assert!(!alike && text.ends_with("2 were not recorded, 0 of those recorded are not measured here\n"), "{text}");
    let mut elsewhere = run(4.0, 8.0);
    elsewhere["lanes"] = json!(32);
    let lacks = compare::push(&mut String::new(), &run(4.0, 8.0), &recorded("lanes", &json!([elsewhere])), 5.0, false);
    assert!(lacks.expect_err("no run").to_string().ends_with("has no run of gfx900, waves of 64 lanes, in clocks"));
}

#[test]
fn rows_and_patterns_are_lines_and_in_the_page() {
    let all = json!([run(4.0, 8.0)]);
    assert_eq!(
        data::csv(&all),
        "arch,lanes,engine,in,instruction,unit,rate,latency,bytes,with,why_not
\"gfx900\",64,\"emu (GCN)\",\"clocks\",\"v_<add>\",\"vector\",4,,,,\"serial\"
\"gfx900\",64,\"emu (GCN)\",\"clocks\",\"ds_read_b32, 8 bytes apart\",\"lds\",8,,256,,
"
    );
    let page = html::page(&all);
    assert!(page.contains("v_&lt;add&gt;<td class=\"n\">4<td class=\"n\">-<td>vector<td>serial"), "{page}");
    assert!(page.contains("8 bytes apart<td>lds<td class=\"n\">8<td><td class=\"n\">32"));
}
