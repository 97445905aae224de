//! The interpreter of the guide's pseudo-code, tested by itself: what it covers, that each listed fault is one, and what an RX 7900 XTX
//! said about instructions that can be set apart. Without the text in `../shared` the tests say that they are skipped.

#[path = "pseudocode/mod.rs"]
mod pseudocode;

#[path = "pseudocode/facts.rs"]
mod facts;
#[path = "pseudocode/hardware.rs"]
mod hardware;

use hardware::{Wave, agrees, shown};
use pseudocode::edges::{arranged, operand_edges};
use pseudocode::exact::Rounding;
use pseudocode::faults::{FAULTS, Fix};
use pseudocode::float::Mode;
use pseudocode::{Guide, Inputs, NotCovered, Reference};
use std::collections::BTreeMap;

fn reference() -> Option<Reference> {
    let reference = Reference::load(Guide::Rdna3);
    if reference.is_none() {
        println!("skipped: the pseudo-code is not there");
    }
    reference
}

/// Registers that hold their own number and lane.
fn vgpr(lane: u32, register: u32) -> u32 {
    0x3f80_0000 + register * 0x10000 + lane * 0x100
}
fn sgpr(register: u32) -> u64 {
    0x5000_0000_4000_0000 + u64::from(register)
}

/// Inputs for an instruction: edges of each operand against each other, under a few states.
fn visit(reference: &Reference, name: &str, mut each: impl FnMut(&Inputs)) {
    let Some(operands) = reference.operands(name) else { return };
    let lists = operands.s.map(|o| o.map_or(vec![0], operand_edges));
    let longest = lists.iter().map(Vec::len).max().unwrap_or(1).max(64);
    let modes = [
        Mode::default(),
        Mode { ieee: false, dx10_clamp: false, denorm32_in: true, denorm32_out: true, ..Mode::default() },
        Mode {
            round32: Rounding::Down,
            round64: Rounding::Up,
            denorm64_in: false,
            denorm64_out: false,
            ..Mode::default()
        },
    ];
    let mut at = |indices: [usize; 3], round: usize, step: usize| {
        let s = arranged(name, [0, 1, 2].map(|i| lists[i][indices[i] % lists[i].len()])).map(u128::from);
        each(&Inputs {
            s,
            // Above an accumulator there is something else.
            d0: s[step % 3] | 0xabcd << 40,
            vcc: if round % 5 == 3 { 1 << 32 } else { 0x5555_5555_5555_5555 << (round % 2) },
            scc: round % 3 == 1,
            exec: if round % 5 == 4 { 0 } else { 0xffff_fff7 },
            m0: 3,
            lane: (round % 32) as u32,
            wave_size: if step == 7 { 64 } else { 32 },
            simm: (round as u32 * 0x1357) & 0xffff,
            pc: 0x1000,
            mode: modes[step % 3],
            opsel: (round % 8) as u32,
            opsel_hi: (round / 3 % 8) as u32,
            neg: (round / 2 % 4) as u32,
            hwreg: 0x8765_4321,
            src: [1, 2, 3],
            vdst: 4,
            vgprs: Some(&vgpr),
            sgprs: Some(&sgpr),
            ..Inputs::default()
        });
    };
    for round in 0..longest {
        // Coprime steps pair every value of one operand with different values of the others.
        for step in [0, 1, 7, 13] {
            at([0, 1, 2].map(|i| round * (1 + i * step) + i * step), round, step);
        }
    }
    // And some values each with each: of floats these are +0, a positive number, -0, a negative one, a NaN.
    let corner = |i: usize, n: usize| lists[i].len() * [0, 1, 2, 3, 4][n] / 4 - usize::from(n == 4);
    for n in 0..125 {
        at([corner(0, n % 5), corner(1, n / 5 % 5), corner(2, n / 25)], n, 0);
    }
}

