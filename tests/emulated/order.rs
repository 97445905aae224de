//! What the order of lanes decides is told from what is wrong.

use wavediff::case::Case;
use wavediff::emu::engine::Emulator;
use wavediff::engine::compare::{Difference, outcomes};
use wavediff::engine::order::{Order, Turns};
use wavediff::engine::{Engine, Options, Outcome};

/// A case, what it leaves in the usual order of lanes, and what another order leaves otherwise.
fn of(text: &str, turns: Turns) -> (Case, Outcome, Vec<Difference>) {
    let case = Case::parse(text, "race").expect("a case");
    let target = case.targets()[0];
    let order = Order { turns, ..Order::default() };
    let [usual, other] = [Order::default(), order].map(|order| {
        let emulator = Emulator { options: Options { order, ..Options::default() } };
        Engine::run(&emulator, &case, target).expect("it runs")
    });
    let differences = outcomes(&case, target, &usual, &other);
    (case, usual, differences)
}

/// Lanes that store to one word of the local data share race for it, and for nothing else.
#[test]
fn what_the_order_decides_is_told_from_the_rest() {
    let text = "; isa: gfx900\n; wave: 64\n; lds: 64\n; v0 = 0\n; v1 = lane\n; observe: v1, lds\nds_write_b32 v0, v1\n";
    let (case, usual, mut differences) = of(text, Turns::DOWN);
    let (emulator, target) = (Emulator::default(), case.targets()[0]);
    assert_eq!(differences.len(), 1, "{differences:?}");
    assert!(emulator.order_decides(&case, target, &usual, &differences));
    differences.push(Difference { place: "v1".to_owned(), ..differences[0].clone() });
    assert!(!emulator.order_decides(&case, target, &usual, &differences), "v1 is what it is in any order");
}

/// A lane in the middle that alone has another value: no order of neighbours shows that it may win.
#[test]
fn any_lane_may_come_last() {
    let text = "; isa: gfx900\n; wave: 64\n; lds: 64\n; v0 = 0\n; v1 = lane\n; observe: lds\n\
        v_cmp_eq_u32 vcc, 21, v1\nv_cndmask_b32 v2, 0, 1, vcc\nds_write_b32 v0, v2\n";
    let winner = Turns { down: false, last: Some((63, 21)) };
    let (case, usual, differences) = of(text, winner);
    assert_eq!(differences.len(), 1, "{differences:?}");
    assert!(Turns::OTHERS.iter().all(|turns| of(text, *turns).2.is_empty()));
    let (emulator, target) = (Emulator::default(), case.targets()[0]);
    assert!(emulator.order_decides(&case, target, &usual, &differences));
    assert!(emulator.lanes_race(&case, target));
    let apart = text.replace("; v0 = 0\n", "; v0 = lane * 4\n").replace("lds: 64", "lds: 256");
    assert!(!emulator.lanes_race(&Case::parse(&apart, "apart").expect("a case"), target));
}
