//! Numbers, times and dates as people read them, and text that is safe in HTML and XML.

use std::fmt::Write as _;
use std::ops::RangeBounds;

/// `1,234,567`
pub fn number(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// `12 units`, `1 unit`
pub fn counted(n: u64, what: &str) -> String {
    format!("{} {what}{}", number(n), if n == 1 { "" } else { "s" })
}

/// `850 ms`, `3.42 s`, `12 min 5 s`, `3 h 20 min`
pub fn seconds(s: f64) -> String {
    let whole = s.max(0.0).round() as u64;
    match s {
        s if !s.is_finite() || s <= 0.0 => "0 s".to_owned(),
        s if s < 0.0095 => format!("{:.1} ms", s * 1e3),
        s if s < 0.9995 => format!("{:.0} ms", s * 1e3),
        s if s < 9.995 => format!("{s:.2} s"),
        s if s < 99.95 => format!("{s:.1} s"),
        _ if whole < 3600 => format!("{} min {} s", whole / 60, whole % 60),
        _ => format!("{} h {} min", whole / 3600, whole / 60 % 60),
    }
}

/// Seconds since 1970 as a year, a month, a day, and the seconds of the day.
fn date(seconds: u64) -> (u64, u64, u64, u64) {
    let days = seconds / 86_400;
    // Years begin in March here, so that the day that comes and goes is their last.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let (of_month, month) = (day - (153 * month + 2) / 5 + 1, if month < 10 { month + 3 } else { month - 9 });
    (era * 400 + year + u64::from(month <= 2), month, of_month, seconds % 86_400)
}

/// `2026-11-22 01:33:47 UTC`
pub fn when(seconds: u64) -> String {
    let (year, month, day, s) = date(seconds);
    format!("{year}-{month:02}-{day:02} {:02}:{:02}:{:02} UTC", s / 3600, s / 60 % 60, s % 60)
}

/// `2026-11-22T01:33:47Z`
pub fn timestamp(seconds: u64) -> String {
    let (year, month, day, s) = date(seconds);
    format!("{year}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", s / 3600, s / 60 % 60, s % 60)
}

/// Text for HTML and XML, inside of elements and of quoted attributes. What neither can hold becomes a replacement character.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' | '\n' => out.push(c),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// JSON as the text of a `<script>` element: nothing in it can end the element, or begin a comment.
pub fn script(json: &str) -> String {
    json.replace('<', "\\u003c").replace('>', "\\u003e").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

/// A word of a command line as a shell wants it.
pub fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:,=+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// A command line.
pub fn command(words: &[String]) -> String {
    words.iter().map(|w| quote(w)).collect::<Vec<_>>().join(" ")
}

/// Rows of cells under a heading, as wide as they need; columns of numbers, which `right` has, stand to the right. `paint` sees each cell once it is as wide as its column.
pub fn table(
    heading: &[&str],
    right: impl RangeBounds<usize>,
    rows: &[Vec<String>],
    mut paint: impl FnMut(usize, usize, String) -> String,
) -> String {
    let width = |i: usize| {
        let cells = rows.iter().filter_map(|row| row.get(i)).map(|cell| cell.chars().count());
        cells.chain([heading[i].chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..heading.len()).map(width).collect();
    let mut out = String::new();
    let head: Vec<String> = heading.iter().map(|h| (*h).to_owned()).collect();
    for (n, row) in std::iter::once(&head).chain(rows).enumerate() {
        let mut line = String::new();
        for (i, (cell, width)) in row.iter().zip(&widths).enumerate() {
            let last = i + 1 == row.len();
            let wide = if right.contains(&i) {
                format!("{cell:>width$}")
            } else if last {
                cell.clone()
            } else {
                format!("{cell:width$}")
            };
            let _ = write!(line, "{}{}", paint(n, i, wide), if last { "" } else { "  " });
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_times() {
        let numbers = [0, 999, 1000, 1_234_567].map(number);
        assert_eq!(numbers, ["0", "999", "1,000", "1,234,567"]);
        let times = [0.0, 0.0012, 0.25, 3.419, 42.0, 125.4, 7265.0, f64::NAN].map(seconds);
        assert_eq!(times, ["0 s", "1.2 ms", "250 ms", "3.42 s", "42.0 s", "2 min 5 s", "2 h 1 min", "0 s"]);
    }

    /// As `date -u -d @N` says.
    #[test]
    fn dates() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (951_868_800, "2000-03-01T00:00:00Z"),
            (1_709_164_799, "2024-02-28T23:59:59Z"),
            (1_735_689_599, "2024-12-31T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(timestamp(seconds), text);
        }
    }

    #[test]
    fn commands_can_be_pasted() {
        let words = ["wavediff", "run", "my case.s", "it's", ""].map(str::to_owned);
        assert_eq!(command(&words), r"wavediff run 'my case.s' 'it'\''s' ''");
    }

    #[test]
    fn nothing_ends_a_script() {
        let text = script(&serde_json::to_string("</script><!-- \u{2028}").expect("json"));
        assert!(!text.contains(['<', '>', '\u{2028}']), "{text}");
        assert_eq!(serde_json::from_str::<String>(&text).expect("json"), "</script><!-- \u{2028}");
    }

    #[test]
    fn columns_align() {
        let rows = vec![vec!["alu".to_owned(), "5".to_owned()], vec!["control".to_owned(), "1,234".to_owned()]];
        assert_eq!(
            table(&["suite", "cases"], 1.., &rows, |_, _, cell| cell),
            "suite    cases\nalu          5\ncontrol  1,234\n"
        );
    }
}
