//! Buffers without formats: addresses and ranges (MEMORY_FACTS 1 to 3), and where data goes.

use crate::{BASE, Machine, PROCESSORS, counting, fill, fill64, from, set_m0, target, vgpr};
use wavediff::emu::wave::Wave;
use wavediff::isa::Gen;

/// A descriptor of the buffer.
#[derive(Clone, Copy, Default)]
pub(crate) struct Buffer {
    pub(crate) stride: u32,
    pub(crate) records: u32,
    /// Swizzled, elements of 4 bytes.
    pub(crate) swizzle: bool,
    /// 8 << this.
    pub(crate) index_stride: u32,
    pub(crate) add_tid: bool,
    /// From gfx10 on.
    pub(crate) select: u32,
    /// The format as this generation counts; 0 is that of an f32.
    pub(crate) format: u32,
    /// The sources of components, 0 is x, y, z, w.
    pub(crate) selects: u32,
}

/// Raw: so many bytes.
pub(crate) const fn raw(bytes: u32) -> Buffer {
    let none = false;
    Buffer {
        stride: 0,
        records: bytes,
        swizzle: none,
        index_stride: 0,
        add_tid: none,
        select: 3,
        format: 0,
        selects: 0,
    }
}

impl Buffer {
    /// Puts it into s[4:7].
    pub(crate) fn put(self, wave: &mut Wave) {
        let g = wave.env.target.generation();
        let swizzle = match g {
            Gen::Gfx11 | Gen::Gfx12 => u32::from(self.swizzle) << 30,
            _ => u32::from(self.swizzle) << 31,
        };
        wave.s[4] = BASE as u32;
        wave.s[5] = (BASE >> 32) as u32 | self.stride << 16 | swizzle;
        wave.s[6] = self.records;
        let selects = if self.selects == 0 { 0xfac } else { self.selects };
        let format = match (g, self.format) {
            (Gen::Gfx10 | Gen::Gfx11 | Gen::Gfx12, 0) => 22 << 12,
            (Gen::Gfx10 | Gen::Gfx11 | Gen::Gfx12, format) => format << 12,
            (Gen::Gfx8 | Gen::Gfx9, 0) if self.add_tid => 0,
            (_, 0) => 4 << 15 | 7 << 12,
            (_, format) => (format & 15) << 15 | format >> 4 << 12,
        };
        let element = if g <= Gen::Gfx8 { 1 << 19 } else { 0 };
        let select = if g >= Gen::Gfx10 { self.select << 28 } else { 0 };
        wave.s[7] = selects | format | element | select | self.index_stride << 21 | u32::from(self.add_tid) << 23;
    }
}

/// The scalar offset 0.
pub(crate) fn zero(machine: &Machine) -> &'static str {
    if machine.target.generation() == Gen::Gfx12 { "null" } else { "0" }
}

fn generation(machine: &Machine) -> Gen {
    machine.target.generation()
}

#[test]
fn raw_loads_and_stores() {
    for name in PROCESSORS {
        let mut machine = Machine::new(target(name), 256);
        let zero = zero(&machine);
        let set = |wave: &mut Wave| {
            raw(1024).put(wave);
            fill(wave, 0, |lane| lane * 4);
            fill(wave, 9, |lane| 1000 + lane);
            wave.s[8] = 8;
        };
        let text = format!(
            "buffer_load_dword v1, v0, s[4:7], s8 offen offset:4; buffer_load_dwordx4 v[2:5], v0, s[4:7], {zero} offen; buffer_load_dword v6, off, s[4:7], s8 offset:16; buffer_load_dwordx2 v[0:1], v0, s[4:7], {zero} offen offset:64"
        );
        let wave = machine.done(&text.replace("v1, v0", "v7, v0"), set);
        for lane in 0..machine.lanes {
            let got = [7, 2, 3, 4, 5, 6, 0, 1].map(|r| wave.vgpr(r, lane as usize));
            let w = |n: u32| counting(lane + n);
            assert_eq!(got, [w(3), w(0), w(1), w(2), w(3), counting(6), w(16), w(17)], "{name} {lane}");
        }
        machine.done("buffer_store_dword v9, v0, s[4:7], s8 offen offset:4", |wave| {
            set(wave);
            wave.set_exec(0b101);
        });
        assert_eq!(
            [2, 3, 4, 5, 6].map(|n| machine.word(BASE + n * 4)),
            [counting(2), 1000, counting(4), 1002, counting(6)],
            "{name}"
        );
    }
}

