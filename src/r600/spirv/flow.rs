//! Control flow: masks of pixels and the stack, which are the same for all lanes.
//!
//! What each instruction does stands in [`emu::flow`](crate::r600::emu::flow). Here masks are pairs of words, entries of the stack are words of
//! the record, and the entry of the innermost loop is kept beside it, so that nothing has to be searched.

use super::Raised;
use super::blocks::{Onward, Sites};
use super::lower::Lower;
use super::mistakes::Mistake;
use super::state::{STACK, entry, head, input};
use crate::isa::r600::does::{Around, Loop};
use crate::isa::sem::Alg;
use crate::r600::emu::alu::Clause;
use crate::r600::emu::flow::Mode;
use crate::r600::emu::plan::{Action, Branch, Cond, Step};
use crate::r600::emu::{Fault, Stage};
use crate::spirv::alg::{Pair, Truth, Word};

/// Most levels of calls.
const MAX_DEPTH: u32 = 32;

/// No pixel.
const NONE: Pair = (Word::Known(0), Word::Known(0));

impl Lower<'_> {
    /// One instruction.
    pub(super) fn step(&self, sites: &Sites, step: &Step, fetch: bool) -> Onward {
        let k = self.k();
        let mode = step.mode;
        let site = |to: u32| sites.number((to, fetch));
        let next = || site(step.at + 1);
        match &step.action {
            Action::Nop => {}
            Action::Bad(fault) => return self.bad(fault),
            Action::Alu(around, Ok(clause)) => self.alu(*around, clause, mode),
            Action::Alu(_, Err(fault)) => return self.bad(fault),
            Action::Fetch(fetches) => {
                for fetch in fetches {
                    self.spend(k.w(1));
                    let whole = fetch.whole_quad || mode == Mode::WholeQuad;
                    let lanes = self.base(if whole { Mode::WholeQuad } else { mode });
                    if !self.fetch(fetch, lanes) {
                        return Onward::Gone;
                    }
                }
            }
            Action::LoopStart(kind, branch) => {
                let (entering, trip) = self.entering(*kind, branch, mode);
                let nobody = self.is_none(entering);
                self.either(nobody, || self.pop(branch.pops), || self.start_loop(entering, trip));
                return Onward::To(k.sel(nobody, site(branch.to), next()));
            }
            Action::LoopEnd(branch) => {
                let more = self.end_loop();
                return Onward::To(k.sel(more, site(branch.to), next()));
            }
            Action::Leave(for_good, branch) => {
                self.leave_loop(self.passing(mode, branch), *for_good);
                let all = self.all_left();
                return Onward::To(k.sel(all, site(branch.to), next()));
            }
            Action::Push(always, branch) => {
                let pixels = self.passing(mode, branch);
                let nobody = self.is_none(pixels);
                let push = || {
                    self.push();
                    self.put_mask(head::ACTIVE, pixels);
                };
                if *always {
                    push();
                } else {
                    self.either(nobody, || self.pop(branch.pops), push);
                }
                return Onward::To(k.sel(nobody, site(branch.to), next()));
            }
            Action::Pop(branch) => {
                self.pop(branch.pops);
                self.put_mask(head::ACTIVE, self.passing(mode, branch));
            }
            Action::Jump(branch) => {
                let nobody = self.is_none(self.passing(mode, branch));
                let jumps = if self.has(Mistake::JumpInverted) { k.negate(nobody) } else { nobody };
                return self.jump_if(jumps, branch, site(branch.to), next());
            }
            Action::Else(branch) => {
                let pushed = self.of(mode, self.pushed());
                let pushed = if self.has(Mistake::ElseForAll) { self.mask(head::LANES) } else { pushed };
                self.turn(k.sel_d(self.holds(branch.cond), pushed, NONE));
                let nobody = self.is_none(self.mask(head::ACTIVE));
                return self.jump_if(nobody, branch, site(branch.to), next());
            }
            Action::Call(branch) => {
                let goes = self.call(sites, step.at + 1, branch, mode, false);
                return Onward::To(k.sel(goes, site(branch.to), next()));
            }
            Action::CallFetch(branch) => {
                if !matches!(self.setup.stage, Stage::Vs | Stage::Es) {
                    return self.bad(&Fault::Stage { what: "CALL_FS" });
                }
                if !self.setup.fetch.is_empty() {
                    let goes = self.call(sites, step.at + 1, branch, mode, true);
                    return Onward::To(k.sel(goes, sites.number((0, true)), next()));
                }
            }
            Action::Return(branch) => return self.ret(branch, fetch, next()),
            Action::Kill(branch) => {
                if self.setup.stage != Stage::Ps {
                    return self.bad(&Fault::Stage { what: "KILL" });
                }
                self.kill(self.passing(mode, branch));
                let nobody = self.is_none(self.mask(head::VALID));
                return self.jump_if(nobody, branch, site(branch.to), next());
            }
            Action::Emit(vertex, cut) => {
                if self.setup.stage != Stage::Gs {
                    let what = "EMIT_VERTEX, EMIT_CUT_VERTEX or CUT_VERTEX";
                    return self.bad(&Fault::Stage { what });
                }
                self.emit(*vertex, *cut, self.base(mode));
            }
            Action::Export(export) => return self.export(export, self.base(mode)),
            Action::Memory(memory) => return self.memory(memory, self.base(mode)),
        }
        Onward::Next
    }

    /// Raises what is known beforehand.
    pub(super) fn bad(&self, fault: &Fault) -> Onward {
        self.raise_if(Truth::Known(true), self.code(Raised::Fixed(fault.clone())), Word::Known(0));
        Onward::Gone
    }

    /// One of two things, for all lanes.
    fn either(&self, c: Truth, yes: impl FnOnce(), no: impl FnOnce()) {
        self.when(c, yes);
        self.when(self.k().negate(c), no);
    }

    /// Pops and jumps, or goes on.
    fn jump_if(&self, c: Truth, branch: &Branch, to: Word, next: Word) -> Onward {
        self.when(c, || {
            if !self.has(Mistake::JumpWithoutPop) {
                self.pop(branch.pops);
            }
        });
        Onward::To(self.k().sel(c, to, next))
    }

    // Masks.

    /// The pixels of a mode, of those that are active.
    fn of(&self, mode: Mode, active: Pair) -> Pair {
        let k = self.k();
        let mode = match mode {
            Mode::WholeQuad if self.has(Mistake::QuadIgnored) => Mode::Normal,
            Mode::Valid if self.has(Mistake::ValidIgnored) => Mode::Normal,
            mode => mode,
        };
        match mode {
            Mode::Normal => active,
            Mode::Valid => k.and_d(active, self.mask(head::VALID)),
            Mode::WholeQuad => {
                let whole = |half: Word| {
                    let any = (1..4).fold(half, |any, n| k.or(any, k.shri(half, n)));
                    k.mul(k.mask(any, 0x1111_1111), k.w(15))
                };
                k.and_d((whole(active.0), whole(active.1)), self.mask(head::LANES))
            }
        }
    }

    /// The pixels an instruction starts from.
    pub(super) fn base(&self, mode: Mode) -> Pair {
        self.of(mode, self.mask(head::ACTIVE))
    }

    /// Whether the condition of an instruction holds.
    fn holds(&self, cond: Cond) -> Truth {
        let k = self.k();
        let bit = |n: u32| k.nz(k.mask(self.found(k.w(input::BOOLS)), 1 << (n & 31)));
        match cond {
            Cond::Active => k.c(true),
            Cond::Never => k.c(false),
            Cond::Bool(n) if self.has(Mistake::BooleanInverted) => k.negate(bit(n)),
            Cond::NotBool(n) if self.has(Mistake::BooleanInverted) => bit(n),
            Cond::Bool(n) => bit(n),
            Cond::NotBool(n) => k.negate(bit(n)),
        }
    }

    /// The pixels that pass the test of a branch.
    fn passing(&self, mode: Mode, branch: &Branch) -> Pair {
        self.k().sel_d(self.holds(branch.cond), self.base(mode), NONE)
    }

    /// Pixels of a mask but for those of another.
    fn without(&self, mask: Pair, other: Pair) -> Pair {
        let k = self.k();
        k.and_d(mask, k.not_d(other))
    }

    /// Makes those active, of the pixels given, that are not.
    fn turn(&self, pixels: Pair) {
        let active = self.mask(head::ACTIVE);
        let turned = self.k().or_d(self.without(active, pixels), self.without(pixels, active));
        self.put_mask(head::ACTIVE, turned);
    }

    fn kill(&self, pixels: Pair) {
        if !self.has(Mistake::KillForgotten) {
            self.put_mask(head::VALID, self.without(self.mask(head::VALID), pixels));
        }
    }

    /// Pixels that have left the innermost loop or its iteration.
    fn left(&self) -> Pair {
        self.k().or_d(self.mask(head::CONTINUED), self.mask(head::BROKEN))
    }

    // The stack.

    /// One more, or one less.
    fn count(&self, n: u32, by: i32) {
        let k = self.k();
        self.put(n, k.add(self.get(n), k.w(by as u32)));
    }

    /// Puts an entry on the stack, of the kind that a word of the head counts.
    fn enter(&self, counter: u32, words: &[(u32, Word)]) {
        let k = self.k();
        let top = self.get(head::TOP);
        self.count(counter, 1);
        self.count(head::TOP, 1);
        // A loop is four parts of an entry, a push or a call one, and any push reserves two.
        let (pushes, loops) = (self.get(head::PUSHES), self.get(head::LOOPS));
        let loops = if self.has(Mistake::LoopIsSmall) { loops } else { k.shli(loops, 2) };
        let reserved = k.sel(k.nz(pushes), k.w(2), k.w(0));
        let parts = k.add(k.add(loops, pushes), k.add(self.get(head::CALLS), reserved));
        let used = k.shri(k.add(parts, k.w(3)), 2);
        if !self.has(Mistake::StackUnlimited) {
            let code = self.code(Raised::StackOverflow { declared: true });
            self.raise_if(k.lt_u(self.get(head::LIMIT), used), code, used);
        }
        let full = k.negate(k.lt_u(top, k.w(STACK)));
        self.raise_if(full, self.code(Raised::StackOverflow { declared: false }), used);
        self.put_entry(top, words);
    }

    fn push(&self) {
        let (low, high) = self.mask(head::ACTIVE);
        let kind = Word::Known(entry::PIXELS);
        self.enter(head::PUSHES, &[(0, kind), (entry::ACTIVE, low), (entry::ACTIVE + 1, high)]);
    }

    /// The entry on top, of a kind; another one is a fault.
    fn top(&self, kind: u32) -> Word {
        let k = self.k();
        let count = self.get(head::TOP);
        let empty = k.eq(count, k.w(0));
        let top = k.sel(empty, k.w(0), k.sub(count, k.w(1)));
        let found = k.sel(empty, k.w(0), self.entry(top, 0));
        let others = [(entry::PIXELS, "a push"), (entry::LOOP, "a loop"), (entry::CALL, "a call")];
        let empty = self.code(Raised::Fixed(Fault::StackEmpty));
        let code = others.iter().filter(|(other, _)| *other != kind).fold(empty, |code, (other, name)| {
            let wrong = self.code(Raised::Fixed(Fault::StackKind { found: name }));
            k.sel(k.eq(found, k.w(*other)), wrong, code)
        });
        self.raise_if(k.negate(k.eq(found, k.w(kind))), code, k.w(0));
        top
    }

    /// Pops entries; the state is that of the last of them, but for the pixels that have left the loop or its iteration.
    fn pop(&self, count: u32) {
        for _ in 0..count {
            let top = self.top(entry::PIXELS);
            let active = self.entry_mask(top, entry::ACTIVE);
            let revives = self.has(Mistake::PopRevives);
            self.put_mask(head::ACTIVE, if revives { active } else { self.without(active, self.left()) });
            if !self.has(Mistake::PopKeepsEntry) {
                self.count(head::TOP, -1);
                self.count(head::PUSHES, -1);
            }
        }
    }

    /// The pixels that were active at the last push, without those that have left the loop or its iteration.
    fn pushed(&self) -> Pair {
        let top = self.top(entry::PIXELS);
        self.without(self.entry_mask(top, entry::ACTIVE), self.left())
    }

    // Loops.

    /// The pixels that a loop begins with, and its count, first index, step.
    fn entering(&self, kind: Loop, branch: &Branch, mode: Mode) -> (Pair, Trip) {
        let k = self.k();
        let constant = |n: u32| self.found(k.w(input::LOOPS + 3 * (branch.constant & 31) + n));
        let counted = Trip { count: Some(constant(0)), first: Some(constant(1)), step: constant(2) };
        let trip = match kind {
            Loop::Counted => counted,
            Loop::CountedNoIndex => Trip { first: None, ..counted },
            Loop::Endless => Trip { count: None, first: None, step: k.w(0) },
        };
        let trip = match trip.count {
            Some(count) if self.has(Mistake::LoopOnceLess) => {
                Trip { count: Some(k.sel(k.lt_u(k.w(1), count), k.sub(count, k.w(1)), count)), ..trip }
            }
            _ => trip,
        };
        let never = trip.count.map_or(k.c(false), |count| k.eq(count, k.w(0)));
        (k.sel_d(never, NONE, self.passing(mode, branch)), trip)
    }

    fn start_loop(&self, entering: Pair, trip: Trip) {
        let k = self.k();
        let kind = u32::from(trip.count.is_some()) | u32::from(trip.first.is_some()) << 1;
        let mut words = vec![
            (0, k.w(entry::LOOP)),
            (entry::COUNT, trip.count.unwrap_or(k.w(0))),
            (entry::KIND, k.w(kind)),
            (entry::STEP, trip.step),
            (entry::INDEX, self.get(head::INDEX)),
            (entry::OUTER, self.get(head::INNERMOST)),
        ];
        let masks = [
            (entry::ACTIVE, self.mask(head::ACTIVE)),
            (entry::CONTINUED, self.mask(head::CONTINUED)),
            (entry::BROKEN, self.mask(head::BROKEN)),
            (entry::ENTERED, entering),
        ];
        words.extend(masks.into_iter().flat_map(|(n, (low, high))| [(n, low), (n + 1, high)]));
        let below = [head::PUSHES, head::CALLS, head::FETCHES];
        words.extend((entry::BELOW..).zip(below.map(|n| self.get(n))));
        self.enter(head::LOOPS, &words);
        self.put(head::INNERMOST, self.get(head::TOP));
        self.put_mask(head::ACTIVE, entering);
        self.put_mask(head::CONTINUED, NONE);
        self.put_mask(head::BROKEN, NONE);
        if let Some(first) = trip.first {
            self.put(head::INDEX, first);
        }
    }

    /// Ends an iteration; whether there is another one. If not, the loop is left.
    fn end_loop(&self) -> Truth {
        let k = self.k();
        let top = self.top(entry::LOOP);
        if !self.has(Mistake::ContinueForGood) {
            self.put_mask(head::ACTIVE, k.or_d(self.mask(head::ACTIVE), self.mask(head::CONTINUED)));
            self.put_mask(head::CONTINUED, NONE);
        }
        if self.has(Mistake::BreakForIteration) {
            self.put_mask(head::ACTIVE, k.or_d(self.mask(head::ACTIVE), self.mask(head::BROKEN)));
        }
        let kind = self.entry(top, entry::KIND);
        let (counts, moves) = (k.nz(k.mask(kind, 1)), k.nz(k.mask(kind, 2)));
        let count = self.entry(top, entry::COUNT);
        let count = k.sel(k.eq(count, k.w(0)), count, k.sub(count, k.w(1)));
        if !self.has(Mistake::IndexStays) {
            let step = k.sel(moves, self.entry(top, entry::STEP), k.w(0));
            self.put(head::INDEX, k.add(self.get(head::INDEX), step));
        }
        let stay = self.without(self.entry_mask(top, entry::ENTERED), self.mask(head::BROKEN));
        let more = k.both(k.either(k.negate(counts), k.nz(count)), k.negate(self.is_none(stay)));
        self.either(
            more,
            || self.put_entry(top, &[(entry::COUNT, count)]),
            || {
                self.count(head::TOP, -1);
                self.count(head::LOOPS, -1);
                for n in
                    [(head::ACTIVE, entry::ACTIVE), (head::CONTINUED, entry::CONTINUED), (head::BROKEN, entry::BROKEN)]
                {
                    self.put_mask(n.0, self.entry_mask(top, n.1));
                }
                self.put(head::INNERMOST, self.entry(top, entry::OUTER));
                let outer = k.sel(moves, self.entry(top, entry::INDEX), self.get(head::INDEX));
                if !self.has(Mistake::IndexNotRestored) {
                    self.put(head::INDEX, outer);
                }
            },
        );
        more
    }

    /// The entry of the innermost loop; that there is none is a fault.
    fn innermost(&self) -> Word {
        let k = self.k();
        let number = self.get(head::INNERMOST);
        self.raise_if(k.eq(number, k.w(0)), self.code(Raised::Fixed(Fault::NoLoop)), k.w(0));
        k.sub(number, k.w(1))
    }

    /// Lets pixels leave the innermost loop, or its iteration.
    fn leave_loop(&self, pixels: Pair, for_good: bool) {
        let k = self.k();
        self.innermost();
        self.put_mask(head::ACTIVE, self.without(self.mask(head::ACTIVE), pixels));
        let (continued, broken) = (self.mask(head::CONTINUED), self.mask(head::BROKEN));
        if for_good {
            self.put_mask(head::BROKEN, k.or_d(broken, pixels));
            self.put_mask(head::CONTINUED, self.without(continued, pixels));
        } else {
            self.put_mask(head::CONTINUED, k.or_d(continued, self.without(pixels, broken)));
        }
    }

    /// Whether all pixels have left the innermost loop or its iteration; then what was pushed inside of it is popped.
    fn all_left(&self) -> Truth {
        let k = self.k();
        let innermost = self.innermost();
        let all = self.is_none(self.without(self.entry_mask(innermost, entry::ENTERED), self.left()));
        self.when(all, || {
            if !self.has(Mistake::BreakKeepsPushes) {
                self.put(head::TOP, k.add(innermost, k.w(1)));
                for (n, to) in (entry::BELOW..).zip([head::PUSHES, head::CALLS, head::FETCHES]) {
                    self.put(to, self.entry(innermost, n));
                }
            }
            self.put_mask(head::ACTIVE, NONE);
        });
        all
    }

    // Calls.

    /// Calls a subroutine, if pixels pass and the nesting allows it; whether it does.
    fn call(&self, sites: &Sites, back: u32, branch: &Branch, mode: Mode, fetch: bool) -> Truth {
        let k = self.k();
        let pixels = self.passing(mode, branch);
        let depth = k.add(self.get(head::DEPTH), k.w(branch.deeper));
        let too_deep = k.lt_u(k.w(MAX_DEPTH), depth);
        let too_deep = if self.has(Mistake::DepthUnlimited) { k.c(false) } else { too_deep };
        let goes = k.both(k.negate(self.is_none(pixels)), k.negate(too_deep));
        self.when(goes, || {
            let (low, high) = self.mask(head::ACTIVE);
            let words = [
                (0, k.w(entry::CALL)),
                (entry::ACTIVE, low),
                (entry::ACTIVE + 1, high),
                (entry::DEPTH, self.get(head::DEPTH)),
                (entry::BACK, sites.number((back, false))),
                (entry::BACK + 1, sites.number((back, true))),
                (entry::FETCH, k.w(u32::from(fetch))),
            ];
            self.enter(if fetch { head::FETCHES } else { head::CALLS }, &words);
            self.put(head::DEPTH, depth);
            if !self.has(Mistake::CallForAll) {
                self.put_mask(head::ACTIVE, pixels);
            }
        });
        goes
    }

    /// Returns from a subroutine, if the condition holds.
    fn ret(&self, branch: &Branch, in_fetch: bool, next: Word) -> Onward {
        let k = self.k();
        let site = self.variable(next);
        let calls = k.or(self.get(head::CALLS), self.get(head::FETCHES));
        let ends = if self.setup.stage == Stage::Fs { k.eq(calls, k.w(0)) } else { k.c(false) };
        self.when(k.both(self.holds(branch.cond), k.negate(ends)), || {
            let top = self.top(entry::CALL);
            self.count(head::TOP, -1);
            let fetch = self.entry(top, entry::FETCH);
            self.put(head::CALLS, k.sub(self.get(head::CALLS), k.sub(k.w(1), fetch)));
            self.put(head::FETCHES, k.sub(self.get(head::FETCHES), fetch));
            self.put(head::DEPTH, self.entry(top, entry::DEPTH));
            self.put_mask(head::ACTIVE, self.without(self.entry_mask(top, entry::ACTIVE), self.left()));
            // A call of the fetch program came from the program; any other one from the one that runs.
            let main = self.entry(top, entry::BACK);
            let own = if in_fetch { self.entry(top, entry::BACK + 1) } else { main };
            self.m.store(site, k.id(k.sel(k.nz(fetch), main, own)));
        });
        self.end_if(ends);
        Onward::To(Word::Id(self.m.load(site)))
    }

    // Clauses of groups.

    /// An ALU clause with what is done to the stack around it.
    fn alu(&self, around: Around, clause: &Clause, mode: Mode) {
        if matches!(around, Around::PushBefore | Around::ElseAfter) {
            self.push();
        }
        let lanes = self.base(mode);
        let (execute, killed) = self.clause(clause, lanes);
        self.kill(killed);
        // Pixels that only helped return to what they were.
        let active = self.mask(head::ACTIVE);
        let off = self.without(self.k().and_d(active, lanes), execute);
        match around {
            Around::Continue => self.leave_loop(off, false),
            Around::Break => self.leave_loop(off, true),
            _ if self.has(Mistake::MaskForgotten) => {}
            _ => self.put_mask(head::ACTIVE, self.without(active, off)),
        }
        match around {
            Around::PopAfter => self.pop(1),
            Around::Pop2After => self.pop(2),
            Around::ElseAfter => self.turn(self.pushed()),
            _ => {}
        }
    }
}

/// What a loop begins with.
#[derive(Clone, Copy)]
struct Trip {
    /// How often; none of loops without a count.
    count: Option<Word>,
    /// The first index; none where the index is left alone.
    first: Option<Word>,
    /// What is added to it.
    step: Word,
}
