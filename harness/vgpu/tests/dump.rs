//! A dispatch that traps becomes a case, and the case traps in the same place for the same reason.

mod support;

use support::{DATA, Machine, packet, pair, program, set};
use wavediff::case::Case;
use wavediff::emu::engine::Emulator;
use wavediff::engine::Engine as _;
use wavediff::isa::Target;
use wavediff_vgpu::card::{Engine, Settings};

#[test]
fn a_trap_is_kept_as_a_case() {
    let folder = std::env::temp_dir().join(format!("wavediff-dump-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("fits");
    let machine = Machine::with("polaris10", Settings { dump: Some(folder.clone()), ..Settings::default() });
    // The address of the second load comes out of memory; group 2 alone goes wrong.
    machine.code(
        "s_lshl_b32 s3, s2, 3
         s_load_dwordx2 s[4:5], s[0:1], s3
         s_waitcnt lgkmcnt(0)
         s_load_dword s6, s[4:5], 0x0
         s_endpgm",
    );
    let [low, high] = pair(DATA + 0x100);
    machine.put(DATA, &[low, high, low, high, 0xdead_0000, 0]);
    let stream = [program(2 << 1 | 1 << 7, [16, 1, 1]), set(0xb900, &pair(DATA)), packet(0x15, &[3, 1, 1, 5])].concat();
    let lost = machine.run(Engine::Graphics, &stream).expect_err("it goes wrong").to_string();
    let files: Vec<_> = std::fs::read_dir(&folder).expect("fits").map(|entry| entry.expect("fits").path()).collect();
    let [file] = &files[..] else { panic!("a case was written, and nothing beside it: {files:?}") };
    assert!(lost.contains(&format!("it is kept as {}", file.display())), "{lost}");
    let text = std::fs::read_to_string(file).expect("fits");
    let case = Case::parse(&text, "dump.s").unwrap_or_else(|e| panic!("{e}\n{text}"));
    let target = Target::new(machine.card.chip.arch());
    let trap = Emulator::default().run(&case, target).expect("fits").trap.expect("it traps as it did");
    assert_eq!((trap.group, trap.wave, trap.address), ([2, 0, 0], 0, Some(0xdead_0000)), "{trap}");
    // What the card said of it, less the address of the code.
    assert!(lost.contains(&trap.to_string()), "{lost}\n{trap}");
    std::fs::remove_dir_all(folder).expect("fits");
}