/// Inline constants are scalar offsets (BU4).
#[test]
fn constant_offsets() {
    for name in PROCESSORS.into_iter().filter(|name| *name != "gfx1200") {
        let mut machine = Machine::new(target(name), 16);
        let wave =
            machine.done("buffer_load_dword v1, off, s[4:7], 12; buffer_load_dword v2, off, s[4:7], m0", |wave| {
                raw(64).put(wave);
                set_m0(wave, 20);
            });
        assert_eq!([1, 2].map(|r| wave.vgpr(r, 5)), [counting(3), counting(5)], "{name}");
    }
}

/// Dword by dword; an address below 0 is far beyond the end; the last partial word differs.
#[test]
fn raw_bounds() {
    for name in PROCESSORS {
        let mut machine = Machine::new(target(name), 64);
        let zero = zero(&machine);
        let load = |machine: &mut Machine, bytes: u32, offset: u32| {
            let text = format!("buffer_load_dwordx4 v[2:5], v0, s[4:7], {zero} offen");
            let wave = machine.done(&text, |wave| {
                raw(bytes).put(wave);
                fill(wave, 0, |_| offset);
                fill(wave, 2, |_| 7);
            });
            [2, 3, 4, 5].map(|r| wave.vgpr(r, 3))
        };
        assert_eq!(load(&mut machine, 40, 32), [counting(8), counting(9), 0, 0], "{name}");
        assert_eq!(load(&mut machine, 40, -4i32 as u32), [0; 4], "{name}");
        let whole = generation(&machine) >= Gen::Gfx11;
        assert_eq!(load(&mut machine, 38, 32), [counting(8), if whole { 0 } else { counting(9) }, 0, 0], "{name}");
        // Stores drop the same words.
        machine.done(&format!("buffer_store_dwordx4 v[2:5], v0, s[4:7], {zero} offen"), |wave| {
            raw(40).put(wave);
            fill(wave, 0, |_| 36);
            (2..6).for_each(|n| fill(wave, n, |_| n as u32));
        });
        assert_eq!([36, 40].map(|at| machine.word(BASE + at)), [2, counting(10)], "{name}");
        // No descriptor at all: nothing.
        let wave = machine.done(
            &format!("buffer_load_dword v2, off, s[4:7], {zero}; buffer_store_dword v2, off, s[4:7], {zero}"),
            |wave| {
                fill(wave, 2, |_| 7);
            },
        );
        assert_eq!(vgpr(&wave, 2)[0], 0, "{name}");
    }
}

/// Records: by index, with an offset inside (IDXEN, or both).
#[test]
fn structured() {
    for name in PROCESSORS {
        let mut machine = Machine::new(target(name), 64);
        let zero = zero(&machine);
        let g = generation(&machine);
        let records = if g == Gen::Gfx8 { 48 } else { 3 };
        let set = |wave: &mut Wave| {
            Buffer { stride: 16, select: 0, ..raw(records) }.put(wave);
            fill(wave, 0, |lane| lane);
            fill(wave, 1, |_| 8);
            fill(wave, 5, |_| 7);
        };
        let text = format!(
            "buffer_load_dword v5, v0, s[4:7], {zero} idxen offset:4; buffer_load_dword v6, v[0:1], s[4:7], {zero} idxen offen offset:4; buffer_load_dword v7, v0, s[4:7], {zero} idxen offset:16"
        );
        let wave = machine.done(&text, set);
        assert_eq!(vgpr(&wave, 5)[..4], [counting(1), counting(5), counting(9), 0], "{name}");
        assert_eq!(vgpr(&wave, 6)[..4], [counting(3), counting(7), counting(11), 0], "{name}");
        // Beyond the record: gfx8 counts bytes, gfx9 the index alone.
        let beyond = match g {
            Gen::Gfx8 => [counting(4), counting(8), 0, 0],
            Gen::Gfx9 => [counting(4), counting(8), counting(12), 0],
            _ => [0; 4],
        };
        assert_eq!(vgpr(&wave, 7)[..4], beyond, "{name}");
    }
}

