//! The page: what is in it parses again, nothing in it is code that should be text, and a browser shows it.

use super::*;
use std::path::Path;

/// What would be a tag, the end of one or a comment, if it came through.
const EVIL: &str = "</script><script>evil()</script><!-- <img src=x onerror='evil()'> \"&amp;\" \u{2028}\u{0}";

/// A run whose every text is [`EVIL`].
fn evil() -> Vec<Value> {
    let mut head = header(1);
    for key in ["version", "plan"] {
        head[key] = json!(EVIL);
    }
    for key in ["suites", "archs", "command", "left_out"] {
        head[key] = json!([EVIL]);
    }
    head["engines"] = json!([{"name": EVIL, "driver": EVIL}]);
    let result = |status: &str| {
        json!({"case": EVIL, "row": EVIL, "text": EVIL, "status": status, "reason": EVIL, "count": 1, "again": EVIL,
            "differences": [{"place": EVIL, "expected": EVIL, "got": EVIL}]})
    };
    let unit = json!({"kind": "unit", "unit": EVIL, "suite": EVIL, "arch": EVIL, "lanes": 32, "engine": EVIL, "seconds": 1.0,
        "rows": {EVIL: {"fail": 1, "unsupported": 1, EVIL: 1}}, "results": [result("fail"), result("unsupported"), result(EVIL)]});
    vec![head, unit, end()]
}

/// The JSON of a page.
fn data(page: &str) -> Value {
    let (_, rest) = page.split_once("<script type=\"application/json\" id=\"data\">").expect("the data");
    let (json, _) = rest.split_once("</script>").expect("its end");
    serde_json::from_str(json).expect("JSON")
}

fn page(scratch: &Scratch, lines: &[Value]) -> String {
    let journal = scratch.put("run.jsonl", lines);
    let out = scratch.path("run.html");
    let (code, text, err) = ran(&["report", "html", &journal, "-o", &out]);
    assert_eq!((code, text.as_str(), err.as_str()), (0, "", ""));
    scratch.read("run.html")
}

#[test]
fn nothing_is_unescaped() {
    let scratch = Scratch::new("evil");
    let page = page(&scratch, &evil());
    for tag in ["<script>evil", "<img", "<!--", "\0"] {
        assert!(!page.contains(tag), "{tag:?}");
    }
    // In the page itself quotes are escaped too; in the JSON they are text.
    let (before, rest) = page.split_once("id=\"data\">").expect("the data");
    let (_, behind) = rest.split_once("</script>").expect("its end");
    assert!(!before.contains("onerror='") && !behind.contains("onerror='") && before.contains("onerror=&#39;"));
    // Two scripts of ours and nothing else that a browser would carry out.
    assert_eq!((page.matches("<script").count(), page.matches("</script").count()), (2, 2));
    let data = data(&page);
    let results = data["results"].as_array().expect("results");
    assert_eq!(results.len(), 2, "what failed, and what has a status that nobody knows");
    for result in results {
        assert_eq!(result[0], EVIL);
        for n in [3, 4, 6, 8] {
            assert_eq!(data["texts"][result[n].as_u64().expect("a number") as usize], EVIL);
        }
    }
    assert_eq!(data["rows"][0][1], EVIL);
}

#[test]
fn the_data_are_the_journal_s() {
    let scratch = Scratch::new("data");
    let page = page(&scratch, &run(&names(2)));
    let data = data(&page);
    let results = data["results"].as_array().expect("results");
    assert_eq!(results.len(), 4);
    let text = |n: &Value| data["texts"][n.as_u64().expect("a number") as usize].as_str().expect("a text");
    let first = &results[0];
    assert_eq!(
        (first[0].as_str(), text(&first[3]), text(&first[4])),
        (Some("alu/gfx600-w64/0001:3"), "v_sin_f32", "v_sin_f32 v1, v0")
    );
    assert_eq!(data["statuses"][first[5].as_u64().expect("a number") as usize], "fail");
    let difference: Vec<&str> = first[9][0].as_array().expect("four").iter().map(text).collect();
    assert_eq!(difference, ["v1 lane 3", "0x3f800000", "0x3f7fffff", ""]);
    // Every case is in one cell.
    let cells = data["rows"].as_array().expect("rows").iter().flat_map(|row| row[2].as_array().expect("cells"));
    let counts = cells.flat_map(|cell| cell.as_array().expect("numbers").iter().skip(2).step_by(2));
    assert_eq!(counts.map(|n| n.as_u64().expect("a number")).sum::<u64>(), 262);
    for says in [
        "4 of 262 cases not as expected",
        "2026-11-22 01:33:47 UTC",
        "0123456789abcdef",
        "wavediff conform --all",
        "no sines",
    ] {
        assert!(page.contains(says), "{says}");
    }
}

