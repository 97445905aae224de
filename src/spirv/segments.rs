//! Blocks cut into segments, so that lanes wait in one place and a large function stands in one.
//!
//! A driver that writes every function out where it is called, and every barrier as a place where an invocation is suspended, takes time that grows
//! with the square of what comes out: llvmpipe looks through all blocks of a shader for each of its variables. So a block ends where it would wait or
//! call, and the loop around the switch goes on with the function, then with the block's next segment; the barrier stands at the head of the loop.
//! A [site](Cutter::site) says where to go on if not at the program counter. What a segment has computed and a later one reads
//! passes through words of one variable, which blocks share; pointers are made again.
//!
//! Small modules with few barriers are left [whole](super::lower::Cut::Large).
//!
//! Only what stands outside of the block's own branches and loops is cut: control flow of a wave is the same in all its lanes there.

use super::module::{Id, Module, Written, instructions, is};
use rspirv::spirv::Op;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A case of the switch.
pub struct Case {
    /// The number that it is chosen by.
    pub number: u32,
    /// Its label.
    pub label: Id,
    /// What stands behind the label.
    pub words: Vec<u32>,
}

/// Numbers of cases that are no steps begin here.
pub const SITES: u32 = 1 << 31;
/// Words that functions may come to where they are called, before some are called in one place.
const WRITTEN_OUT: usize = 20_000;
/// Barriers that may stand in blocks.
const BARRIERS: usize = 2;

/// A function with a case of its own.
struct Shared {
    number: u32,
    label: Id,
    written: Written,
}

/// Instructions, and whether each stands outside of branches and loops.
type Segment<'w> = Vec<(bool, &'w [u32])>;

/// How a segment ends.
enum End<'w> {
    /// As its block does.
    Block,
    /// At a barrier.
    Waits,
    /// At a call.
    Calls(&'w [u32]),
}

/// Cuts blocks.
pub struct Cutter<'m> {
    m: &'m Module,
    /// Where a block goes when it is left.
    out: Id,
    /// The variable that says where to go on: 0 for the program counter.
    site: Id,
    /// The variable that says where a function goes on.
    back: Id,
    /// Whether the barrier is at the head of the loop: there are too many of them for blocks.
    pub waits: bool,
    /// Functions by their ids.
    functions: BTreeMap<Id, Shared>,
    next: Cell<u32>,
    /// Pointers to the words that values, arguments and results pass through: they are made when all has been cut.
    words: RefCell<Vec<Id>>,
    /// The words that are for values.
    values: RefCell<Vec<Id>>,
    /// The words that are for arguments and results, by place.
    passed: RefCell<HashMap<(bool, usize), Id>>,
    /// Loops that a round of the loop around the blocks comes through at most.
    pub loops: usize,
}

/// Instructions, and whether each stands outside of branches and loops.
fn outside<'w>(words: &'w [u32]) -> impl Iterator<Item = (bool, &'w [u32])> {
    let mut until = None;
    instructions(words).map(move |inst: &'w [u32]| {
        if until.is_some_and(|label| is(inst, Op::Label) && inst[1] == label) {
            until = None;
            return (false, inst);
        }
        let open = until.is_none();
        if open && (is(inst, Op::SelectionMerge) || is(inst, Op::LoopMerge)) {
            until = Some(inst[1]);
        }
        (open, inst)
    })
}

/// Where in an instruction the ids of values stand that a block may have computed.
fn values(inst: &[u32]) -> std::ops::Range<usize> {
    let op = inst[0] & 0xffff;
    let among = |all: &[Op]| all.iter().any(|one| *one as u32 == op);
    let first =
        if among(&[Op::Line, Op::NoLine, Op::SelectionMerge, Op::LoopMerge, Op::Branch, Op::Label, Op::ControlBarrier])
        {
            return 0..0;
        } else if among(&[Op::BranchConditional, Op::Switch]) {
            return 1..2;
        } else if among(&[Op::Store, Op::ReturnValue, Op::AtomicStore]) {
            1
        } else if among(&[Op::CompositeExtract]) {
            return 3..4;
        } else if among(&[Op::ExtInst]) {
            5
        } else if among(&[Op::FunctionCall]) {
            4
        } else {
            3
        };
    first..inst.len().max(first)
}