/// (index/IS*stride + offset/ES*ES)*IS + index%IS*ES + offset%ES, with IS = 8 and ES = 4.
#[test]
fn swizzled() {
    for name in PROCESSORS {
        let mut machine = Machine::new(target(name), 256);
        let zero = zero(&machine);
        let text = format!(
            "buffer_load_dwordx2 v[2:3], v0, s[4:7], {zero} idxen offset:4; buffer_store_byte v4, v0, s[4:7], {zero} idxen offset:13"
        );
        let wave = machine.done(&text, |wave| {
            Buffer { stride: 16, swizzle: true, select: 1, ..raw(1000) }.put(wave);
            fill(wave, 0, |lane| lane % 16);
            fill(wave, 4, |lane| 0x80 + lane % 16);
        });
        let place = |index: u32, offset: u32| (index / 8 * 16 + offset / 4 * 4) * 8 + index % 8 * 4 + offset % 4;
        for lane in 0..16 {
            let words = [4, 8].map(|offset| counting(place(lane, offset) / 4));
            assert_eq!([2, 3].map(|r| wave.vgpr(r, lane as usize)), words, "{name} {lane}");
            let at = BASE + u64::from(place(lane, 13));
            assert_eq!(machine.bytes(at, 1), [0x80 + lane as u8], "{name} {lane}");
        }
    }
}

/// The lane is the index: in records, and in scratch as LLVM lays it out: (offset & ~3) * 64 + lane * 4 + (offset & 3).
#[test]
fn lane_as_index() {
    for name in PROCESSORS {
        let mut machine = Machine::new(target(name), 256);
        let zero = zero(&machine);
        let text = format!("buffer_load_dword v2, off, s[4:7], {zero} offset:8");
        let wave = machine.done(&text, |wave| Buffer { stride: 12, add_tid: true, ..raw(1024) }.put(wave));
        for lane in 0..machine.lanes.min(64) {
            assert_eq!(wave.vgpr(2, lane as usize), counting(lane * 3 + 2), "{name} {lane}");
        }
        let text = format!("buffer_load_ubyte v2, v0, s[4:7], {zero} offen offset:2");
        let wave = machine.done(&text, |wave| {
            fill(wave, 0, |lane| lane % 3);
            Buffer { swizzle: true, add_tid: true, index_stride: 3, ..raw(u32::MAX) }.put(wave);
        });
        for lane in 0..machine.lanes {
            let offset = lane % 3 + 2;
            let at = (offset & !3) * 64 + lane * 4 + (offset & 3);
            assert_eq!(wave.vgpr(2, lane as usize), counting(at / 4) >> (at % 4 * 8) & 0xff, "{name} {lane}");
        }
    }
}

/// base + address + offset + soffset, without a check (gfx6, gfx7).
#[test]
fn addr64() {
    for name in ["gfx600", "gfx700"] {
        let mut machine = Machine::new(target(name), 64);
        let text =
            "buffer_load_dword v1, v[2:3], s[4:7], s8 addr64 offset:4; buffer_store_dword v3, v[2:3], s[4:7], 0 addr64";
        let wave = machine.done(text, |wave| {
            raw(1).put(wave);
            fill64(wave, 2, |lane| u64::from(lane % 8) * 4);
            wave.s[8] = 16;
        });
        assert_eq!(vgpr(&wave, 1)[..3], [counting(5), counting(6), counting(7)], "{name}");
        assert_eq!(machine.word(BASE + 28), 0, "{name}");
    }
}

