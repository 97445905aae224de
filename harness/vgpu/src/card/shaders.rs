//! Shaders that were met before: taken apart and planned once.
//!
//! A driver puts new code where old code was, so that a shader is found by its address *and* its words: before each dispatch the
//! words in memory are compared with those that were planned. All rings of a card share what is kept; when it becomes too much
//! all of it goes, and what is still wanted comes back.

use crate::fault::planted;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use wavediff::emu::plan::{Bound, Plan};
use wavediff::isa::Target;
use wavediff::memory::guest::Memory;
use wavediff::program::Program;
use wavediff::program::reach::{ReachError, Reached};

/// The most words of one shader.
const MAX_WORDS: u32 = 1 << 20;
/// Words behind an entry that are taken apart where a jump goes where registers say.
const BEHIND_JUMPS: u32 = 1 << 16;
/// The most words of all shaders that are kept: a planned word takes some hundred bytes.
const KEPT_WORDS: usize = 1 << 20;

/// A shader that is ready.
pub struct Shader {
    /// The code.
    pub program: Program,
    bound: Arc<Bound>,
}

impl Shader {
    /// Its plan.
    #[must_use]
    pub fn plan(&self) -> Plan<'_> {
        Plan::again(&self.program, &self.bound)
    }

    fn new(target: Target, reached: &Reached, mode: u32) -> Shader {
        let program = reached.program(target).beginning_with(mode);
        let bound = Plan::new(&program).bound;
        Shader { program, bound }
    }

    /// Whether memory still holds its words.
    fn is_there(&self, memory: &Memory) -> bool {
        let mut view = memory.view();
        let mut piece = [0u32; 256];
        let mut at = self.program.base;
        self.program.words.chunks(piece.len()).all(|words| {
            let now = &mut piece[..words.len()];
            let same = view.fetch_words(at, now).is_ok() && now == words;
            at = at.wrapping_add(4 * words.len() as u64);
            same
        })
    }
}

/// What tells shaders apart, beside their words: where they begin, lanes of a wave, and MODE at the start.
type Key = (u64, u32, u32);

/// The shaders that are kept.
#[derive(Default)]
pub struct Shaders(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    shaders: HashMap<Key, Vec<Arc<Shader>>>,
    words: usize,
}

impl Shaders {
    /// The shader at an address, with waves of so many lanes that begin with a MODE.
    ///
    /// # Errors
    /// There is no code, or too much of it.
    pub fn find(&self, memory: &Memory, target: Target, entry: u64, mode: u32) -> Result<Arc<Shader>, ReachError> {
        let lanes = if target.wave32() { 32 } else { 64 };
        let lanes = if planted!(ShaderAnyLanes) { 0 } else { lanes };
        let key = (entry, lanes, mode);
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = lock().shaders.get(&key).cloned().unwrap_or_default();
        if let Some(shader) = found.iter().find(|shader| shader.is_there(memory) || planted!(ShaderStale)) {
            return Ok(shader.clone());
        }
        let mut view = memory.view();
        let mut fetch = |at: u64| {
            let mut word = [0];
            view.fetch_words(at, &mut word).ok().map(|()| word[0])
        };
        let mut reached = Reached::from(target, entry, MAX_WORDS, &mut fetch)?;
        if reached.computed {
            let there = reached.words.len() as u64;
            let more = (there..u64::from(BEHIND_JUMPS)).map_while(|n| fetch(reached.base.wrapping_add(4 * n)));
            reached.words.extend(more);
        }
        let shader = Arc::new(Shader::new(target, &reached, mode));
        let mut kept = lock();
        kept.words += reached.words.len();
        if kept.words > KEPT_WORDS {
            *kept = Kept { words: reached.words.len(), ..Kept::default() };
        }
        kept.shaders.entry(key).or_default().push(shader.clone());
        Ok(shader)
    }
}
