//! JUnit XML: well-formed, and its counts are those of what is in it.

use super::*;

/// An element: its depth, its name, its attributes.
type Element = (usize, String, Vec<(String, String)>);

/// The elements of a document; panics where it is not well-formed.
fn elements(xml: &str) -> Vec<Element> {
    let mut rest = xml.strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n").expect("a declaration");
    let (mut open, mut all) = (Vec::new(), Vec::new());
    while let Some(at) = rest.find('<') {
        check_text(&rest[..at]);
        let (tag, behind) = rest[at + 1..].split_once('>').expect("the end of a tag");
        rest = behind;
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name));
            continue;
        }
        let (tag, closed) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
        let (name, mut list) = tag.split_once(' ').unwrap_or((tag, ""));
        let mut attributes = Vec::new();
        while let Some((key, behind)) = list.trim_start().split_once("=\"") {
            let (value, behind) = behind.split_once('"').expect("the end of a value");
            check_text(value);
            attributes.push((key.to_owned(), value.to_owned()));
            list = behind;
        }
        assert_eq!(list.trim(), "");
        all.push((open.len(), name.to_owned(), attributes));
        if !closed {
            open.push(name.to_owned());
        }
    }
    assert!(open.is_empty() && rest.trim().is_empty());
    all
}

/// Text between tags and in values: entities that XML knows, and no character that it does not allow.
fn check_text(text: &str) {
    for (at, c) in text.char_indices() {
        assert!(!matches!(c, '<' | '>') && (!c.is_control() || matches!(c, '\n' | '\t')), "{c:?} in {text:?}");
        let entity = ["&amp;", "&lt;", "&gt;", "&quot;", "&#39;"].iter().any(|e| text[at..].starts_with(e));
        assert!(c != '&' || entity, "{text:?}");
    }
}

fn value(attributes: &[(String, String)], key: &str) -> String {
    attributes.iter().find(|a| a.0 == key).map(|a| a.1.clone()).unwrap_or_else(|| panic!("no {key} in {attributes:?}"))
}

#[test]
fn junit_is_well_formed_and_counts_right() {
    let scratch = Scratch::new("junit");
    let mut lines = run(&names(2));
    // A row that no case of ran, and texts that are no XML.
    lines[4] = unit("alu/gfx1100-w32/0001", ENGINES[0], &[result("alu/gfx1100-w32/0001", 0, "unsupported")]);
    lines[4]["rows"] = json!({"<v_sin_f32 & \"co\u{1}\">": {"unsupported": 1}});
    lines[4]["results"][0]["row"] = json!("<v_sin_f32 & \"co\u{1}\">");
    let (journal, out) = (scratch.put("run.jsonl", &lines), scratch.path("run.xml"));
    assert_eq!(ran(&["report", "junit", &journal, "-o", &out]).0, 0);
    let all = elements(&scratch.read("run.xml"));
    let of = |name: &str| all.iter().filter(|e| e.1 == name).count();
    assert_eq!((all[0].0, all[0].1.as_str(), of("testsuites"), of("testsuite")), (0, "testsuites", 1, 8));
    // v_add_f32 and v_sin_f32 of four targets on two engines, and the one with the odd name.
    assert_eq!((of("testcase"), of("failure"), of("error"), of("skipped")), (17, 0, 2, 1));
    let sum = &all[0].2;
    for (key, n) in [("tests", "17"), ("failures", "0"), ("errors", "2"), ("skipped", "1"), ("time", "2.500")] {
        assert_eq!(value(sum, key), n, "{key}");
    }
    let error = all.iter().find(|e| e.1 == "error").expect("an error");
    assert_eq!(value(&error.2, "message"), "2 of 18 cases: fail, crash");
    // Each suite counts its own.
    let mut suites = all.split(|e| e.1 == "testsuite").skip(1);
    let heads = all.iter().filter(|e| e.1 == "testsuite");
    for (head, inside) in heads.zip(&mut suites) {
        let count = |name: &str| inside.iter().filter(|e| e.1 == name).count().to_string();
        for (key, element) in
            [("tests", "testcase"), ("failures", "failure"), ("errors", "error"), ("skipped", "skipped")]
        {
            assert_eq!(value(&head.2, key), count(element), "{key} of {}", value(&head.2, "name"));
        }
    }
}

/// A suite has the engine on which it ran, the driver of that engine and of no other one, and the run.
#[test]
fn suites_say_on_what_they_ran() {
    let scratch = Scratch::new("properties");
    let driver = "llvmpipe Mesa 22.3.6 (LLVM 15.0.6)";
    let mut lines = run(&names(1));
    lines[0]["engines"][1]["driver"] = json!(driver);
    let (journal, out) = (scratch.put("run.jsonl", &lines), scratch.path("run.xml"));
    assert_eq!(ran(&["report", "junit", &journal, "-o", &out]).0, 0);
    let all = elements(&scratch.read("run.xml"));
    let heads = all.iter().filter(|e| e.1 == "testsuite");
    let mut seen = [0; ENGINES.len()];
    for (head, inside) in heads.zip(all.split(|e| e.1 == "testsuite").skip(1)) {
        let name = value(&head.2, "name");
        let at = ENGINES.iter().position(|engine| name.ends_with(*engine)).expect("an engine");
        seen[at] += 1;
        let properties = inside.iter().filter(|e| e.1 == "property");
        let said: Vec<(String, String)> = properties.map(|e| (value(&e.2, "name"), value(&e.2, "value"))).collect();
        let mut expected = vec![("engine", ENGINES[at]), ("driver", driver), ("wavediff", "0.1.0")];
        expected.extend([("plan", "0123456789abcdef"), ("seed", "7")]);
        // Nothing is said of the driver of a recording that names none.
        expected.retain(|(key, _)| at == 0 || *key != "driver");
        let said: Vec<(&str, &str)> = said.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
        assert_eq!(said, expected, "{name}");
    }
    assert_eq!(seen, [4, 4]);
}