/// gfx6 drops low address bits, later processors take every address.
#[test]
fn alignment() {
    for name in PROCESSORS {
        let mut machine = Machine::new(target(name), 64);
        let zero = zero(&machine);
        let text = format!(
            "buffer_load_dword v1, off, s[4:7], {zero} offset:5; buffer_load_ushort v2, off, s[4:7], {zero} offset:7"
        );
        let wave = machine.done(&text, |wave| raw(256).put(wave));
        let expected = if name == "gfx600" { [0x0706_0504, 0x0706] } else { [0x0807_0605, 0x0807] };
        assert_eq!([1, 2].map(|r| wave.vgpr(r, 0)), expected, "{name}");
    }
}

#[test]
fn narrow() {
    for name in PROCESSORS {
        let mut machine = Machine::new(target(name), 64);
        let zero = zero(&machine);
        machine.set_word(BASE + 4, 0x8182_8384);
        let text = format!(
            "buffer_load_ubyte v1, off, s[4:7], {zero} offset:6; buffer_load_sbyte v2, off, s[4:7], {zero} offset:6; buffer_load_ushort v3, off, s[4:7], {zero} offset:4; buffer_load_sshort v4, off, s[4:7], {zero} offset:4; buffer_load_sshort v5, off, s[4:7], {zero} offset:64; buffer_store_byte v6, off, s[4:7], {zero} offset:9; buffer_store_short v6, off, s[4:7], {zero} offset:14"
        );
        let wave = machine.done(&text, |wave| {
            raw(64).put(wave);
            fill(wave, 5, |_| 7);
            fill(wave, 6, |_| 0xaabb_ccdd);
        });
        let expected = [0x82, 0xffff_ff82, 0x8384, 0xffff_8384, 0];
        assert_eq!([1, 2, 3, 4, 5].map(|r| wave.vgpr(r, 9)), expected, "{name}");
        assert_eq!([8, 12].map(|at| machine.word(BASE + at)), [0x0b0a_dd08, 0xccdd_0d0c], "{name}");
    }
    for target in from(Gen::Gfx9) {
        let mut machine = Machine::new(target, 64);
        let zero = zero(&machine);
        machine.set_word(BASE + 4, 0x8182_8384);
        let text = format!(
            "buffer_load_ubyte_d16 v1, off, s[4:7], {zero} offset:6; buffer_load_sbyte_d16_hi v2, off, s[4:7], {zero} offset:6; buffer_load_short_d16_hi v3, off, s[4:7], {zero} offset:4; buffer_store_byte_d16_hi v6, off, s[4:7], {zero} offset:9; buffer_store_short_d16_hi v6, off, s[4:7], {zero} offset:14"
        );
        let wave = machine.done(&text, |wave| {
            raw(64).put(wave);
            for n in [1, 2, 3, 6] {
                fill(wave, n, |_| 0xaabb_ccdd);
            }
        });
        assert_eq!([1, 2, 3].map(|r| wave.vgpr(r, 9)), [0xaabb_0082, 0xff82_ccdd, 0x8384_ccdd]);
        assert_eq!([8, 12].map(|at| machine.word(BASE + at)), [0x0b0a_bb08, 0xaabb_0d0c]);
    }
}

/// The status word says that all is well.
#[test]
fn status_word() {
    for name in PROCESSORS.into_iter().filter(|name| *name != "gfx90a") {
        let mut machine = Machine::new(target(name), 64);
        let zero = zero(&machine);
        let wave = machine.done(&format!("buffer_load_dwordx2 v[1:3], off, s[4:7], {zero} offset:4 tfe"), |wave| {
            raw(256).put(wave);
            fill(wave, 3, |_| 7);
            wave.set_exec(1);
        });
        assert_eq!([1, 2, 3].map(|r| wave.vgpr(r, 0)), [counting(1), counting(2), 0], "{name}");
        assert_eq!(wave.vgpr(3, 1), 7, "{name}");
    }
}

