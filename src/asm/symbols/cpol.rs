//! Reads `glc`, `nosc1`, and what stands behind `th:` and `scope:`.
//!
//! The words may stand among other modifiers, so the instruction's parser collects them in a [`Policy`] and finishes it at
//! the end, when all is known.

use super::{need_ident, span};
use crate::asm::cursor::Cursor;
use crate::asm::error::{AsmError, AsmResult, Problem};
use crate::asm::near;
use crate::isa::arch::{Gen, Target, Variants};
use crate::isa::symbols::cpol::{
    ATOMIC_HINTS, ATOMIC_RETURN, Access, BYPASS, FLAGS, GLC, HINTS, SCOPE_SYS, SCOPES, Use, pack,
};

/// What has been read of a cache policy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Policy {
    /// The bits of the words that have been given without `no`.
    bits: u32,
    /// The bits of all words that have been given.
    seen: u32,
    /// The hint, for which access it was named, and whether by the name "bypass".
    hint: Option<(u32, Option<Access>, bool)>,
    /// The scope.
    scope: Option<u32>,
}

/// Whether a word, with or without `no` before it, is one of a cache policy, on any processor.
#[must_use]
pub fn is_word(name: &str) -> bool {
    let name = name.strip_prefix("no").unwrap_or(name);
    FLAGS.iter().any(|f| f.name == name)
}

impl Policy {
    /// Takes a word such as `glc` or `noslc`, if one is next.
    ///
    /// # Errors
    /// A word that the instruction or the processor does not have, or that came before.
    pub fn word(&mut self, cur: &mut Cursor<'_>, usage: Use, target: &Target) -> AsmResult<bool> {
        let name = cur.peek_ident();
        if !is_word(name) {
            return Ok(false);
        }
        let start = cur.pos();
        cur.bump(name.len());
        let (short, off) = name.strip_prefix("no").map_or((name, false), |short| (short, true));
        let mut on = Variants::empty();
        for flag in FLAGS.iter().filter(|f| f.name == short) {
            // A word that is taken away need not be one that the instruction could have: LLVM takes `noslc` of a scalar load.
            let here = if off && usage.scalar { flag.scalar | flag.vector } else { flag.on(usage) };
            on |= here;
            if target.is(here) {
                if self.seen & flag.bit != 0 {
                    return Err(AsmError::rule(span(start, cur), "a cache policy may be given once"));
                }
                self.seen |= flag.bit;
                self.bits |= if off { 0 } else { flag.bit };
                return Ok(true);
            }
        }
        if on.is_empty() {
            let rule = "this instruction does not have this cache policy";
            return Err(AsmError::new(span(start, cur), Problem::Named { rule, name: name.to_owned() }));
        }
        Err(near::elsewhere(span(start, cur), "cache policy", name, on))
    }

    /// Whether `glc` or `sc0` has been given.
    #[must_use]
    pub fn has_glc(&self) -> bool {
        self.bits & GLC != 0
    }

    /// Takes the hint behind `th:`.
    ///
    /// # Errors
    /// A hint that is unknown, came before, or is not of the processor.
    pub fn hint(&mut self, cur: &mut Cursor<'_>, target: &Target) -> AsmResult<()> {
        let (name, start) = need_ident(cur, "a temporal hint")?;
        let place = span(start, cur);
        only_gfx12(&place, target)?;
        let found = if name == "TH_DEFAULT" {
            Some((0, None, false))
        } else if let Some(short) = name.strip_prefix("TH_ATOMIC_") {
            ATOMIC_HINTS.iter().find(|h| h.0 == short).map(|h| (h.1, Some(Access::Atomic), false))
        } else if let Some(short) = name.strip_prefix("TH_LOAD_") {
            HINTS.iter().find(|h| h.load && h.name == short).map(|h| (h.value, Some(Access::Load), short == "BYPASS"))
        } else if let Some(short) = name.strip_prefix("TH_STORE_") {
            HINTS.iter().find(|h| h.store && h.name == short).map(|h| (h.value, Some(Access::Store), short == "BYPASS"))
        } else {
            None
        };
        if found.is_none() {
            return Err(unknown_hint(place, name));
        }
        if self.hint.is_some() {
            return Err(AsmError::rule(place, "a temporal hint may be given once"));
        }
        self.hint = found;
        Ok(())
    }