/// A page on which every case was refused is no green one.
#[test]
fn a_page_of_nothing_compared_says_so() {
    let scratch = Scratch::new("refused-page");
    let page = page(&scratch, &runs::refused());
    for says in [
        "<title>wavediff: nothing was compared</title>",
        "<header class=\"top warn\">",
        "<h1>nothing was compared</h1>",
    ] {
        assert!(page.contains(says), "{says}");
    }
    assert!(!page.contains("nothing bad"));
}

/// What is missing is said once where it is missing everywhere, and else with the engine.
#[test]
fn what_was_not_seen_is_listed() {
    let scratch = Scratch::new("missing-page");
    let page = page(&scratch, &runs::half_covered());
    let listed: Vec<&str> = page.lines().filter(|line| line.contains("<summary>") && line.contains("<code>")).collect();
    let list = |what: &str, names: &str| {
        format!("<details class=\"card\"><summary>{what}</summary><code>{names}</code></details>")
    };
    let of_device = format!("lds: 2 rows not compared with {}", ENGINES[0]);
    let expected = [
        list("alu: 1 row not compared", "v_mul_f32"),
        list("alu: 1 of 8 forms not in the plan", "v_mul_f32_dpp"),
        list(&of_device, "v_add_f32 v_sin_f32"),
        list("lds: 2 of 3 forms not in the plan", "v_add_f32_sdwa v_sin_f32_sdwa"),
    ];
    assert_eq!(listed, expected);
    for covered in ["rows 4 of 5, forms 72%".to_owned(), format!("rows 2 of 5 with {}", ENGINES[0])] {
        assert!(page.contains(&format!("<dt>covered<dd>{covered}\n")), "{covered}");
    }
}

/// The lengths of the bars of a chart, by the text behind them.
fn bars(page: &str, title: &str) -> Vec<(String, f64)> {
    let (_, chart) = page.split_once(&format!("<figcaption>{title}</figcaption>")).expect("the chart");
    let (chart, _) = chart.split_once("</svg>").expect("its end");
    let attribute = |tag: &str, name: &str| -> f64 {
        let (_, value) = tag.split_once(&format!(" {name}=\"")).expect("the attribute");
        value.split('"').next().and_then(|v| v.parse().ok()).expect("a number")
    };
    let (mut all, mut ends) = (Vec::new(), (0.0, 0.0));
    for tag in chart.split('<').skip(1) {
        if tag.starts_with("text class=\"name\"") {
            ends = (f64::MAX, 0.0f64);
        } else if tag.starts_with("rect") {
            let x = attribute(tag, "x");
            ends = (ends.0.min(x), ends.1.max(x + attribute(tag, "width")));
        } else if tag.starts_with("text x") {
            all.push((tag.split('>').nth(1).unwrap_or_default().to_owned(), ends.1 - ends.0));
        }
    }
    all
}

/// A suite of forty times as many cases has a bar of forty times the length, and what failed in the small one is still seen.
#[test]
fn the_bars_of_suites_are_as_long_as_their_cases() {
    let scratch = Scratch::new("bars");
    let row = |passed: u32, failed: u32| json!({"v_add_f32": {"pass": passed, "fail": failed}});
    let mut large = unit("alu/gfx600-w64/0000", ENGINES[0], &[]);
    large["rows"] = row(7680, 0);
    let mut small = unit("lds/gfx600-w64/0000", ENGINES[0], &[]);
    small["rows"] = row(190, 2);
    let page = page(&scratch, &[header(2), large, small, end()]);
    let bars = bars(&page, "Cases by suite");
    let [(large_text, large), (small_text, small)] = &bars[..] else { panic!("{bars:?}") };
    assert_eq!((large_text.as_str(), small_text.as_str()), ("7,680", "2 bad of 192"));
    assert!((340.0..=350.0).contains(large), "{bars:?}");
    // Its share would be 8.75, of which the failure takes at least 4.
    assert!((7.0..=10.0).contains(small), "{bars:?}");
}

/// A page is whole in itself: it names nothing that would have to be fetched.
#[test]
fn nothing_is_fetched() {
    let scratch = Scratch::new("alone");
    let page = page(&scratch, &run(&names(1)));
    for outside in [
        "http:",
        "https:",
        "src=",
        "@import",
        "url(",
        "<link",
        "<iframe",
        "fetch(",
        "XMLHttpRequest",
        "innerHTML",
        "eval(",
    ] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert!(page.contains("default-src 'none'"));
}

/// A run of which ten thousand cases failed.
fn many() -> Vec<Value> {
    let mut lines = vec![header(100)];
    for n in 0..100 {
        let name = format!("alu/gfx600-w64/{n:04}");
        let results: Vec<Value> = (0..100).map(|case| result(&name, case, "fail")).collect();
        lines.push(unit(&name, ENGINES[0], &results));
    }
    lines.push(end());
    lines
}

