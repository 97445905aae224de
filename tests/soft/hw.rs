//! Cases that ran on a card (gfx1100; `../shared/hw/register_cases.jsonl`, where it is there), as far as they are moves and operations of this module:
//! a small interpreter of their text, one lane at a time.

use std::path::Path;

use wavediff::emu::soft::{
    Adder, BF16, Env, F16, F32, F64, Format, Function, IntRound, NanRule, Rules, Turns, dot_f32, dot_packed,
};

/// The registers of one lane.
#[derive(Default)]
struct Lane {
    v: [u32; 16],
    s: [u32; 16],
    vcc: u64,
    index: u32,
}

/// The mode of the cases: f32 flushes, f16 and f64 do not.
fn env(f: Format) -> Env {
    Env::new(if f == F32 { Rules::FLUSH } else { Rules::IEEE })
}

impl Lane {
    /// An operand of a format, or of 32 bits without one; `None` for what is not understood.
    fn read(&self, text: &str, f: Option<Format>) -> Option<u64> {
        let text = text.trim();
        if let Some(rest) = text.strip_prefix('-').filter(|rest| rest.starts_with(['v', '|'])) {
            return Some(f?.neg(self.read(rest, f)?));
        }
        if let Some(rest) = text.strip_prefix('|') {
            return Some(f?.abs(self.read(rest.strip_suffix('|')?, f)?));
        }
        let wide = f == Some(F64);
        let half = f == Some(F16);
        if let Some(rest) = text.strip_prefix("v[").or(text.strip_prefix("s[")) {
            let first: usize = rest.split(':').next()?.parse().ok()?;
            let file = if text.starts_with('v') { &self.v } else { &self.s };
            return Some(u64::from(*file.get(first + 1)?) << 32 | u64::from(file[first]));
        }
        if let Some(rest) = text.strip_prefix('v').filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit())) {
            let (number, part) = rest.split_once('.').unwrap_or((rest, ""));
            let value = *self.v.get(number.parse::<usize>().ok()?)?;
            return Some(u64::from(match part {
                "h" => value >> 16,
                "l" => value & 0xffff,
                _ if half => value & 0xffff,
                _ => value,
            }));
        }
        if let Some(number) = text.strip_prefix('s') {
            let value = u64::from(*self.s.get(number.parse::<usize>().ok()?)?);
            return Some(if half { value & 0xffff } else { value });
        }
        if text.contains('.') {
            let value: f64 = text.parse().ok()?;
            let to = f.unwrap_or(F32);
            return Some(Env::new(Rules::IEEE).convert(F64, to, value.to_bits()));
        }
        let literal = match text.strip_prefix("0x") {
            Some(hex) => u32::from_str_radix(hex, 16).ok()?,
            None => text.parse::<i32>().ok()? as u32,
        };
        // A literal of a double is its upper half; inline integers are not met there.
        Some(if wide && text.starts_with("0x") { u64::from(literal) << 32 } else { u64::from(literal) })
    }

    fn write(&mut self, text: &str, value: u64) -> Option<()> {
        if let Some(rest) = text.strip_prefix("v[") {
            let first: usize = rest.split(':').next()?.parse().ok()?;
            (self.v[first], self.v[first + 1]) = (value as u32, (value >> 32) as u32);
        } else if text == "vcc_lo" {
            self.vcc = value;
        } else if let Some(rest) = text.strip_prefix('v') {
            let (number, part) = rest.split_once('.').unwrap_or((rest, ""));
            let register = self.v.get_mut(number.parse::<usize>().ok()?)?;
            *register = match part {
                "h" => *register & 0xffff | (value as u32) << 16,
                "l" => *register & 0xffff_0000 | value as u32 & 0xffff,
                _ => value as u32,
            };
        } else {
            *self.s.get_mut(text.strip_prefix('s')?.parse::<usize>().ok()?)? = value as u32;
        }
        Some(())
    }

    fn run(&mut self, line: &str) -> Option<()> {
        let (name, rest) = line.split_once(' ')?;
        let (rest, clamp) = rest.strip_suffix(" clamp").map_or((rest, false), |rest| (rest, true));
        if rest.contains("op_sel") || rest.contains("mul:") {
            return None;
        }
        let operands: Vec<&str> = rest.split(',').map(str::trim).collect();
        let name = name.trim_end_matches("_e32").trim_end_matches("_e64");
        let bit = self.vcc >> self.index & 1;
        let f = match () {
            () if name.contains("f64") && name != "v_cvt_f64_f32" => F64,
            () if name.ends_with("f16") && !name.starts_with("v_cvt_f16") || name == "v_cvt_f32_f16" => F16,
            () if name.ends_with("_f16_f16") => F16,
            () => F32,
        };
        let a = || self.read(operands.get(1)?, Some(f));
        let b = || self.read(operands.get(2)?, Some(f));
        let c = || self.read(operands.get(3)?, Some(f));
        let bits = |i: usize| self.read(operands.get(i)?, None);
        let env = &mut env(f);
        let rule = NanRule::Ieee;
        let stem = name.strip_prefix("v_").unwrap_or(name);
        let stem =
            stem.strip_suffix("_f16").or(stem.strip_suffix("_f32")).or(stem.strip_suffix("_f64")).unwrap_or(stem);
        let halves = |i: usize| Some([bits(i)? & 0xffff, bits(i)? >> 16]);
        let value = match (name, stem) {
            ("s_mov_b32" | "v_mov_b32", _) => bits(1)?,
            ("v_cvt_f16_f32", _) => env.convert(F32, F16, a()?),
            ("v_cvt_f32_f16", _) => env.convert(F16, F32, a()?),
            ("v_cvt_f64_f32", _) => env.convert(F32, F64, a()?),
            ("v_cvt_f64_u32", _) => env.from_u64(F64, bits(1)?),
            ("v_cvt_f32_i32", _) => env.from_i64(F32, i64::from(bits(1)? as i32)),
            ("v_cvt_f32_u32", _) => env.from_u64(F32, bits(1)?),
            ("v_cvt_i32_f32" | "v_cvt_i32_f64", _) => env.to_int(f, a()?, 32, true, IntRound::Trunc),
            ("v_cvt_u32_f32" | "v_cvt_u32_f64", _) => env.to_int(f, a()?, 32, false, IntRound::Trunc),
            ("v_cvt_i16_f16", _) => env.to_int(f, a()?, 16, true, IntRound::Trunc),
            ("v_cvt_norm_i16_f16", _) => env.to_norm(f, a()?, 16, true).into(),
            ("v_cvt_norm_u16_f16", _) => env.to_norm(f, a()?, 16, false).into(),
            ("v_cvt_pk_norm_i16_f32", _) => {
                u64::from(env.to_norm(f, a()?, 16, true)) | u64::from(env.to_norm(f, b()?, 16, true)) << 16
            }
            ("v_cvt_pk_norm_u16_f32", _) => {
                u64::from(env.to_norm(f, a()?, 16, false)) | u64::from(env.to_norm(f, b()?, 16, false)) << 16
            }
            ("v_cvt_pk_i16_f32", _) => {
                env.to_int(f, a()?, 16, true, IntRound::Trunc) | env.to_int(f, b()?, 16, true, IntRound::Trunc) << 16
            }
            ("v_cvt_pk_rtz_f16_f32", _) => {
                env.pkrtz(self.read(operands[1], Some(F32))?, self.read(operands[2], Some(F32))?)
            }
            ("v_cvt_pk_u8_f32", _) => env.pk_u8(a()?, bits(2)? as u32, bits(3)? as u32).into(),
            ("v_fma_mix_f32", _) => env.fma(F32, a()?, b()?, c()?),
            ("v_fma_mixlo_f16", _) => {
                let [a, b, c] = [1, 2, 3].map(|i| self.read(operands[i], Some(F32)));
                let old = self.read(operands[0], None)? & 0xffff_0000;
                old | env.fma_into(F32, F16, a?, b?, c?)
            }
            ("v_dot2_f32_f16" | "v_dot2_f32_bf16", _) => {
                let (a, b) = (halves(1)?, halves(2)?);
                let f = if name.ends_with("_bf16") { BF16 } else { F16 };
                dot_f32(Adder::Gfx11, f, &[(a[0], b[0]), (a[1], b[1])], bits(3)?)
            }
            ("v_dot2_f16_f16", _) => {
                let (a, b) = (halves(1)?, halves(2)?);
                dot_packed(Adder::Gfx11, F16, &[(a[0], b[0]), (a[1], b[1])], c()?, false)
            }
            ("v_mullit_f32", _) => env.mullit(a()?, b()?, c()?),
            ("v_trig_preop_f64", _) => env.trig_preop(a()?, bits(2)? as u32),
            ("v_ldexp_f64", _) => env.ldexp(f, a()?, bits(2)? as i32),
            (_, "add") => env.add(f, a()?, b()?),
            (_, "mul") => env.mul(f, a()?, b()?),
            (_, "fma") => env.fma(f, a()?, b()?, c()?),
            (_, "fmac") => env.fma(f, a()?, b()?, self.read(operands[0], Some(f))?),
            (_, "min") => env.min(f, rule, a()?, b()?),
            (_, "max") => env.max(f, rule, a()?, b()?),
            (_, "med3") => env.med3(f, rule, a()?, b()?, c()?),
            (_, "max3") => {
                let two = env.max(f, rule, a()?, b()?);
                env.max(f, rule, two, c()?)
            }
            (_, "maxmin") => {
                let two = env.max(f, rule, a()?, b()?);
                env.min(f, rule, two, c()?)
            }
            (_, "floor") => env.floor(f, a()?),
            (_, "ceil") => env.ceil(f, a()?),
            (_, "trunc") => env.trunc(f, a()?),
            (_, "rndne") => env.rndne(f, a()?),
            (_, "fract") => env.fract(f, a()?),
            (_, "exp") => env.rdna3(f, Function::Exp2, a()?),
            (_, "log") => env.rdna3(f, Function::Log2, a()?),
            (_, "rcp") => env.rdna3(f, Function::Rcp, a()?),
            (_, "rsq") => env.rdna3(f, Function::Rsq, a()?),
            (_, "sqrt") => env.rdna3(f, Function::Sqrt, a()?),
            (_, "sin") => env.rdna3(f, Function::Sin(Turns::Full), a()?),
            (_, "cos") => env.rdna3(f, Function::Cos(Turns::Full), a()?),
            (_, "cmp_class") => u64::from(f.classify(a()?) & bits(2)? as u32 != 0) << self.index,
            (_, "cmp_lt") => u64::from(env.compare(f, a()?, b()?).is_some_and(|o| o.is_lt())) << self.index,
            (_, "cmp_nge") => u64::from(env.compare(f, a()?, b()?).is_none_or(|o| o.is_lt())) << self.index,
            (_, "div_fmas") => env.div_fmas(f, a()?, b()?, c()?, bit != 0),
            (_, "div_fixup") => env.div_fixup(f, a()?, b()?, c()?),
            (_, "div_scale") => {
                let (value, flag) = env.div_scale(f, b()?, c()?, self.read(operands.get(4)?, Some(f))?);
                self.vcc = u64::from(flag) << self.index;
                value
            }
            _ => return None,
        };
        let value = if clamp { f.clamp(value, true) } else { value };
        self.write(operands[0], value)
    }
}