    /// Takes the scope behind `scope:`.
    ///
    /// # Errors
    /// A scope that is unknown, came before, or is not of the processor.
    pub fn scope(&mut self, cur: &mut Cursor<'_>, target: &Target) -> AsmResult<()> {
        let (name, start) = need_ident(cur, "a scope")?;
        let place = span(start, cur);
        only_gfx12(&place, target)?;
        let Some(scope) = SCOPES.iter().position(|&s| s == name) else {
            return Err(near::unknown(place, "scope", name, SCOPES));
        };
        if self.scope.replace(scope as u32).is_some() {
            return Err(AsmError::rule(place, "a scope may be given once"));
        }
        Ok(())
    }

    /// The bits of the policy, if the instruction may have it. The span is for the error: of the instruction, or of the words.
    ///
    /// # Errors
    /// A hint for other accesses, a hint that does not go with the scope, an atomic that does not say what it is.
    pub fn finish(&self, usage: Use, place: std::ops::Range<usize>, target: &Target) -> AsmResult<u32> {
        let rule = |rule| Err(AsmError::rule(place.clone(), rule));
        if target.generation() != Gen::Gfx12 {
            if usage.access == Access::Atomic && !usage.image {
                let new_name = target.is(Variants::G940) && !usage.scalar;
                match (usage.returns, self.bits & GLC != 0) {
                    (true, false) if new_name => return rule("this instruction must have sc0"),
                    (true, false) => return rule("this instruction must have glc"),
                    (false, true) if new_name => return rule("this instruction must not have sc0"),
                    (false, true) => return rule("this instruction must not have glc"),
                    _ => {}
                }
            }
            return Ok(self.bits);
        }
        let (hint, named, bypass) = self.hint.unwrap_or((0, None, false));
        let scope = self.scope.unwrap_or(0);
        if usage.access == Access::Atomic && usage.returns && !usage.image && hint & ATOMIC_RETURN == 0 {
            return rule("this instruction must have th:TH_ATOMIC_RETURN");
        }
        if hint == 0 {
            return Ok(pack(hint, scope));
        }
        if usage.scalar && matches!(hint, 4..=6) {
            return rule("scalar memory instructions do not have this temporal hint");
        }
        if hint == BYPASS && bypass != (scope == SCOPE_SYS) {
            return rule("this temporal hint does not go with this scope");
        }
        match (usage.access, named) {
            (access, Some(named)) if access == named => Ok(pack(hint, scope)),
            (Access::Load, _) => rule("a load takes the hints TH_LOAD_"),
            (Access::Store, _) => rule("a store takes the hints TH_STORE_"),
            (Access::Atomic, _) => rule("an atomic takes the hints TH_ATOMIC_"),
        }
    }
}

fn only_gfx12(place: &std::ops::Range<usize>, target: &Target) -> AsmResult<()> {
    if target.generation() == Gen::Gfx12 {
        return Ok(());
    }
    Err(AsmError::rule(place.clone(), "temporal hints and scopes exist on gfx12"))
}

fn unknown_hint(place: std::ops::Range<usize>, name: &str) -> AsmError {
    let near = ["TH_ATOMIC_", "TH_LOAD_", "TH_STORE_"].into_iter().find_map(|prefix| {
        let short = name.strip_prefix(prefix)?;
        let best = match prefix {
            "TH_ATOMIC_" => near::near_miss(short, ATOMIC_HINTS.iter().map(|h| h.0)),
            "TH_LOAD_" => near::near_miss(short, HINTS.iter().filter(|h| h.load).map(|h| h.name)),
            _ => near::near_miss(short, HINTS.iter().filter(|h| h.store).map(|h| h.name)),
        };
        best.map(|n| format!("did you mean `{prefix}{n}`?"))
    });
    AsmError::new(place, Problem::UnknownName { what: "temporal hint", name: name.to_owned(), near })
}