/// The type and the id of what an instruction computes.
fn result(inst: &[u32]) -> Option<(Id, Id)> {
    let none = [
        Op::Line,
        Op::NoLine,
        Op::SelectionMerge,
        Op::LoopMerge,
        Op::Branch,
        Op::BranchConditional,
        Op::Switch,
        Op::Label,
        Op::ControlBarrier,
        Op::Store,
        Op::AtomicStore,
        Op::Return,
        Op::ReturnValue,
    ];
    let has = !none.iter().any(|op| is(inst, *op)) && inst.len() > 2;
    has.then(|| (inst[1], inst[2]))
}

/// What a block has computed.
struct Made<'w> {
    segment: usize,
    ty: Id,
    inst: &'w [u32],
    /// The last segment that reads it.
    last: usize,
}

impl<'m> Cutter<'m> {
    /// Looks at the blocks and at the functions that they call, all of which have been written, and says what is best cut.
    #[must_use]
    pub fn new(m: &'m Module, cases: &[Case], out: Id, site: Id) -> Cutter<'m> {
        let written: BTreeMap<Id, Written> = m.written().into_iter().map(|w| (w.id, w)).collect();
        let (mut calls, mut barriers) = (BTreeMap::<Id, [usize; 2]>::new(), 0);
        for (open, inst) in cases.iter().flat_map(|case| outside(&case.words)) {
            if is(inst, Op::FunctionCall) {
                calls.entry(inst[3]).or_default()[usize::from(open)] += 1;
            } else if is(inst, Op::ControlBarrier) && open {
                barriers += 1;
            }
        }
        let mut sizes = HashMap::new();
        for id in calls.keys() {
            total(*id, &written, &mut sizes, |w| w.words);
        }
        let of = |id: &Id| sizes.get(id).copied().unwrap_or(0);
        let mut all: usize = calls.iter().map(|(id, [inside, open])| (inside + open) * of(id)).sum();
        let mut order: Vec<(usize, Id)> =
            calls.iter().filter(|(_, n)| n[1] > 1).map(|(id, n)| ((n[1] - 1) * of(id), *id)).collect();
        order.sort_unstable_by(|a, b| b.cmp(a));
        let mut cutter = Cutter {
            m,
            out,
            site,
            back: 0,
            waits: barriers > BARRIERS,
            functions: BTreeMap::new(),
            next: Cell::new(SITES + 1),
            words: RefCell::default(),
            values: RefCell::default(),
            passed: RefCell::default(),
            loops: 0,
        };
        for (saved, id) in order {
            let Some(function) = written.get(&id) else { continue };
            if all <= WRITTEN_OUT {
                break;
            }
            all -= saved;
            let shared = Shared { number: cutter.number(), label: m.id(), written: function.clone() };
            cutter.functions.insert(id, shared);
        }
        if !cutter.functions.is_empty() {
            cutter.back = m.variable(m.int());
        }
        cutter.loops = cases.iter().flat_map(|case| instructions(&case.words)).filter(|i| is(i, Op::LoopMerge)).count();
        let mut loops = HashMap::new();
        for (id, [inside, open]) in &calls {
            let times = if cutter.functions.contains_key(id) { inside + 1 } else { inside + open };
            cutter.loops += times * total(*id, &written, &mut loops, |w| w.loops);
        }
        cutter
    }

    /// Pointers to the words of the variable that everything passes through: the first ids that they have.
    #[must_use]
    pub fn words(&self) -> Vec<Id> {
        self.words.borrow().clone()
    }

    fn word(&self) -> Id {
        let id = self.m.id();
        self.words.borrow_mut().push(id);
        id
    }

    /// Keeps a value; truths are words there.
    fn keep(&self, place: Id, ty: Id, id: Id) {
        let m = self.m;
        let truth = ty == m.boolean();
        m.store(place, if truth { m.word_op(Op::Select, &[id, m.constant(1), m.constant(0)]) } else { id });
    }

    /// The value that was kept.
    fn kept(&self, place: Id, ty: Id) -> Id {
        let m = self.m;
        let word = m.load(place);
        if ty == m.boolean() { m.test(Op::INotEqual, &[word, m.constant(0)]) } else { word }
    }

    fn number(&self) -> u32 {
        let number = self.next.get();
        self.next.set(number + 1);
        number
    }

    /// All cases: the blocks, their segments, and the functions.
    #[must_use]
    pub fn cut(&self, cases: Vec<Case>) -> Vec<Case> {
        let mut all: Vec<Case> = cases.into_iter().flat_map(|case| self.block(case)).collect();
        all.extend(self.functions.iter().map(|(id, shared)| self.function(*id, shared)));
        all
    }

    /// Writes something apart from the open body.
    fn apart(&self, write: impl FnOnce()) -> Vec<u32> {
        let mark = self.m.mark();
        write();
        self.m.take(mark)
    }

    fn passed(&self, is_result: bool, place: usize) -> Id {
        *self.passed.borrow_mut().entry((is_result, place)).or_insert_with(|| self.word())
    }

    /// The case of a function.
    fn function(&self, id: Id, shared: &Shared) -> Case {
        let m = self.m;
        let written = &shared.written;
        let words = self.apart(|| {
            let load = |(n, ty): (usize, &Id)| self.kept(self.passed(false, n), *ty);
            let mut operands = vec![id];
            operands.extend(written.args.iter().enumerate().map(load));
            let result = m.op(Op::FunctionCall, written.ret, &operands);
            match m.members(written.ret) {
                Some(members) => {
                    for (n, ty) in members.into_iter().enumerate() {
                        let part = m.op(Op::CompositeExtract, ty, &[result, n as u32]);
                        self.keep(self.passed(true, n), ty, part);
                    }
                }
                None => self.keep(self.passed(true, 0), written.ret, result),
            }
            m.store(self.site, m.load(self.back));
            m.branch(self.out);
        });
        Case { number: shared.number, label: shared.label, words }
    }

    /// The segments of a block.
    fn block(&self, case: Case) -> Vec<Case> {
        let (segments, ends) = self.segments(&case.words);
        if ends.len() == 1 {
            if segments[0].len() == instructions(&case.words).count() {
                return vec![case];
            }
            let words = segments[0].iter().flat_map(|(_, inst)| inst.iter().copied()).collect();
            return vec![Case { words, ..case }];
        }
        let (made, needs) = lifetimes(&segments, &ends);
        let mut cases: Vec<Case> =
            (1..ends.len()).map(|_| Case { number: self.number(), label: self.m.id(), words: Vec::new() }).collect();
        cases.insert(0, Case { number: case.number, label: case.label, words: Vec::new() });
        let mut places: HashMap<Id, Id> = HashMap::new();
        let mut free = self.values.borrow().clone();
        for n in 0..ends.len() {
            let words = self.apart(|| {
                let mut names: HashMap<Id, Id> = HashMap::new();
                if let Some(End::Calls(inst)) = n.checked_sub(1).map(|before| &ends[before]) {
                    let id = inst[2];
                    if let Some(made) = made.get(&id).filter(|made| made.last != usize::MAX) {
                        names.insert(id, self.result_of(inst[1]));
                        if made.last > n {
                            let place = self.place(&mut free);
                            places.insert(id, place);
                            self.keep(place, made.ty, names[&id]);
                        }
                    }
                }
                for id in &needs[n] {
                    let name = match (places.get(id), &made[id]) {
                        (Some(place), made) => self.kept(*place, made.ty),
                        (None, made) => self.again(made.inst, &names),
                    };
                    names.insert(*id, name);
                }
                for (id, made) in &made {
                    if made.last == n
                        && made.segment < n
                        && let Some(place) = places.remove(id)
                    {
                        free.push(place);
                    }
                }
                for (open, inst) in &segments[n] {
                    self.copy(inst, &names);
                    if let Some((ty, id)) = result(inst).filter(|_| *open)
                        && made.get(&id).is_some_and(|made| made.last != usize::MAX && made.last > n)
                        && !is(inst, Op::AccessChain)
                    {
                        let place = self.place(&mut free);
                        places.insert(id, place);
                        self.keep(place, ty, id);
                    }
                }
                self.end(&ends[n], cases.get(n + 1).map_or(0, |next| next.number), &names);
            });
            cases[n].words = words;
        }
        cases
    }

    /// Cuts words: what each segment has, and how it ends.
    fn segments<'w>(&self, words: &'w [u32]) -> (Vec<Segment<'w>>, Vec<End<'w>>) {
        let mut segments = vec![Vec::new()];
        let mut ends = Vec::new();
        // A segment begins behind the barrier of the loop.
        let mut fresh = true;
        for (open, inst) in outside(words) {
            if open && self.waits && is(inst, Op::ControlBarrier) {
                if fresh {
                    continue;
                }
                ends.push(End::Waits);
                segments.push(Vec::new());
                fresh = true;
            } else if open && is(inst, Op::FunctionCall) && self.functions.contains_key(&inst[3]) {
                ends.push(End::Calls(inst));
                segments.push(Vec::new());
                fresh = true;
            } else {
                fresh &= is(inst, Op::Line);
                if let Some(last) = segments.last_mut() {
                    last.push((open, inst));
                }
            }
        }
        ends.push(End::Block);
        (segments, ends)
    }

