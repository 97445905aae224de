//! Bodies: the copies of an instruction that do not wait for each other, and the chain in which each waits for the one before.
//!
//! Both are looked for among the forms of a row, and what a body is held to be follows from what its steps read and write
//! ([`Program::uses`](crate::program::Program::uses)), never from a name.

use super::Reason;
use super::operands::{Bank, CONSTANTS, Line, Operand, Register, is_empty, known, shared};
use crate::isa::Target;
use crate::isa::row::Inst;
use crate::program::place::slot;
use crate::program::uses::{Other, Set, Uses};

/// A body: what is repeated, and by what one sees that it is done.
#[derive(Clone, Debug)]
pub(super) struct Body {
    /// The instruction.
    pub line: Line,
    /// What brings its result to the next one, where it cannot go there itself: its text and its row.
    pub partner: Option<(String, &'static Inst)>,
    /// Copies until one reads what another wrote; nothing where none does.
    pub spread: Option<u32>,
    /// What one copy writes and the next one, or the partner, reads.
    pub link: Set,
    /// What is written last.
    pub done: Done,
    /// EXEC is written.
    pub exec: bool,
}

impl Body {
    /// Behind the last vector and the last accumulation register that it names, partner and wait included.
    pub fn ends(&self) -> (u32, u32) {
        let (vectors, accumulation) = self.line.ends();
        let (more, accumulators) = match self.done {
            Done::Register(register) if register.bank == Bank::Vector => (register.end(), 0),
            Done::Register(register) if register.bank == Bank::Accumulation => (0, register.end()),
            _ => (0, 0),
        };
        (vectors.max(more).max(CONSTANTS), accumulation.max(accumulators))
    }
}

/// What is written last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Done {
    /// A register.
    Register(Register),
    Vcc,
    Exec,
    Scc,
    /// Nothing that anybody reads.
    Nothing,
}

/// An end of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Scc,
    Mask,
    Scalar,
    Vector,
    Accumulation,
}

/// Instructions that turn one kind of result into one kind of source.
#[rustfmt::skip]
const PARTNERS: &[(End, End, &str)] = &[
    (End::Scc,          End::Scalar,       "s_cselect_b32 {to}, s8, s9"),
    (End::Mask,         End::Vector,       "v_cndmask_b32_e64 {to}, v0, v1, {from}"),
    (End::Scalar,       End::Vector,       "v_mov_b32_e32 {to}, {from}"),
    (End::Vector,       End::Scalar,       "v_readfirstlane_b32 {to}, {from}"),
    (End::Accumulation, End::Vector,       "v_accvgpr_read_b32 {to}, {from}"),
    (End::Vector,       End::Accumulation, "v_accvgpr_write_b32 {to}, {from}"),
];

/// Where the source of a chain lies that has a partner: behind what results turn through.
const LINK_SCALAR: u32 = 64;

/// Copies that do not wait for each other. Forms that write no register twice in a turn come first.
pub(super) fn rate(target: Target, lines: &[Line]) -> Result<Body, Reason> {
    let mut best: Option<Body> = None;
    let mut reason = Reason::NotExecuted;
    for line in lines {
        let turns = line.turns();
        let Some(all) = known(target, (0..=turns).map(|copy| line.text(copy))) else { continue };
        let meet = |i: usize, j: usize| !is_empty(&shared(&all[i].uses.writes, &all[j].uses.reads));
        let turns = turns as usize;
        if (0..turns).any(|i| (0..turns).any(|j| i != j && meet(i, j))) || turns < 2 {
            reason = Reason::Serial;
            continue;
        }
        let again = |n: usize| !is_empty(&shared(&all[0].uses.writes, &all[n].uses.writes));
        let spread = meet(0, turns).then_some(turns as u32);
        let (done, link) = (done(line, &all[0].uses), Set::default());
        let body = Body { line: line.clone(), partner: None, spread, link, done, exec: false };
        if !again(1) {
            return Ok(body);
        }
        best.get_or_insert(body);
    }
    best.ok_or(reason)
}

/// A chain.
pub(super) fn latency(target: Target, lines: &[Line]) -> Result<Body, Reason> {
    let (mut best, mut reason): (Option<((Way, u32), Body)>, _) = (None, Reason::NotExecuted);
    for line in lines {
        let Some(own) = known(target, [line.text(0)]).and_then(|all| all.first().copied()) else { continue };
        let (writes, reads) = (registers(&own.uses.writes), registers(&own.uses.reads));
        reason = match (is_empty(&writes), is_empty(&reads)) {
            (true, _) => Reason::NoResult,
            (_, true) => Reason::NoSource,
            _ => Reason::Unchained,
        };
        let still = line.still();
        let direct = direct(&still).into_iter().filter_map(|line| Some((Way::Source, alone(target, &line)?)));
        let as_it_is = alone(target, &still).map(|body| (Way::Itself, body));
        let partners = with_partner(target, &still, &own.uses).into_iter().map(|body| (Way::Partner, body));
        for (way, body) in direct.chain(as_it_is).chain(partners) {
            let cost = (way, links(&body.link));
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, body));
            }
        }
    }
    best.map(|(_, body)| body).ok_or(reason)
}

