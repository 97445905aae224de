use std::time::Instant;
use wavediff::asm::{Assembler, expr::NoSymbols};
use wavediff::emu::{dispatch::Dispatch, plan::Program, run::{Apertures, Limits}, wave::Wave};
use wavediff::isa::{Arch, Target};
use wavediff::memory::guest::Memory;
fn main() {
    for (name, body, per) in [
        ("v_add_f32", vec!["v_add_f32 v2, v0, v1"; 32], 32),
        ("v_fma_f32", vec!["v_fma_f32 v2, v0, v1, v3"; 32], 32),
        ("v_add_f32 s", vec!["v_add_f32 v2, s0, v1"; 32], 32),
        ("v_mul const", vec!["v_mul_f32 v2, 2.0, v1"; 32], 32),
        ("v_and_b32", vec!["v_and_b32 v2, v0, v1"; 32], 32),
        ("v_mov_b32", vec!["v_mov_b32 v2, v0"; 32], 32),
        ("v_cmp_lt_f32", vec!["v_cmp_lt_f32 vcc, v0, v1"; 32], 32),
        ("v_cndmask", vec!["v_cndmask_b32 v2, v0, v1, vcc"; 32], 32),
        ("s_add_u32", vec!["s_add_u32 s1, s2, s3"; 32], 32),
        ("s_and_b64", vec!["s_and_b64 s[4:5], s[2:3], s[6:7]"; 32], 32),
        ("v_rcp_f32", vec!["v_rcp_f32 v2, v0"; 32], 32),
        ("v_exp_f32", vec!["v_exp_f32 v2, v0"; 32], 32),
        ("v_add_f64", vec!["v_add_f64 v[4:5], v[6:7], v[8:9]"; 32], 32),
        ("v_add_co", vec!["v_add_co_u32 v2, vcc, v0, v1"; 32], 32),
        ("v_add -|", vec!["v_add_f32 v2, -v0, |v1|"; 32], 32),
    ] {
        let target = Target::new(Arch::find("gfx900").unwrap());
        let a = Assembler::new(target);
        let mut words = Vec::new();
        let mut lines = vec![];
        lines.extend(body);
        lines.push("s_sub_u32 s10, s10, 1"); lines.push("s_cmp_lg_u32 s10, 0");
        for l in &lines { let c = a.encode(l, &NoSymbols).unwrap_or_else(|e| panic!("{l}: {e:?}")); words.extend_from_slice(&c.words[..c.len as usize]); }
        let off = -(words.len() as i32) - 1;
        words.push(0xbf850000 | (off as u16 as u32));
        words.push(0xbf810000);
        let p = Program::plan(target, &words, 0x1000);
        let m = Memory::new();
        let n = 200_000u32;
        let setup = |_: [u32;3], _: u32, w: &mut Wave| { w.s[10] = n; for l in 0..64 { w.set_vgpr(0, l, (1.5f32 + l as f32).to_bits()); w.set_vgpr(1, l, (2.5f32).to_bits()); w.set_vgpr(3, l, 0.25f32.to_bits()); w.set_vgpr(7,l,0x40000000); w.set_vgpr(9,l,0x40100000);} };
        let n2 = if name.contains("exp") { n/50 } else { n };
        let setup2 = |g: [u32;3], i: u32, w: &mut Wave| { setup(g,i,w); w.s[10]=n2; };
        let d = Dispatch { program: &p, memory: &m, groups: [1;3], waves: 1, lanes: 64, lds: 0, apertures: Apertures::default(), scratch_per_lane: 0, limits: Limits::default(), shuffle: None, threads: 1, keep: false, setup: &setup2 };
        let t = Instant::now();
        let f = d.run();
        let e = t.elapsed().as_secs_f64();
        println!("{name:14} {:8.1} M wave-instructions/s   {:6.2} ns   ({} steps, {} groups)", f.steps as f64 / e / 1e6, e * 1e9 / f.steps as f64, f.steps, f.groups.len());
        let _ = per;
    }
}