/// LDS + M0 + lane * 4, and from gfx9 the offset of the instruction; what is out of range is 0.
#[test]
fn loads_to_lds() {
    for name in ["gfx600", "gfx700", "gfx803", "gfx900", "gfx90a", "gfx1030", "gfx1100"] {
        let mut machine = Machine::new(target(name), 64);
        let g = generation(&machine);
        let text = if g == Gen::Gfx11 {
            "buffer_load_lds_b32 v0, s[4:7], 0 offen offset:4; buffer_load_lds_u8 off, s[4:7], s8 offset:4"
        } else {
            "buffer_load_dword v0, s[4:7], 0 offen offset:4 lds; buffer_load_ubyte off, s[4:7], s8 offset:4 lds"
        };
        // Both write the same place: the second one with fewer lanes.
        let (first, second) = text.split_once(';').expect("two");
        machine.done(first, |wave| {
            raw(20).put(wave);
            fill(wave, 0, |lane| lane * 8);
            set_m0(wave, 0x70_0100);
            wave.set_exec(0b1011);
        });
        machine.done(second, |wave| {
            raw(64).put(wave);
            wave.s[8] = 17;
            set_m0(wave, 0x100);
            wave.set_exec(0b1_0000);
        });
        let start = 64 + usize::from(g >= Gen::Gfx9);
        let words = &machine.lds.words()[start..start + 5];
        let kept = counting(start as u32 + 2);
        assert_eq!(words, [counting(1), counting(3), kept, 0, 21], "{name}");
    }
    for name in ["gfx803", "gfx900"] {
        let mut machine = Machine::new(target(name), 64);
        machine.done("buffer_store_lds_dword s[4:7], 0 offset:8 lds", |wave| {
            Buffer { stride: 4, add_tid: true, ..raw(1024) }.put(wave);
            set_m0(wave, 0x40);
            wave.set_exec(0b10);
        });
        let expected = counting(if name == "gfx803" { 17 } else { 19 });
        assert_eq!([8, 12, 16].map(|at| machine.word(BASE + at)), [counting(2), expected, counting(4)], "{name}");
    }
}

/// In range but not mapped: the first such lane fails; those before it are done.
#[test]
fn faults() {
    for name in PROCESSORS {
        let mut machine = Machine::new(target(name), 16);
        let zero = zero(&machine);
        let fault = machine.fault(&format!("buffer_store_dword v1, v0, s[4:7], {zero} offen"), |wave| {
            raw(1 << 20).put(wave);
            fill(wave, 0, |lane| lane * 32);
        });
        assert_eq!((fault, machine.word(BASE + 32)), ((BASE + 64, 2), 0), "{name}");
    }
}

#[test]
fn cache_control() {
    for (name, text) in [
        ("gfx600", "buffer_wbinvl1; buffer_wbinvl1_sc"),
        ("gfx700", "buffer_wbinvl1_vol"),
        ("gfx90a", "buffer_wbl2; buffer_invl2"),
        ("gfx1030", "buffer_gl0_inv; buffer_gl1_inv"),
        ("gfx1200", "global_inv; global_wb; global_wbinv"),
    ] {
        Machine::new(target(name), 1).done(text, |_| {});
    }
}

/// A negative register and a positive offset in the instruction meet in range, as ACO has it on every generation. (In swizzled buffers
/// from gfx9 only: `memory::buffer::tests`.)
#[test]
fn sums_of_offsets() {
    for name in PROCESSORS {
        let mut machine = Machine::new(target(name), 64);
        let zero = zero(&machine);
        let text = format!("buffer_load_dword v1, v0, s[4:7], {zero} offen offset:16");
        let wave = machine.done(&text, |wave| {
            raw(64).put(wave);
            fill(wave, 0, |_| -8i32 as u32);
        });
        assert_eq!(wave.vgpr(1, 0), counting(2), "{name}");
    }
}