    /// A word for a value that a later segment reads.
    fn place(&self, free: &mut Vec<Id>) -> Id {
        free.pop().unwrap_or_else(|| {
            let word = self.word();
            self.values.borrow_mut().push(word);
            word
        })
    }

    /// What the function has left.
    fn result_of(&self, ty: Id) -> Id {
        let m = self.m;
        match m.members(ty) {
            Some(members) => {
                let parts: Vec<Id> =
                    members.iter().enumerate().map(|(n, ty)| self.kept(self.passed(true, n), *ty)).collect();
                m.op(Op::CompositeConstruct, ty, &parts)
            }
            None => self.kept(self.passed(true, 0), ty),
        }
    }

    /// Copies an instruction with other names for values.
    fn copy(&self, inst: &[u32], names: &HashMap<Id, Id>) {
        self.m.append(inst);
        let range = values(inst);
        if !names.is_empty() && range.clone().any(|n| inst.get(n).is_some_and(|id| names.contains_key(id))) {
            self.m.rename_last(inst.len(), range, names);
        }
    }

    /// Makes a pointer again.
    fn again(&self, inst: &[u32], names: &HashMap<Id, Id>) -> Id {
        let renamed: Vec<Id> = inst[3..].iter().map(|id| names.get(id).copied().unwrap_or(*id)).collect();
        self.m.op(Op::AccessChain, inst[1], &renamed)
    }

