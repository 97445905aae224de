//! The body of a case as lines, of which those that are code may go.

use crate::bisect::is_code;

/// A line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// What stands there, without comments and white space around it.
    pub text: String,
    /// Whether it is an instruction. Others are labels and directives.
    pub code: bool,
}

/// Reads a body: labels get lines of their own, comments go. Definitions of macros and repeated text stay in one piece, as lines that are no code.
#[must_use]
pub fn parse(body: &str) -> Vec<Line> {
    let mut all = Vec::new();
    let mut depth = 0u32;
    for line in body.lines() {
        let mut bare = without_comment(line).trim();
        let word = bare.split_whitespace().next().unwrap_or("");
        let opens = matches!(word, ".macro" | ".rept" | ".irp" | ".irpc");
        let closes = matches!(word, ".endm" | ".endr" | ".endmacro");
        if depth > 0 || opens {
            all.push(Line { text: bare.to_owned(), code: false });
            depth = (depth + u32::from(opens)).saturating_sub(u32::from(closes));
            continue;
        }
        while let Some((label, rest)) = label(bare) {
            all.push(Line { text: label.to_owned(), code: false });
            bare = rest.trim();
        }
        if !bare.is_empty() {
            all.push(Line { text: bare.to_owned(), code: is_code(bare) && !bare.contains(" = ") });
        }
    }
    all
}

/// Lines as a body.
#[must_use]
pub fn print(lines: &[Line]) -> String {
    lines.iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join("\n")
}

/// A label with its colon, and what stands behind it.
fn label(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.' | '$')))?;
    let rest = text[end..].strip_prefix(':')?;
    (end > 0).then_some((&text[..=end], rest))
}

fn without_comment(line: &str) -> &str {
    if line.contains('"') {
        return line;
    }
    let end = [line.find(';'), line.find("//")].into_iter().flatten().min();
    &line[..end.unwrap_or(line.len())]
}

#[cfg(test)]
mod tests {
    use super::{parse, print};

    #[test]
    fn lines_and_labels() {
        let lines = parse(
            "a: b: s_nop 0 ; text\n\n\t.set x, 1\n// text\nv_mov_b32 v0, s[0:1] // text\n.rept 2\ns_nop 1\n.endr\n",
        );
        let shown: Vec<(&str, bool)> = lines.iter().map(|l| (l.text.as_str(), l.code)).collect();
        let expected = [
            ("a:", false),
            ("b:", false),
            ("s_nop 0", true),
            (".set x, 1", false),
            ("v_mov_b32 v0, s[0:1]", true),
            (".rept 2", false),
            ("s_nop 1", false),
            (".endr", false),
        ];
        assert_eq!(shown, expected);
        assert_eq!(parse(&print(&lines)), lines);
    }
}