/// The text of a field of a line of the file, up to the bracket or brace that ends it.
fn field<'a>(line: &'a str, name: &str, end: &str) -> Option<&'a str> {
    let from = line.find(&format!("\"{name}\":"))? + name.len() + 3;
    line[from..].split(end).next()
}

/// All numbers of a text.
fn numbers(text: &str) -> Vec<u32> {
    text.split(|c: char| !c.is_ascii_digit()).filter(|n| !n.is_empty()).filter_map(|n| n.parse().ok()).collect()
}

#[test]
fn cases_of_a_card() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/hw/register_cases.jsonl");
    let Ok(text) = std::fs::read_to_string(path) else {
        eprintln!("skipped: no recorded cases");
        return;
    };
    let (mut cases, mut cells) = (0, 0);
    'cases: for line in text.lines().filter(|line| line.contains("\"arch\":\"rdna3\"")) {
        let (Some(asm), Some(lanes), Some(v), Some(checked)) =
            (field(line, "asm", "\"]"), field(line, "lanes", ","), field(line, "v", "]]"), line.find("\"checked\":"))
        else {
            continue;
        };
        let lanes: usize = numbers(lanes)[0] as usize;
        let mut states: Vec<Lane> = (0..lanes as u32).map(|index| Lane { index, ..Lane::default() }).collect();
        let mut floats = false;
        for line in asm.trim_start_matches("[\"").split("\",\"") {
            floats |= ["f16", "f32", "f64"].iter().any(|f| line.contains(f));
            let mut vcc = 0;
            for lane in &mut states {
                if lane.run(line).is_none() {
                    continue 'cases;
                }
                vcc |= lane.vcc;
            }
            states.iter_mut().for_each(|lane| lane.vcc = vcc);
        }
        if !floats {
            continue;
        }
        cases += 1;
        let v = numbers(v);
        let cells_of = field(&line[checked..], "v", "\"s\"").map(numbers).unwrap_or_default();
        for cell in cells_of.chunks(2) {
            let (lane, register) = (cell[0] as usize, cell[1] as usize);
            let (got, expected) = (states[lane].v[register], v[register * lanes + lane]);
            // The file writes any NaN for a NaN; an upper half of a double stands for itself.
            let nan = |a: u32| a & 0x7fff_ffff > 0x7f80_0000 || a & 0x7fff_ffff >= 0x7ff8_0000;
            assert!(got == expected || nan(got) && nan(expected), "{asm}: v{register} {got:#x}, not {expected:#x}");
            cells += 1;
        }
        if line[checked..].contains("\"vcc\":true") {
            assert_eq!(Some(states[0].vcc), field(line, "vcc", ",").map(|n| u64::from(numbers(n)[0])), "{asm}");
        }
    }
    eprintln!("{cases} cases, {cells} registers");
    assert!(cases > 100, "{cases} cases, {cells} registers");
}