fn browser() -> Option<PathBuf> {
    let named = std::env::var_os("WAVEDIFF_BROWSER").map(PathBuf::from);
    let folders: Vec<PathBuf> = std::env::var_os("PATH").iter().flat_map(std::env::split_paths).collect();
    let find = |name: &str| folders.iter().map(|f| f.join(name)).find(|p| p.is_file());
    named.or_else(|| ["chromium", "chromium-browser", "google-chrome"].into_iter().find_map(find))
}

/// The browser; nothing where there is none and none is required.
fn some_browser() -> Option<PathBuf> {
    let found = browser();
    if found.is_none() {
        assert!(std::env::var_os("WAVEDIFF_REQUIRE_BROWSER").is_none(), "there is no Chromium");
        eprintln!("skipped: there is no Chromium to open the page with");
    }
    found
}

/// Opens a page, which must not have broken scripts, and makes a picture of it; gives what is in it then.
fn opened(browser: &Path, scratch: &Scratch, page: &str) -> String {
    // What went wrong in the script becomes the title of the page.
    let watch = "<script>window.onerror = e => { document.title = 'broken: ' + e; };</script>\n<script>\n'use strict'";
    assert_eq!(page.matches("<script>\n'use strict'").count(), 1);
    std::fs::write(scratch.path("run.html"), page.replace("<script>\n'use strict'", watch)).expect("a file");
    let show = |more: &[&str]| {
        let mut command = Command::new(browser);
        command.args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--window-size=1400,1800",
            "--virtual-time-budget=10000",
        ]);
        command.arg(format!("--user-data-dir={}", scratch.path("profile"))).args(more);
        command.arg(format!("file://{}", scratch.path("run.html"))).output().expect("the browser runs")
    };
    let dom = String::from_utf8_lossy(&show(&["--dump-dom"]).stdout).into_owned();
    assert!(
        !dom.contains("<title>broken"),
        "{:?}",
        dom.split("<title>").nth(1).map(|t| t.chars().take(200).collect::<String>())
    );
    let shot = scratch.path("run.png");
    show(&[&format!("--screenshot={shot}")]);
    let bytes = std::fs::read(Path::new(&shot)).expect("a screenshot");
    assert!(bytes.starts_with(b"\x89PNG") && bytes.len() > 50_000, "{} bytes", bytes.len());
    dom
}

#[test]
fn a_browser_shows_ten_thousand_failures() {
    let Some(browser) = some_browser() else { return };
    let scratch = Scratch::new("browser");
    let page = page(&scratch, &many());
    let dom = opened(&browser, &scratch, &page);
    assert!(dom.contains("<small id=\"f-count\">10,000</small>"), "the failures are counted");
    assert!(
        dom.contains("alu/gfx600-w64/0000:0") && dom.contains("<table class=\"values\">"),
        "the first one is shown"
    );
    let lines = dom.matches("class=\"f-row").count();
    assert!((5..100).contains(&lines), "{lines} lines are drawn, as many as are seen");
}

#[test]
fn a_browser_draws_the_timeline_of_a_run() {
    let Some(browser) = some_browser() else { return };
    let scratch = Scratch::new("timeline");
    let (case, out) = (scratch.path("chain.s"), scratch.path("timeline.html"));
    std::fs::write(&case, "; isa: gfx1100\nv_mov_b32 v0, 1.0\nv_add_f32 v1, v0, v0\nv_exp_f32 v2, v1\n")
        .expect("a case");
    let (code, text, err) = ran(&["run", &case, "--timing", "--html", &out]);
    assert_eq!((code, err.as_str()), (0, ""), "{text}");
    let dom = opened(&browser, &scratch, &scratch.read("timeline.html"));
    for shown in ["v_exp_f32_e32 v2, v1", "s_endpgm", "<canvas"] {
        assert!(dom.contains(shown), "{shown}");
    }
}

#[test]
fn a_browser_shows_what_instructions_cost() {
    let Some(browser) = some_browser() else { return };
    let scratch = Scratch::new("bench");
    let out = scratch.path("bench.html");
    let chosen = ["bench", "--arch", "gfx1100", "--filter", "^v_(add|rcp)_f32|^ds_load", "--html", &out];
    let (code, text, err) = ran(&chosen);
    assert_eq!((code, err.as_str()), (0, ""), "{text}");
    let dom = opened(&browser, &scratch, &scratch.read("bench.html"));
    for shown in ["v_rcp_f32", "ds_load_b32, 128 bytes apart", "class=\"scripted\""] {
        assert!(dom.contains(shown), "{shown}");
    }
}
