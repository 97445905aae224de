//! Lines of results, and what is equal.

use crate::Missing;
use libtest_mimic::Failed;
use serde_json::Value;
use std::collections::BTreeMap;

/// How a program ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Line {
    /// With words, and how far they may be from others.
    Words(Vec<u32>, Option<Bound>),
    /// Not at all: a feature is missing.
    Skipped(String),
    /// With a call that failed, or a law that does not hold.
    Failed(String),
}

/// How far results may be apart.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    rule: String,
    ty: String,
    far: f64,
}

/// Programs by name.
pub type Lines = BTreeMap<String, Line>;

/// How many programs are spoken of where more fail.
const SHOWN: usize = 8;

/// Reads what the programs printed.
pub fn read(text: &str) -> Result<Lines, String> {
    let mut lines = Lines::new();
    for text in text.lines() {
        let value: Value = serde_json::from_str(text).map_err(|e| format!("`{text}` is no line of results: {e}"))?;
        let name = value["name"].as_str().ok_or("a line without a name")?.to_owned();
        let line = match (&value["words"], &value["skipped"], &value["failed"]) {
            (Value::Array(words), ..) => {
                let word =
                    |word: &Value| u32::from_str_radix(word.as_str().unwrap_or("?"), 16).map_err(|e| e.to_string());
                let words = words.iter().map(word).collect::<Result<_, String>>()?;
                Line::Words(words, bound(&value["bound"]))
            }
            (_, Value::String(feature), _) => Line::Skipped(feature.clone()),
            (_, _, Value::String(why)) => Line::Failed(why.clone()),
            _ => return Err(format!("{name} has no result")),
        };
        if lines.insert(name.clone(), line).is_some() {
            return Err(format!("{name} is there twice"));
        }
    }
    Ok(lines)
}

fn bound(value: &Value) -> Option<Bound> {
    let text = |n: usize| value[n].as_str().map(str::to_owned);
    Some(Bound { rule: text(0)?, ty: text(1)?, far: value[2].as_f64()? })
}

/// The programs that may be skipped, and what they say then.
pub fn lacking<'m>(missing: &[&'m Missing]) -> BTreeMap<&'m str, String> {
    let of =
        |(feature, names): &&'m Missing| names.iter().map(move |name| (*name, format!("feature {feature} missing")));
    missing.iter().flat_map(of).collect()
}