/// How a result comes to the next copy; the first that is possible is taken, and of several the one through the fewest places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Way {
    /// As one of its sources.
    Source,
    /// As what it reads besides: an accumulator, SCC, EXEC.
    Itself,
    /// Through a partner.
    Partner,
}

/// Registers and the scalar condition, without EXEC where lanes are all there is to it.
fn registers(set: &Set) -> Set {
    shared(set, &Set { scalars: !(3 << slot::EXEC), vectors: [u64::MAX; 8], other: Other::all() })
}

/// How many kinds of places a set has.
fn links(set: &Set) -> u32 {
    let has = |mask: u128| u32::from(set.scalars & mask != 0);
    let named = 3 << slot::VCC | 3 << slot::EXEC;
    let vectors = u32::from(set.vectors != [0; 8]);
    vectors + has(3 << slot::VCC) + has(3 << slot::EXEC) + has(!named) + u32::from(set.other.contains(Other::SCC))
}

/// The instruction with one of its results in the place of one of its sources, every way.
fn direct(line: &Line) -> Vec<Line> {
    let mut all = Vec::new();
    for (result, source) in line.results.iter().flat_map(|r| line.sources.iter().map(move |s| (*r, *s))) {
        if let (Some(from), Some(to)) = (line.register(result), line.register(source))
            && from.bank == to.bank
        {
            all.push(line.moved(source, from.first));
        }
    }
    all
}

/// A chain of an instruction alone.
fn alone(target: Target, line: &Line) -> Option<Body> {
    let uses = known(target, [line.text(0)])?.first()?.uses;
    let link = shared(&uses.writes, &uses.reads);
    let (done, exec) = (done(line, &uses), exec(&uses));
    let body = Body { line: line.clone(), partner: None, spread: Some(1), link, done, exec };
    (!is_empty(&link)).then_some(body)
}

/// Chains of an instruction with something between.
fn with_partner(target: Target, line: &Line, own: &Uses) -> Vec<Body> {
    let mut all = Vec::new();
    let mut ends: Vec<(End, String)> = Vec::new();
    for (at, operand) in line.operands.iter().enumerate() {
        match operand {
            Operand::Register(register) if line.results.contains(&at) => ends.push(end(line, at, *register)),
            Operand::Vcc if own.writes.has_scalar(slot::VCC as u32) => ends.push((End::Mask, line.vcc.to_owned())),
            _ => {}
        }
    }
    if own.writes.other.contains(Other::SCC) {
        ends.push((End::Scc, String::new()));
    }
    for (from, text) in &ends {
        for at in &line.sources {
            let Some(source) = line.register(*at) else { continue };
            let (to, first) = match source.bank {
                Bank::Scalar => (End::Scalar, LINK_SCALAR),
                Bank::Vector => (End::Vector, line.ends().0.next_multiple_of(4)),
                Bank::Accumulation => (End::Accumulation, line.ends().1.next_multiple_of(4)),
            };
            let Some((.., partner)) = PARTNERS.iter().find(|(a, b, _)| (a, b) == (from, &to)) else { continue };
            let linked = line.moved(*at, first);
            let Some(place) = linked.register(*at).map(Register::word) else { continue };
            let partner = partner.replace("{to}", &place.to_string()).replace("{from}", text);
            let Some(steps) = known(target, [linked.text(0), partner.clone(), linked.text(0)]) else { continue };
            let link = shared(&steps[0].uses.writes, &steps[1].uses.reads);
            let back = shared(&steps[1].uses.writes, &steps[2].uses.reads);
            if !is_empty(&link) && !is_empty(&back) {
                let partner = Some((partner, steps[1].row));
                let (done, exec) = (Done::Register(place), exec(&steps[0].uses));
                all.push(Body { line: linked, partner, spread: Some(1), link, done, exec });
            }
        }
    }
    all
}

/// What a result is to a partner, and how it is written there.
fn end(line: &Line, at: usize, register: Register) -> (End, String) {
    match register.bank {
        Bank::Vector => (End::Vector, register.word().to_string()),
        Bank::Accumulation => (End::Accumulation, register.word().to_string()),
        Bank::Scalar if line.masks.contains(&at) => (End::Mask, register.to_string()),
        Bank::Scalar => (End::Scalar, register.word().to_string()),
    }
}

fn exec(uses: &Uses) -> bool {
    uses.writes.has_scalar(slot::EXEC as u32)
}

/// What says that an instruction is done: its vector result, where it has several.
fn done(line: &Line, uses: &Uses) -> Done {
    let mut registers: Vec<Register> = line.results.iter().filter_map(|at| line.register(*at)).collect();
    registers.sort_by_key(|register| register.bank == Bank::Scalar);
    match registers.first() {
        Some(register) => Done::Register(*register),
        None if uses.writes.has_scalar(slot::VCC as u32) => Done::Vcc,
        None if exec(uses) => Done::Exec,
        None if uses.writes.other.contains(Other::SCC) => Done::Scc,
        None => Done::Nothing,
    }
}
