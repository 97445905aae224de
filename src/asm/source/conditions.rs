//! `.if` to `.endif`.
//!
//! Conditional directives are looked at even where statements are ignored, so that the ends are found.

use super::text::Spot;
use super::{Assembler, comma, end, quoted, symbol_name};
use crate::asm::cursor::Cursor;
use crate::asm::error::{AsmError, AsmResult};
use crate::asm::source::symbols::Def;

/// How deep conditionals may nest.
const MAX_OPEN: usize = 10_000;

/// One conditional which is open.
#[derive(Debug)]
struct Open {
    spot: Spot,
    /// Whether one of its branches was taken.
    met: bool,
    /// Whether this branch is left out.
    ignoring: bool,
    /// Whether all of it is left out.
    outside: bool,
    /// Whether `.else` was seen.
    last: bool,
}

/// The conditionals which are open.
#[derive(Debug, Default)]
pub(super) struct Conditions {
    open: Vec<Open>,
}

impl Conditions {
    /// Whether statements are left out.
    pub fn ignoring(&self) -> bool {
        self.open.last().is_some_and(|c| c.ignoring)
    }

    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// Forgets those which began inside an expansion that is left.
    pub fn truncate(&mut self, depth: usize) {
        self.open.truncate(depth);
    }

    /// Where those began which are still open.
    pub fn unfinished(&self) -> Vec<Spot> {
        self.open.iter().map(|c| c.spot.clone()).collect()
    }

    fn push(&mut self, spot: Spot, met: bool) {
        let outside = self.ignoring();
        self.open.push(Open { spot, met, ignoring: outside || !met, outside, last: false });
    }
}

impl Assembler<'_> {
    /// Handles a conditional directive; `false`: it is none.
    pub(super) fn condition(&mut self, name: &str, cur: &mut Cursor, start: usize) -> AsmResult<bool> {
        if !name[1..].starts_with(['i', 'I', 'e', 'E']) {
            return Ok(false);
        }
        let lower = name.to_ascii_lowercase();
        let at = start..start + name.len();
        match lower.as_str() {
            ".if" | ".ifeq" | ".ifne" | ".ifgt" | ".ifge" | ".iflt" | ".ifle" | ".ifdef" | ".ifndef" | ".ifnotdef"
            | ".ifb" | ".ifnb" | ".ifc" | ".ifnc" | ".ifeqs" | ".ifnes" => {
                if self.conditions.depth() >= MAX_OPEN {
                    return Err(AsmError::rule(at, "conditionals nest at most 10000 deep"));
                }
                let met = if self.conditions.ignoring() { Ok(false) } else { self.test(&lower, cur) };
                // After an error the branch is read as if it were meant, as LLVM does.
                self.conditions.push(self.spot.clone(), *met.as_ref().unwrap_or(&true));
                met?;
            }
            ".elseif" => {
                let value = match self.conditions.open.last() {
                    Some(c) if c.last => return Err(AsmError::rule(at, "`.elseif` behind `.else`")),
                    Some(c) => !c.outside && !c.met && self.number(cur).and_then(|v| end(cur).map(|()| v != 0))?,
                    None => return Err(AsmError::rule(at, "`.elseif` without `.if`")),
                };
                if let Some(c) = self.conditions.open.last_mut() {
                    c.ignoring = !value;
                    c.met |= value;
                }
            }
            ".else" => {
                end(cur)?;
                match self.conditions.open.last_mut() {
                    Some(c) if c.last => return Err(AsmError::rule(at, "a second `.else`")),
                    Some(c) => {
                        c.last = true;
                        c.ignoring = c.outside || c.met;
                    }
                    None => return Err(AsmError::rule(at, "`.else` without `.if`")),
                }
            }
            ".endif" => {
                end(cur)?;
                if self.conditions.open.pop().is_none() {
                    return Err(AsmError::rule(at, "`.endif` without `.if`"));
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn test(&self, name: &str, cur: &mut Cursor) -> AsmResult<bool> {
        let compare: fn(i64) -> bool = match name {
            ".ifdef" | ".ifndef" | ".ifnotdef" => {
                let symbol = symbol_name(cur)?;
                end(cur)?;
                let defined = self.symbols.find(symbol).is_some_and(|id| self.symbols.list[id].def != Def::Undefined);
                return Ok(defined == (name == ".ifdef"));
            }
            ".ifb" | ".ifnb" => return Ok(cur.at_end() == (name == ".ifb")),
            ".ifc" | ".ifnc" => {
                let start = cur.pos();
                let text = rest(cur);
                let Some((a, b)) = text.split_once(',') else {
                    return Err(AsmError::expected(start + text.len(), "`,` and a second text"));
                };
                return Ok((a.trim() == b.trim()) == (name == ".ifc"));
            }
            ".ifeqs" | ".ifnes" => {
                let a = quoted(cur)?;
                comma(cur)?;
                let b = quoted(cur)?;
                end(cur)?;
                return Ok((a == b) == (name == ".ifeqs"));
            }
            ".ifeq" => |v| v == 0,
            ".ifgt" => |v| v > 0,
            ".ifge" => |v| v >= 0,
            ".iflt" => |v| v < 0,
            ".ifle" => |v| v <= 0,
            _ => |v| v != 0,
        };
        let value = self.number(cur)?;
        end(cur)?;
        Ok(compare(value))
    }
}

/// What is left of the statement.
pub(super) fn rest<'a>(cur: &mut Cursor<'a>) -> &'a str {
    let text = cur.slice(cur.pos().min(cur.text().len()), cur.text().len());
    cur.set_pos(cur.text().len());
    text
}
