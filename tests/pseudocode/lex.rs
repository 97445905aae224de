//! Text to tokens. The copy of the text has lost its line ends, so a comment ends where a statement can begin: at a keyword that is not
//! followed by prose, at an assignment, or at the next comment.

/// A token. Numbers keep their spelling: the parser knows the width before them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    Word(String),
    Number(String),
    Text(String),
    Mark(&'static str),
}

const MARKS: [&str; 37] = [
    "<<", ">>", "<=", ">=", "<>", "==", "!=", "&&", "||", "**", "+=", "-=", "|=", "&=", "(", ")", "[", "]", "{", "}",
    ".", ",", ":", ";", "?", "'", "=", "<", ">", "+", "-", "*", "/", "%", "&", "|", "^",
];

/// The tokens of a text.
pub fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let mut out = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let Some(first) = rest.chars().next() else { return Ok(out) };
        if let Some(comment) = rest.strip_prefix("//") {
            rest = &comment[comment_length(comment)..];
        } else if first.is_ascii_alphabetic() || first == '_' {
            let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
            out.push(Token::Word(rest[..end].to_owned()));
            rest = &rest[end..];
        } else if first.is_ascii_digit() {
            let end = number_length(rest);
            out.push(Token::Number(rest[..end].to_owned()));
            rest = &rest[end..];
        } else if let Some(quoted) = rest.strip_prefix('"') {
            let end = quoted.find('"').ok_or("a string without end")?;
            out.push(Token::Text(quoted[..end].to_owned()));
            rest = &quoted[end + 1..];
        } else if let Some(mark) = MARKS.iter().chain(&["~", "!"]).find(|m| rest.starts_with(**m)) {
            out.push(Token::Mark(mark));
            rest = &rest[mark.len()..];
        } else {
            return Err(format!("no token begins with {first:?}"));
        }
    }
}

/// `0xffULL`, `2.0F`, `31`, `1U`; the dot belongs to the number only before a digit.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 0;
    let hex = text.starts_with("0x");
    if hex {
        at = 2;
    }
    while at < bytes.len() {
        let c = bytes[at];
        let point = !hex && c == b'.' && bytes.get(at + 1).is_some_and(u8::is_ascii_digit);
        if !(c.is_ascii_alphanumeric() || point) {
            break;
        }
        at += 1;
    }
    at
}

/// How many bytes of the text after `//` are prose.
fn comment_length(text: &str) -> usize {
    let starts = text.char_indices().filter(|&(at, c)| {
        let before = text[..at].chars().next_back();
        (c.is_ascii_alphabetic() || c == '{' || c == '/')
            && before.is_none_or(|b| !(b.is_ascii_alphanumeric() || b == '_' || b == '.' || b == '('))
    });
    for (at, _) in starts {
        if statement_begins(&text[at..]) {
            return at;
        }
    }
    text.len()
}

/// Whether code begins here, and not another word of prose.
fn statement_begins(text: &str) -> bool {
    if text.starts_with("//") {
        return true;
    }
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    let next = rest.trim_start().split([' ', '.', '[', '(']).next().unwrap_or("");
    let prose = next.len() > 1 && next.chars().all(|c| c.is_ascii_lowercase());
    match word {
        "endif" | "endfor" | "else" | "elsif" | "break" | "declare" => true,
        // "if no ones are found" is prose, "if isNAN(..)" is not.
        "if" => !prose || !rest.trim_start()[next.len()..].starts_with(' '),
        "for" => rest.trim_start()[next.len()..].starts_with(" in "),
        "v_nop" => true,
        _ => assignment_begins(text),
    }
}

/// `target[..].type = value`, where neither the target nor the value is prose.
fn assignment_begins(text: &str) -> bool {
    let Some(at) = text.find(" = ").into_iter().chain(text.find(" += ")).min() else { return false };
    let target = &text[..at];
    let value = text[at..].trim_start_matches([' ', '+', '=']);
    let braces = target.starts_with('{') && target.ends_with('}');
    let mut depth = 0;
    let plain = target.chars().all(|c| {
        depth += i32::from(c == '[') - i32::from(c == ']');
        c.is_ascii_alphanumeric() || "_.[]".contains(c) || depth > 0
    });
    // `x = 0.0` explains, `S0.f = x` names a coordinate, `D0 = VCC in` is a sentence.
    let explains = target.len() == 1 && target.chars().all(|c| c.is_ascii_lowercase())
        || ["x ", "y ", "z ", "z", "cubemap", "2.0 * cubemap", "VCC in"]
            .iter()
            .any(|w| value == *w || w.len() > 1 && value.starts_with(w));
    (braces || plain) && !explains
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelled(text: &str) -> String {
        let word = |t: &Token| match t {
            Token::Word(w) | Token::Number(w) | Token::Text(w) => w.clone(),
            Token::Mark(m) => (*m).to_owned(),
        };
        tokens(text).expect("tokens").iter().map(word).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn comments_end_where_statements_begin() {
        assert_eq!(spelled("a = 1; // all is well if nobody asks for more. tmp = 2"), "a = 1 ; tmp = 2");
        assert_eq!(spelled("a = 1; // looks from below for i in 0 : 3 do x"), "a = 1 ; for i in 0 : 3 do x");
        assert_eq!(spelled("a = 1 // 0 * x = 0.0 b.f = 2.0F else"), "a = 1 b . f = 2.0F else");
        assert_eq!(spelled("a // one // two"), "a");
        assert_eq!(spelled("a // i'th bit endfor"), "a endfor");
    }
}
