//! Mistakes in the frame, each a change of its assembly, and the cases that notice them.

/// A mistake: what stands in the frame, and what a careless hand would have written.
pub struct Mistake {
    /// What is wrong.
    pub name: &'static str,
    /// The beginning of the line, its end, and which of those lines counts from the first.
    pub line: (&'static str, &'static str, usize),
    /// What stands there instead: nothing, or a word in it for another.
    pub instead: Option<(&'static str, &'static str)>,
}

const fn gone(name: &'static str, starts: &'static str, ends: &'static str, nth: usize) -> Mistake {
    Mistake { name, line: (starts, ends, nth), instead: None }
}

const fn other(
    name: &'static str,
    line: (&'static str, &'static str, usize),
    a: &'static str,
    b: &'static str,
) -> Mistake {
    Mistake { name, line, instead: Some((a, b)) }
}

/// On gfx1030 with waves of 64 lanes.
#[rustfmt::skip]
pub const MISTAKES: &[Mistake] = &[
    other("the wave of its group is counted in lanes", ("s_lshr_b32", "", 0), ", 6", ", 5"),
    other("every group has one wave", ("s_mul_i32", "", 0), ", 0x2", ", 0x1"),
    gone("absent waves go on", "s_cbranch_scc1 present", "", 0),
    gone("LDS is filled by all before it is loaded", "s_barrier", "", 0),
    gone("LDS is not filled", "ds_write_b32", "", 0),
    gone("a vector register is not loaded", "buffer_load_dword v1,", "", 0),
    gone("v0 stays the clock's", "buffer_load_dword v0,", "offset:768", 0),
    gone("scalar registers are not loaded", "s_load_dwordx4 s[0:3]", "", 0),
    gone("the lower half of EXEC is full", "s_mov_b32 exec_lo, vcc_lo", "", 0),
    gone("the upper half of EXEC is full", "s_mov_b32 exec_hi, vcc_hi", "", 0),
    gone("M0 is the group", "s_mov_b32 m0, vcc_lo", "", 0),
    other("SCC is turned", ("s_cmp_lg_u32 vcc_lo, 0", "", 0), "lg", "eq"),
    other("VCC has one half twice", ("s_mov_b32 vcc_hi, s", "", 1), "vcc_hi", "vcc_lo"),
    gone("MODE is the driver's", "s_setreg_b32 hwreg(HW_REG_MODE)", "", 0),
    other("SCC is stored turned", ("s_cselect_b32", "", 0), "1, 0", "0, 1"),
    gone("EXEC is not full when registers are stored", "s_mov_b32 exec_lo, -1", "", 2),
    gone("EXEC is stored as it is then", "s_mov_b32 s", "exec_lo", 0),
    gone("v0 is stored as what comes later", "buffer_store_dword v0,", "offset:768", 0),
    other("scalar registers change places", ("v_writelane_b32 v0, s2,", "", 0), "s2", "s3"),
    gone("M0 is not stored", "v_writelane_b32 v0, m0", "", 0),
    gone("VCC is not stored", "v_writelane_b32 v0, vcc_hi", "", 0),
    gone("a vector register is not stored", "buffer_store_dword v1,", "", 0),
    other("the first wave that is done stores LDS", ("s_cbranch_scc1 done", "", 0), "scc1", "scc0"),
    gone("LDS is not stored", "ds_read_b32", "", 0),
    other("LDS is stored shifted", ("ds_read_b32", "", 0), "offset:0", "offset:4"),
];

/// In the copy that counts its steps, of [`BRANCHES`] on gfx1030.
#[rustfmt::skip]
pub const COUNTED: &[Mistake] = &[
    other("SCC is put aside turned", ("s_cselect_b32 s", ", 1, 0", 0), "1, 0", "0, 1"),
    gone("SCC is not put back", "s_cmp_lg_u32 s", ", 0", 1),
    gone("SCC is not put back where waves leave", "s_cmp_lg_u32 s", ", 0", 19),
    gone("a step is not counted", "s_sub_u32 s", ", 1", 3),
    other("a step counts twice", ("s_sub_u32 s", ", 1", 3), ", 1", ", 2"),
    gone("waves do not leave", "s_cbranch_scc1 paused", "", 4),
    other("where a wave is comes from the step behind", ("s_mov_b32 s", ", 0x8000000a", 0), "0a", "0b"),
    other("a branch is turned", ("s_cbranch_vccz", "", 0), "vccz", "vccnz"),
    other("a branch leads to its own step", ("s_cbranch_execz at", "", 0), "at", "at1"),
];

/// Where waves meet, in the copy of [`BARRIERS`] on gfx1030.
#[rustfmt::skip]
pub const MEETING: &[Mistake] = &[
    gone("nobody waits until all have said what is left", "s_barrier", "", 1),
    gone("the next barrier comes too early", "s_barrier", "", 2),
    gone("what is left is each wave's own", "buffer_atomic_umax", "", 1),
    other("the least is the most", ("s_not_b32", "", 0), "not", "mov"),
    gone("a pause is not told", "buffer_atomic_or", "", 1),
    gone("an end is told as a pause", "s_lshr_b32 s", ", 31", 0),
    other("a wave that is held was paused", ("s_mov_b32 s", ", 0xc000000e", 0), "0xc", "0x8"),
    gone("v0 is not put aside", "buffer_store_dword v0,", "s99", 0),
    gone("v0 does not come back", "buffer_load_dword v0,", "s99", 0),
    gone("EXEC has the first lane", "s_mov_b32 exec_lo, s", "", 0),
    gone("MODE is plain", "s_setreg_b32 hwreg(HW_REG_MODE)", "", 1),
    other("SCC is put aside turned at the barrier", ("s_cselect_b32 s", ", 1, 0", 13), "1, 0", "0, 1"),
];