/// Whether exactly those programs are skipped that may be, for the reason that is known.
pub fn skipped(lines: &Lines, missing: &[&Missing]) -> Result<(), Failed> {
    let known = lacking(missing);
    let mut wrong = Vec::new();
    for (name, line) in lines {
        match (line, known.get(name.as_str())) {
            (Line::Skipped(why), Some(expected)) if why == expected => {}
            (Line::Skipped(why), _) => wrong.push(format!("{name} is skipped: {why}")),
            (_, Some(expected)) => wrong.push(format!("{name} runs, and was to be skipped: {expected}")),
            _ => {}
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
}

/// Whether programs are skipped for a feature only that is known to be missing.
pub fn lacks_only(lines: &Lines, missing: &[&Missing]) -> Result<(), Failed> {
    let known: Vec<String> = missing.iter().map(|(feature, _)| format!("feature {feature} missing")).collect();
    let wrong = lines.iter().find(|(_, line)| matches!(line, Line::Skipped(why) if !known.contains(why)));
    wrong.map_or(Ok(()), |(name, line)| Err(format!("{name}: {line:?}").into()))
}

/// Whether results are equal, as far as each program says.
pub fn compare(got: &Lines, want: &Lines) -> Result<(), Failed> {
    let mut wrong = Vec::new();
    for (name, want) in want {
        let problem = match (got.get(name), want) {
            (None, _) => Some("there is no result: the process ended before".to_owned()),
            (Some(Line::Skipped(_)), _) => None,
            (Some(Line::Failed(why)), _) => Some(why.clone()),
            (Some(Line::Words(..)), Line::Skipped(_)) => None,
            (_, Line::Failed(why)) => Some(format!("lavapipe itself fails: {why}")),
            (Some(Line::Words(got, _)), Line::Words(want, bound)) => difference(got, want, bound.as_ref()),
        };
        wrong.extend(problem.map(|problem| format!("{name}: {problem}")));
    }
    if wrong.is_empty() {
        return Ok(());
    }
    Err(format!("{} programs of {}\n{}", wrong.len(), want.len(), wrong[..wrong.len().min(SHOWN)].join("\n")).into())
}

/// The first difference.
fn difference(got: &[u32], want: &[u32], bound: Option<&Bound>) -> Option<String> {
    if got.len() != want.len() {
        return Some(format!("{} words, and lavapipe has {}", got.len(), want.len()));
    }
    let wrong: Vec<usize> = (0..got.len()).filter(|n| !near(got[*n], want[*n], bound)).collect();
    let first = *wrong.first()?;
    let floats = bound.map(|b| format!(" ({} and {}; {} {} is allowed)", f(got[first]), f(want[first]), b.rule, b.far));
    let words =
        format!("word {first} is {:08x}, and lavapipe's {:08x}{}", got[first], want[first], floats.unwrap_or_default());
    Some(format!("{words}; {} of {} words differ", wrong.len(), got.len()))
}

fn f(word: u32) -> f32 {
    f32::from_bits(word)
}

/// Whether words are near enough. Bounds are those of `f32`, the one type that has any.
fn near(got: u32, want: u32, bound: Option<&Bound>) -> bool {
    let Some(bound) = bound else { return got == want };
    assert_eq!(bound.ty, "f32");
    if got == want {
        return true;
    }
    match bound.rule.as_str() {
        "within" => f64::from((f(got) - f(want)).abs()) <= bound.far,
        "ulp" => f64::from(ordered(got).abs_diff(ordered(want))) <= bound.far,
        other => panic!("`{other}` is no bound"),
    }
}

/// Floats as numbers in their order.
fn ordered(word: u32) -> i32 {
    if word >> 31 == 0 { word as i32 } else { i32::MIN.wrapping_sub(word as i32) }
}

/// Planted mistakes: a wrong word, one beyond its bound, a program that is not there, fails, or is skipped.
pub fn differences_are_noticed() -> Result<(), Failed> {
    let plain = Line::Words(vec![1, 2, 3], None);
    let bound = Bound { rule: "ulp".to_owned(), ty: "f32".to_owned(), far: 2.0 };
    let floats = |word| Line::Words(vec![word], Some(bound.clone()));
    let lines = |a: Line, b: Line| Lines::from([("a".to_owned(), a), ("b".to_owned(), b)]);
    let want = lines(plain.clone(), floats(0x3f80_0000));
    compare(&want, &want)?;
    compare(&lines(plain.clone(), floats(0x3f80_0002)), &want)?;
    let mistakes = [
        (
            lines(Line::Words(vec![1, 2, 4], None), floats(0x3f80_0000)),
            "a: word 2 is 00000004, and lavapipe's 00000003",
        ),
        (lines(Line::Words(vec![1, 2], None), floats(0x3f80_0000)), "a: 2 words"),
        (lines(plain.clone(), floats(0x3f80_0003)), "b: word 0 is 3f800003"),
        (lines(Line::Failed("a call".to_owned()), floats(0x3f80_0000)), "a: a call"),
        (Lines::from([("b".to_owned(), floats(0x3f80_0000))]), "a: there is no result"),
    ];
    for (got, expected) in mistakes {
        match compare(&got, &want) {
            Err(failed) if failed.message().is_some_and(|m| m.contains(expected)) => {}
            other => return Err(format!("`{expected}` is not noticed: {other:?}").into()),
        }
    }
    let lost = lines(Line::Skipped("feature x missing".to_owned()), floats(0));
    if skipped(&lost, &[]).is_ok() || skipped(&want, &[&("x", &["a"])]).is_ok() {
        return Err("programs that are skipped, or not, are not noticed".into());
    }
    skipped(&lost, &[&("x", &["a"])])
}
