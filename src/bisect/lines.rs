//! From places in a program to lines of the file.
//!
//! The assembler keeps no lines, so it is asked: every line of code gets a label, and labels have addresses. Where that fails, which lines inside of
//! repeated text may make it do, there are none.

use crate::case::Case;
use crate::isa::Target;

/// A line of code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Where its code begins, in bytes from the start of the text.
    pub pc: u64,
    /// The line of the file, from 1.
    pub number: u32,
    /// What stands there, without white space around it.
    pub text: String,
}

/// How labels are called.
const LABEL: &str = ".Lline.";

/// Whether a line without white space around it is an instruction: in words, or as the words that it is.
#[must_use]
pub fn is_code(line: &str) -> bool {
    !line.is_empty() && (!line.starts_with(['.', ';', '/', '#']) || line.starts_with(".long "))
}

/// The lines of a case that are code, by their places.
#[must_use]
pub fn lines(case: &Case, target: Target) -> Vec<Line> {
    let mut labelled = case.clone();
    labelled.body.text.clear();
    let mut depth = 0u32;
    let texts: Vec<&str> = case.body.text.lines().collect();
    for (line, n) in texts.iter().zip(0..) {
        let bare = line.trim();
        let opens = [".macro", ".rept", ".irp", ".irpc"].iter().any(|d| bare.split_whitespace().next() == Some(d));
        let closes = [".endm", ".endr", ".endmacro"].iter().any(|d| bare.split_whitespace().next() == Some(d));
        if depth == 0 && is_code(bare) {
            labelled.body.text.push_str(&format!("{LABEL}{n}:\n"));
        }
        depth = (depth + u32::from(opens)).saturating_sub(u32::from(closes));
        labelled.body.text.push_str(line);
        labelled.body.text.push('\n');
    }
    let Ok(program) = labelled.program(target) else { return Vec::new() };
    let line = |name: &str, pc: u64| {
        let n: u32 = name.strip_prefix(LABEL)?.parse().ok()?;
        let text = texts.get(n as usize).map_or("", |text| text.trim()).to_owned();
        Some(Line { pc, number: case.body.line + n, text })
    };
    let mut all: Vec<Line> = program.labels.iter().filter_map(|(name, pc)| line(name, *pc)).collect();
    all.sort_by_key(|line| (line.pc, line.number));
    all
}

#[cfg(test)]
mod tests {
    use super::lines;
    use crate::case::Case;
    use crate::isa::{Arch, Target};

    #[test]
    fn lines_of_code_have_places() {
        let text = "; isa: gfx900\n\n\ts_mov_b32 s0, 0x12345 ; eight bytes\nagain:\n\ts_sub_u32 s0, s0, 1\n\ts_cbranch_scc0 again\n";
        let case = Case::parse(text, "a.s").expect("a case");
        let found = lines(&case, Target::new(Arch::find("gfx900").expect("a processor")));
        let places: Vec<(u64, u32)> = found.iter().map(|l| (l.pc, l.number)).collect();
        assert_eq!(places, [(0, 3), (8, 4), (8, 5), (12, 6)]);
        assert_eq!(found[2].text, "s_sub_u32 s0, s0, 1");
    }
}