/// Three waves that meet in a loop, each on another way there, of which one ends before; the second group has two.
pub const BARRIERS: &str = "; isa: ARCH
; wave: 64
; grid: 320
; group: 192
; lds: 1280
; lds = random(3)
; mode: round32=zero
; s0 = wave
; v0 = lane
; v1 = lane * 4 + wave * 256
; exec = [0xfffffff0fffffff0, 0xffffffffffffffff, 0xffffffff]
s_mov_b32 m0, -1
s_mov_b32 s1, 3
again:
s_cmp_eq_u32 s0, 1
s_cbranch_scc1 meet
ds_read_b32 v2, v1
s_waitcnt lgkmcnt(0)
s_add_u32 s2, s2, s0
s_cmp_eq_u32 s1, 2
s_cselect_b32 s3, 2, 0
s_and_b32 s3, s3, s0
s_cmp_eq_u32 s3, 2
s_cbranch_scc1 end
meet:
s_barrier
s_cselect_b32 s4, 8, 9
ds_write_b32 v1, v2
v_add_f32 v0, v0, v2
s_sub_u32 s1, s1, 1
s_cmp_lg_u32 s1, 0
s_cbranch_scc1 again
end:
s_mov_b32 s5, 5
";

/// Loops of different length, in groups of two waves, by every condition.
pub const BRANCHES: &str = "; isa: ARCH
; wave: 64
; grid: 192
; group: 128
; s0 = wave
; v0 = lane
; v1 = f32 ramp(1, 1)
; scc = [1, 0]
s_cselect_b32 s5, 1, 2
s_add_u32 s1, s0, 2
again:
v_cmp_gt_u32 vcc, s1, v0
v_add_f32 v1, v1, v1
s_cbranch_vccz over
s_xor_b32 s2, s2, s1
over:
s_sub_u32 s1, s1, 1
s_cmp_lg_u32 s1, 0
s_cbranch_scc1 again
s_cmp_eq_u32 s0, 1
s_cbranch_scc0 end
s_mov_b64 exec, 0
s_cbranch_execz end
s_mov_b32 s2, 7
end:
s_cselect_b32 s6, 1, 2
s_branch last
s_mov_b32 s7, 1
last:
s_mov_b32 s3, 5
";

impl Mistake {
    /// The frame with the mistake; nothing where it has no such line.
    pub fn put(&self, text: &str) -> Option<String> {
        let (starts, ends, nth) = self.line;
        let is_one = |line: &str| line.starts_with(starts) && line.ends_with(ends);
        let at = text.lines().enumerate().filter(|(_, line)| is_one(line)).nth(nth)?.0;
        let lines = text.lines().enumerate().filter_map(|(n, line)| match self.instead {
            _ if n != at => Some(line.to_owned()),
            None => None,
            Some((a, b)) => Some(line.replacen(a, b, 1)),
        });
        let spoiled: String = lines.map(|line| line + "\n").collect();
        (spoiled != text).then_some(spoiled)
    }
}

/// Two waves a group, of which the last lacks one; LDS, all registers, the modes.
pub const PROBE: &str = "; isa: gfx1030
; wave: 64
; grid: 320
; group: 128
; lds: 512
; lds = random(7)
; mode: round32=zero, denorm32=keep, ieee=0
; buffer out[4096]
; s[0:1] = address(out)
; s2 = 0x11112222
; s3 = 0x33334444
; s[4:7] = [wave, wave * 3, 7, 0x8000]
; vcc = [0x123456789abcdef0, 0xfedcba9876543210, 5, 6, 7]
; exec = [0x0fffffff0ffffff0, 0xffffffffffffffff, 0xf0f0f0f0f0f0f0f0, 0xf, 0xffffffff00000000]
; scc = [1, 0, 1, 1, 0]
; m0 = 0x7f
; v0 = item
; v1 = random_f32(3, normal)
; v2 = lane * 4
s_cselect_b32 s8, 5, 6
v_mul_f32 v3, v1, v1
v_lshlrev_b32 v4, 2, v0
global_store_dword v4, v3, s[0:1]
s_cmp_eq_u32 s4, 0
s_cbranch_scc0 second
s_nop 7
s_nop 7
s_nop 7
s_nop 7
second:
ds_read_b32 v5, v2 offset:256
s_waitcnt lgkmcnt(0)
ds_add_u32 v2, v0
s_waitcnt vmcnt(0) lgkmcnt(0)
v_add_nc_u32 v0, v0, v5
v_xor_b32 v1, v0, v3
s_cmp_eq_u32 s5, 3
";
