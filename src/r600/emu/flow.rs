//! The state of the pixels and the stack.
//!
//! A pixel is active, or inactive by a branch, by a continue or by a break; and it is valid until it is killed. The four states are three
//! masks here: what is in none of them is inactive by a branch. Continue and break belong to the innermost loop and survive pops inside of
//! it: a pop restores only active and inactive-branch. That is what compilers count on; the manual (3.6.2) has pops overwrite the state.
//!
//! The stack holds three kinds of entries: states of pixels (a push), loops, and calls. Instructions that leave a loop pop what was pushed
//! inside of it.

use super::Fault;
use super::mistakes::Mistake;

/// Which pixels a condition test starts from: the fields WHOLE_QUAD_MODE and VALID_PIXEL_MODE.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Mode {
    /// Those that are active.
    #[default]
    Normal,
    /// All of quads in which one is active.
    WholeQuad,
    /// Those that are active and valid.
    Valid,
}

impl Mode {
    /// By the two bits; of both, the whole quad.
    #[must_use]
    pub fn new(whole_quad: bool, valid: bool) -> Mode {
        match (whole_quad, valid) {
            (true, _) => Mode::WholeQuad,
            (false, true) => Mode::Valid,
            (false, false) => Mode::Normal,
        }
    }

    /// The pixels, of those that are active.
    #[must_use]
    pub fn of(self, active: u64, valid: u64, lanes: u64) -> u64 {
        match self {
            Mode::Normal => active,
            Mode::WholeQuad => whole_quads(active) & lanes,
            Mode::Valid => active & valid,
        }
    }
}

/// All pixels of the quads of which one is in the mask: four lanes each.
#[must_use]
pub fn whole_quads(mask: u64) -> u64 {
    let any = mask | mask >> 1 | mask >> 2 | mask >> 3;
    (any & 0x1111_1111_1111_1111) * 15
}

/// A loop that runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Loop {
    /// The pixels that were active before, and those of the loop around that had left it or its iteration.
    outer: (u64, u64, u64),
    /// Those that entered.
    entered: u64,
    /// Iterations to come with this one; none of loops without a count.
    count: Option<u32>,
    /// What is added to the index behind an iteration.
    step: i32,
    /// The index of the loop around; none where the index is left alone.
    index: Option<i32>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Entry {
    Pixels(u64),
    Loop(Loop),
    Call { back: u32, active: u64, depth: u32, fetch: bool },
}

/// What a loop begins with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Trip {
    /// How often; none of loops without a count.
    pub count: Option<u32>,
    /// The first index; none where the index is left alone.
    pub index: Option<i32>,
    /// What is added to it.
    pub step: i32,
}

/// Most levels of calls.
const MAX_DEPTH: u32 = 32;

/// The state of the pixels and the stack.
#[derive(Clone, Debug)]
pub struct Flow {
    /// Pixels that execute.
    pub active: u64,
    /// Pixels that have left the iteration of the innermost loop.
    continued: u64,
    /// Pixels that have left the innermost loop.
    broken: u64,
    /// Pixels covered and not killed.
    pub valid: u64,
    /// The index of loops.
    pub index: i32,
    /// Lanes that there are.
    pub lanes: u64,
    stack: Vec<Entry>,
    depth: u32,
    pushes: u32,
    loops: u32,
    limit: Option<u32>,
    mistake: Option<Mistake>,
}

impl Flow {
    /// At the start: the valid pixels are active. `limit` is how many entries the stack has, where it is to be checked.
    #[must_use]
    pub fn new(lanes: u64, valid: u64, limit: Option<u32>, mistake: Option<Mistake>) -> Flow {
        Flow {
            active: valid & lanes,
            continued: 0,
            broken: 0,
            valid: valid & lanes,
            index: 0,
            lanes,
            stack: Vec::new(),
            depth: 0,
            pushes: 0,
            loops: 0,
            limit,
            mistake,
        }
    }

    fn has(&self, mistake: Mistake) -> bool {
        cfg!(debug_assertions) && self.mistake == Some(mistake)
    }