    fn end(&self, end: &End<'_>, next: u32, names: &HashMap<Id, Id>) {
        let m = self.m;
        match end {
            End::Block => return,
            End::Waits => m.store(self.site, m.constant(next)),
            End::Calls(inst) => {
                let shared = &self.functions[&inst[3]];
                for (n, (ty, id)) in shared.written.args.iter().zip(&inst[4..]).enumerate() {
                    self.keep(self.passed(false, n), *ty, names.get(id).copied().unwrap_or(*id));
                }
                m.store(self.back, m.constant(next));
                m.store(self.site, m.constant(shared.number));
            }
        }
        m.branch(self.out);
    }
}

/// Something of a function that adds up, with that of the functions that it calls.
fn total(id: Id, written: &BTreeMap<Id, Written>, known: &mut HashMap<Id, usize>, own: fn(&Written) -> usize) -> usize {
    if let Some(known) = known.get(&id) {
        return *known;
    }
    let Some(function) = written.get(&id) else { return 0 };
    let sum = own(function) + function.calls.iter().map(|id| total(*id, written, known, own)).sum::<usize>();
    known.insert(id, sum);
    sum
}

/// What segments compute, and what each needs of those before it, in the order in which it was made. `last` is `usize::MAX` where nobody reads.
fn lifetimes<'w>(segments: &[Vec<(bool, &'w [u32])>], ends: &[End<'w>]) -> (BTreeMap<Id, Made<'w>>, Vec<BTreeSet<Id>>) {
    let mut made: BTreeMap<Id, Made<'w>> = BTreeMap::new();
    for (n, (insts, end)) in segments.iter().zip(ends).enumerate() {
        let open = insts.iter().filter(|(open, _)| *open);
        for (_, inst) in open {
            if let Some((ty, id)) = result(inst) {
                made.insert(id, Made { segment: n, ty, inst, last: usize::MAX });
            }
        }
        if let End::Calls(inst) = end {
            made.insert(inst[2], Made { segment: n + 1, ty: inst[1], inst, last: usize::MAX });
        }
    }
    let mut needs = Vec::with_capacity(ends.len());
    for (n, (insts, end)) in segments.iter().zip(ends).enumerate() {
        let mut needed = BTreeSet::new();
        let mut open: Vec<Id> = Vec::new();
        for (_, inst) in insts {
            open.extend(values(inst).filter_map(|at| inst.get(at)));
        }
        if let End::Calls(inst) = end {
            open.extend(&inst[4..]);
        }
        while let Some(id) = open.pop() {
            let Some(made) = made.get_mut(&id) else { continue };
            made.last = if made.last == usize::MAX { n } else { made.last.max(n) };
            if made.segment < n && needed.insert(id) && is(made.inst, Op::AccessChain) {
                open.extend(&made.inst[3..]);
            }
        }
        needs.push(needed);
    }
    (made, needs)
}