#[test]
fn every_formal_text_parses() {
    let Some(reference) = reference() else { return };
    let mut bad = Vec::new();
    for name in reference.names() {
        let entry = reference.entry(name).expect("an entry");
        if let (true, Err(error)) = (entry.formal, &entry.program) {
            bad.push(format!("{name}: {error}\n    {}", entry.text));
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

/// Instructions that give no answer at all, with the reason: every other one evaluates for some input.
#[rustfmt::skip]
const NEVER: &[(&str, &str)] = &[
    ("S_TRAP", "waits in words"),
    ("S_WAITCNT", "prose"),
    ("S_WAITCNT_EXPCNT", "prose"),
    ("S_WAITCNT_LGKMCNT", "prose"),
    ("S_WAITCNT_VMCNT", "prose"),
    ("S_WAITCNT_VSCNT", "prose"),
    ("V_WMMA_BF16_16X16X16_BF16", "sums of 16 bits: alignment and rounding are not known well enough"),
    ("V_WMMA_F16_16X16X16_F16", "the same"),
];

#[test]
fn what_evaluates() {
    let Some(reference) = reference() else { return };
    let mut by_encoding: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
    let mut never = Vec::new();
    for name in reference.names() {
        let (mut yes, mut no, mut reason) = (0, 0, String::new());
        visit(&reference, name, |inputs| match reference.eval(name, inputs) {
            Ok(_) => yes += 1,
            Err(NotCovered(why)) => {
                no += 1;
                reason = why;
            }
        });
        for encoding in &reference.entry(name).expect("an entry").encodings {
            let counts = by_encoding.entry(encoding).or_default();
            counts[0] += 1;
            counts[1] += usize::from(yes > 0);
            counts[2] += usize::from(yes > 0 && no == 0);
        }
        if yes == 0 {
            never.push((name, reason));
        } else if no > 0 {
            println!("{name}: {yes} evaluate, {no} do not: {reason}");
        }
    }
    for (encoding, [all, some, every]) in by_encoding {
        println!("{encoding}: {some} of {all} evaluate, {every} for every input tried");
    }
    assert!(NEVER.iter().all(|(_, why)| !why.is_empty()));
    let listed: Vec<&str> = NEVER.iter().map(|(name, _)| *name).collect();
    let found: Vec<&str> = never.iter().map(|(name, _)| *name).collect();
    assert_eq!(found, listed, "{never:#?}");
}

#[test]
fn each_fault_is_one() {
    let Some(reference) = reference() else { return };
    let mut idle = Vec::new();
    for fault in FAULTS {
        assert!(reference.entry(fault.name).is_some(), "{} is no instruction", fault.name);
        assert!(!fault.why.is_empty());
        let mut needed = matches!(fault.fix, Fix::Unknown);
        visit(&reference, fault.name, |inputs| {
            needed |= reference.eval(fault.name, inputs) != reference.eval_as_printed(fault.name, inputs);
        });
        if !needed {
            idle.push(fault.name);
        }
    }
    assert!(idle.is_empty(), "the text of these is as good as the fix: {idle:?}");
}

#[test]
fn agrees_with_hardware() {
    let Some(reference) = reference() else { return };
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/hw/register_cases.jsonl");
    let Ok(text) = std::fs::read_to_string(path) else {
        println!("skipped: {path} is not there");
        return;
    };
    let (mut run, mut aside, mut wrong) = (0, BTreeMap::<String, usize>::new(), Vec::new());
    for line in text.lines() {
        let case: serde_json::Value = serde_json::from_str(line).expect("a case");
        if case["arch"] != "rdna3" || !case["v"].is_array() {
            continue;
        }
        let number = |value: &serde_json::Value| value.as_u64().unwrap_or(0) as u32;
        let mut wave = Wave::new(&reference, number(&case["lanes"]), number(&case["wave"]));
        let program: Vec<&str> = case["asm"].as_array().into_iter().flatten().filter_map(|l| l.as_str()).collect();
        if let Some(why) = program.iter().find_map(|line| wave.step(line).err()) {
            *aside.entry(why).or_default() += 1;
            continue;
        }
        run += 1;
        let list = |value: &serde_json::Value| value.as_array().cloned().unwrap_or_default();
        let mut differ = Vec::new();
        for pair in list(&case["checked"]["v"]) {
            let (lane, register) = (number(&pair[0]), number(&pair[1]));
            let expected = number(&case["v"][register as usize][lane as usize]);
            if !agrees(&wave, register, lane, expected) {
                let ours = wave.v[register as usize][lane as usize];
                differ.push(format!("v{register} of lane {lane}: {}, hardware {}", shown(ours), shown(expected)));
            }
        }
        for register in list(&case["checked"]["s"]) {
            let register = number(&register);
            let expected = if register == 126 { &case["exec"] } else { &case["s"][register as usize] };
            if wave.s[register as usize] != number(expected) {
                differ.push(format!("s{register}: {:#x}, hardware {:#x}", wave.s[register as usize], number(expected)));
            }
        }
        if case["checked"]["vcc"] == true && wave.s[106] != number(&case["vcc"]) {
            differ.push(format!("vcc: {:#x}, hardware {}", wave.s[106], case["vcc"]));
        }
        if case["checked"]["scc"] == true && u32::from(wave.scc) != number(&case["scc"]) {
            differ.push(format!("scc: {}, hardware {}", wave.scc, case["scc"]));
        }
        if !differ.is_empty() {
            wrong.push(format!("{}\n    {}\n    {}", case["test"], program.join("; "), differ.join("\n    ")));
        }
    }
    println!("{run} programs run, {} set aside", aside.values().sum::<usize>());
    for (why, count) in &aside {
        println!("    {count}: {why}");
    }
    assert!(wrong.is_empty(), "{} of {run} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(run >= 100, "only {run} programs could be run");
}