    /// Whether nothing is on the stack.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.stack.is_empty()
    }

    /// Whether a subroutine runs.
    #[must_use]
    pub fn in_call(&self) -> bool {
        self.stack.iter().any(|entry| matches!(entry, Entry::Call { .. }))
    }

    /// Whether the subroutine that runs is the fetch program.
    #[must_use]
    pub fn in_fetch(&self) -> bool {
        self.stack.iter().rev().find_map(|entry| match entry {
            Entry::Call { fetch, .. } => Some(*fetch),
            _ => None,
        }) == Some(true)
    }

    fn left(&self) -> u64 {
        self.continued | self.broken
    }

    /// Entries as the formula counts them: a loop is four parts of one, a push or a call one part, and any push reserves two.
    fn used(&self) -> u32 {
        let calls = self.stack.iter().filter(|entry| matches!(entry, Entry::Call { fetch: false, .. })).count() as u32;
        (4 * self.loops + self.pushes + calls + if self.pushes > 0 { 2 } else { 0 }).div_ceil(4)
    }

    fn enter(&mut self, entry: Entry) -> Result<(), Fault> {
        /// More than any program has; the machine's stack is smaller.
        const MOST: usize = 4096;
        match entry {
            Entry::Pixels(_) => self.pushes += 1,
            Entry::Loop(_) => self.loops += 1,
            Entry::Call { .. } => {}
        }
        self.stack.push(entry);
        match self.limit {
            Some(limit) if self.used() > limit => Err(Fault::StackOverflow { used: self.used(), limit }),
            _ if self.stack.len() > MOST => Err(Fault::StackOverflow { used: self.used(), limit: MOST as u32 }),
            _ => Ok(()),
        }
    }

    fn take(&mut self) -> Option<Entry> {
        let entry = self.stack.pop()?;
        match entry {
            Entry::Pixels(_) => self.pushes -= 1,
            Entry::Loop(_) => self.loops -= 1,
            Entry::Call { .. } => {}
        }
        Some(entry)
    }

    /// Pushes the state.
    ///
    /// # Errors
    /// The stack is full.
    pub fn push(&mut self) -> Result<(), Fault> {
        self.enter(Entry::Pixels(self.active))
    }

    /// Pops entries; the state is that of the last of them, but for the pixels that have left the loop or its iteration.
    ///
    /// # Errors
    /// An entry is no state, or not there.
    pub fn pop(&mut self, count: u32) -> Result<(), Fault> {
        for _ in 0..count {
            match self.stack.last() {
                Some(Entry::Pixels(active)) => {
                    self.active = active & if self.has(Mistake::PopRevives) { u64::MAX } else { !self.left() };
                    self.take();
                }
                Some(Entry::Loop(_)) => return Err(Fault::StackKind { found: "a loop" }),
                Some(Entry::Call { .. }) => return Err(Fault::StackKind { found: "a call" }),
                None => return Err(Fault::StackEmpty),
            }
        }
        Ok(())
    }

    /// The pixels that were active at the last push, without those that have left the loop or its iteration.
    ///
    /// # Errors
    /// There is no push.
    pub fn pushed(&self) -> Result<u64, Fault> {
        match self.stack.last() {
            Some(Entry::Pixels(active)) => Ok(active & !self.left()),
            Some(Entry::Loop(_)) => Err(Fault::StackKind { found: "a loop" }),
            Some(Entry::Call { .. }) => Err(Fault::StackKind { found: "a call" }),
            None => Err(Fault::StackEmpty),
        }
    }

    /// Begins a loop with the pixels of a mask; the others of it are out of it.
    ///
    /// # Errors
    /// The stack is full.
    pub fn start_loop(&mut self, entering: u64, trip: Trip) -> Result<(), Fault> {
        let outer = (self.active, self.continued, self.broken);
        let index = trip.index.map(|_| self.index);
        self.enter(Entry::Loop(Loop { outer, entered: entering, count: trip.count, step: trip.step, index }))?;
        self.active = entering;
        self.continued = 0;
        self.broken = 0;
        if let Some(first) = trip.index {
            self.index = first;
        }
        Ok(())
    }

    /// Ends an iteration; whether there is another one. If not, the loop is left.
    ///
    /// # Errors
    /// The top of the stack is no loop.
    pub fn end_loop(&mut self) -> Result<bool, Fault> {
        let Some(Entry::Loop(mut running)) = self.stack.last().copied() else {
            return Err(match self.stack.last() {
                None => Fault::StackEmpty,
                Some(Entry::Call { .. }) => Fault::StackKind { found: "a call" },
                Some(_) => Fault::StackKind { found: "a push" },
            });
        };
        if !self.has(Mistake::ContinueForGood) {
            self.active |= self.continued;
            self.continued = 0;
        }
        let more = match &mut running.count {
            Some(count) => {
                *count = count.saturating_sub(1);
                *count != 0
            }
            None => true,
        };
        if running.index.is_some() {
            self.index = self.index.wrapping_add(running.step);
        }
        if more && running.entered & !self.broken != 0 {
            if let Some(top) = self.stack.last_mut() {
                *top = Entry::Loop(running);
            }
            return Ok(true);
        }
        self.take();
        let (active, continued, broken) = running.outer;
        self.continued = continued;
        self.broken = broken;
        self.active = active;
        if let Some(index) = running.index.filter(|_| !self.has(Mistake::IndexNotRestored)) {
            self.index = index;
        }
        Ok(false)
    }

    fn innermost(&self) -> Option<(usize, Loop)> {
        self.stack.iter().enumerate().rev().find_map(|(at, entry)| match entry {
            Entry::Loop(running) => Some((at, *running)),
            _ => None,
        })
    }

    /// Lets pixels leave the innermost loop, or its iteration.
    ///
    /// # Errors
    /// There is no loop.
    pub fn leave(&mut self, pixels: u64, for_good: bool) -> Result<(), Fault> {
        self.innermost().ok_or(Fault::NoLoop)?;
        self.active &= !pixels;
        if for_good {
            self.broken |= pixels;
            self.continued &= !pixels;
        } else {
            self.continued |= pixels & !self.broken;
        }
        Ok(())
    }

    /// If all pixels have left the innermost loop or its iteration, pops what was pushed inside of it and says so.
    ///
    /// # Errors
    /// There is no loop.
    pub fn all_left(&mut self) -> Result<bool, Fault> {
        let (at, running) = self.innermost().ok_or(Fault::NoLoop)?;
        if running.entered & !self.left() != 0 {
            return Ok(false);
        }
        while self.stack.len() > at + 1 && !self.has(Mistake::BreakKeepsPushes) {
            self.take();
        }
        self.active = 0;
        Ok(true)
    }

    /// Calls a subroutine with the pixels of a mask, if the nesting allows it.
    ///
    /// # Errors
    /// The stack is full.
    pub fn call(&mut self, back: u32, pixels: u64, deeper: u32, fetch: bool) -> Result<bool, Fault> {
        if pixels == 0 || self.depth + deeper > MAX_DEPTH && !self.has(Mistake::DepthUnlimited) {
            return Ok(false);
        }
        self.enter(Entry::Call { back, active: self.active, depth: self.depth, fetch })?;
        self.depth += deeper;
        self.active = pixels;
        Ok(true)
    }

    /// Returns from a subroutine: where to, and whether it was the fetch program. The pixels are those before the call.
    ///
    /// # Errors
    /// The top of the stack is no call.
    pub fn ret(&mut self) -> Result<(u32, bool), Fault> {
        match self.stack.last().copied() {
            Some(Entry::Call { back, active, depth, fetch }) => {
                self.take();
                self.depth = depth;
                self.active = active & !self.left();
                Ok((back, fetch))
            }
            Some(Entry::Loop(_)) => Err(Fault::StackKind { found: "a loop" }),
            Some(Entry::Pixels(_)) => Err(Fault::StackKind { found: "a push" }),
            None => Err(Fault::StackEmpty),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quads() {
        assert_eq!(whole_quads(0x0000_0000_0000_0210), 0xff0);
        assert_eq!(whole_quads(1 << 63), 0xf << 60);
    }

    #[test]
    fn broken_pixels_stay_off_across_a_pop() {
        let mut flow = Flow::new(0xf, 0xf, None, None);
        flow.start_loop(0xf, Trip::default()).expect("room");
        flow.push().expect("room");
        flow.active = 0b0011;
        flow.leave(0b0001, true).expect("a loop");
        assert!(!flow.all_left().expect("a loop"));
        flow.pop(1).expect("an entry");
        assert_eq!(flow.active, 0b1110);
        assert!(flow.end_loop().expect("a loop"));
        flow.push().expect("room");
        flow.leave(0b1110, true).expect("a loop");
        assert!(flow.all_left().expect("a loop"));
        assert!(!flow.end_loop().expect("a loop"));
        assert_eq!(flow.active, 0xf);
        assert!(flow.is_empty());
    }
}
