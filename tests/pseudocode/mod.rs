//! A second implementation of what instructions mean, to test the first one with: the pseudo-code of AMD's guides, run as it is printed.
//! It shares nothing with `src`: its own lexer and parser, integers with explicit widths, and floats computed with big integers and
//! rounded once.
//!
//! The texts are not here ([`guides`]); without them `Reference::load` gives `None` and tests say they are skipped.
//!
//! ```text
//!   text --lex--> tokens --parse--> tree --eval--> one lane's results
//!                                    |              |  builtin   f32_to_i32, floor, fma, ...
//!                                  types            |  float     NaN, flushing, rounding under MODE, on exact numbers
//!                          what S0, S1, S2 are      |  faults    what is run instead of a wrong text
//!                          (edges of each type)     |  approx    functions without public bits: a host value and a tolerance
//!                                                   +  modifiers OMOD, CLAMP
//! ```
//!
//! One call evaluates one lane (all lanes of the permutations and matrix products, which name registers). Operands come as raw bits
//! after ABS, NEG and OPSEL, which belong to the encoding; 16-bit operands and results are in the low half, packed operands hold the
//! halves that OPSEL chose. S0 of the SOPK comparisons is the register, S0 of S_SETREG_IMM32_B32 its literal. Writes are latched: the machine's state changes only in `Outputs`. Whether the lane is switched on, and
//! what becomes of the upper half of a 16-bit destination, is the caller's business: `d0_mask` says which bits the text wrote.
//!
//! What is not known gives `NotCovered`, never a guess.

#![allow(dead_code, reason = "each test takes the part it needs")]

pub mod approx;
pub mod ast;
pub mod builtin;
pub mod division;
pub mod dot;
pub mod edges;
pub mod eval;
pub mod exact;
pub mod faults;
pub mod float;
pub mod guides;
pub mod lanes;
pub mod lex;
pub mod matrix;
pub mod modifiers;
pub mod natives;
pub mod parse;
pub mod place;
pub mod scalar;
pub mod types;
pub mod value;

use eval::Machine;
use exact::Format;
use faults::Fix;
use float::Mode;
pub use guides::Guide;
use std::collections::BTreeMap;
use value::{Sums, Ty};

/// The instructions of a guide that have a text.
pub struct Reference {
    entries: BTreeMap<String, Entry>,
    /// Other names of these, under which they may be asked for.
    aliases: BTreeMap<String, String>,
    /// What runs instead of a wrong text, by name.
    fixes: BTreeMap<&'static str, Vec<ast::Stmt>>,
    /// Memory instructions, which [`Reference::access`] runs.
    accesses: BTreeMap<String, Entry>,
}

/// One instruction.
pub struct Entry {
    pub encodings: Vec<String>,
    pub text: String,
    /// Whether the guide means the text as code.
    pub formal: bool,
    pub program: Result<Vec<ast::Stmt>, String>,
}

/// What one lane sees. Everything has a neutral default.
#[derive(Clone)]
pub struct Inputs<'a> {
    pub s: [u128; 3],
    /// The old destination, which some instructions read.
    pub d0: u128,
    pub vcc: u64,
    pub scc: bool,
    pub exec: u64,
    pub m0: u32,
    pub lane: u32,
    pub wave_size: u32,
    /// SIMM16 or SIMM32.
    pub simm: u32,
    /// The address of the instruction.
    pub pc: i64,
    pub mode: Mode,
    pub clamp: bool,
    /// 1: times 2, 2: times 4, 3: halved.
    pub omod: u8,
    /// Of V_PERMLANE*16: FI and BOUND_CTRL. Of V_FMA_MIX*: the halves.
    pub opsel: u32,
    pub opsel_hi: u32,
    /// Of the integer dot and matrix products: which operands are signed. Of the float matrix products: NEG.
    pub neg: u32,
    /// Of the float matrix products.
    pub neg_hi: u32,
    /// The hardware register of S_GETREG and S_SETREG.
    pub hwreg: u32,
    /// Register numbers, for instructions that address registers themselves.
    pub src: [u32; 3],
    pub vdst: u32,
    /// Reads a vector register: lane, register.
    pub vgprs: Option<&'a dyn Fn(u32, u32) -> u32>,
    /// Reads a scalar register and the one after it.
    pub sgprs: Option<&'a dyn Fn(u32) -> u64>,
    /// Reads a byte of memory.
    pub memory: Option<&'a dyn Fn(u32) -> u8>,
    /// What a component of memory with a format is in registers.
    pub component: Option<&'a dyn Fn(usize) -> u32>,
}

impl Default for Inputs<'_> {
    fn default() -> Self {
        Inputs {
            s: [0; 3],
            d0: 0,
            vcc: 0,
            scc: false,
            exec: 1,
            m0: 0,
            lane: 0,
            wave_size: 32,
            simm: 0,
            pc: 0,
            mode: Mode::default(),
            clamp: false,
            omod: 0,
            opsel: 0,
            opsel_hi: 0,
            neg: 0,
            neg_hi: 0,
            hwreg: 0,
            src: [0; 3],
            vdst: 0,
            vgprs: None,
            sgprs: None,
            memory: None,
            component: None,
        }
    }
}

impl Inputs<'_> {
    fn vgpr(&self, lane: u32, register: u32) -> Result<u32, String> {
        self.vgprs.map(|read| read(lane, register)).ok_or_else(|| "no vector registers were given".into())
    }
    fn sgpr(&self, register: u32) -> Result<u64, String> {
        self.sgprs.map(|read| read(register)).ok_or_else(|| "no scalar registers were given".into())
    }
}

/// How far a result may be from the one given: in units of the last place, or absolutely, whichever is more.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    pub format: Format,
    pub ulp: u64,
    pub absolute: f64,
}

/// The state after the instruction, as far as one lane decides it.
#[derive(Clone, Debug, PartialEq)]
pub struct Outputs {
    pub d0: u128,
    /// The bits of D0 that were written; none of an instruction without destination, or of one that did nothing.
    pub d0_mask: u128,
    /// The type of what was written last.
    pub d0_ty: Ty,
    /// The new S0 of the swaps.
    pub s0: Option<u128>,
    pub vcc: u64,
    pub scc: bool,
    pub exec: u64,
    pub pc: i64,
    pub hwreg: u32,
    /// Lane, register and value of each vector register written by number.
    pub vgprs: Vec<(u32, u32, u32)>,
    pub sgprs: Vec<(u32, u64)>,
    pub approx: Option<Tolerance>,
    /// A NaN stands for every NaN: its sign or payload is not known.
    pub nan_any: bool,
    /// SCC is not known.
    pub scc_any: bool,
}

impl Outputs {
    /// Whether another destination agrees with this one, as exactly as this one is known.
    pub fn agrees(&self, d0: u128) -> bool {
        let (ours, theirs) = (self.d0 & self.d0_mask, d0 & self.d0_mask);
        if ours == theirs {
            return true;
        }
        let (a, b) = (ours as u64, theirs as u64);
        if let (true, Ty::F(format)) = (self.nan_any, self.d0_ty) {
            return format.is_nan(a) && format.is_nan(b);
        }
        let Some(Tolerance { format, ulp, absolute }) = self.approx else { return false };
        if format.is_nan(a) || format.is_nan(b) {
            return false;
        }
        let order = |bits: u64| {
            let size = (bits & !format.sign_bit()) as i128;
            if format.negative(bits) { -size } else { size }
        };
        let wide = |bits| f64::from_bits(float::convert_raw(format, exact::F64, bits, &Mode::default()));
        order(a).abs_diff(order(b)) <= u128::from(ulp) || (wide(a) - wide(b)).abs() <= absolute
    }
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotCovered(pub String);

/// What a memory instruction did for one lane.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Accessed {
    /// What was stored: the address, bytes, and bits.
    pub stores: Vec<(u32, u32, u128)>,
    /// The vector data behind it; nothing where the text has none.
    pub result: Option<u128>,
    /// Parts of the scalar data: the first bit, how many, and what they are.
    pub scalars: Vec<(u32, u32, u128)>,
    /// What was stored with a format: the component, and the register's bits.
    pub components: Vec<(usize, u32)>,
}

const MEMORY: [&str; 7] = ["SMEM", "DS", "MUBUF", "MTBUF", "FLAT", "GLOBAL", "SCRATCH"];

const ENCODINGS: [&str; 12] =
    ["SOP1", "SOP2", "SOPK", "SOPC", "SOPP", "VOP1", "VOP2", "VOP3", "VOP3SD", "VOPC", "VOP3P", "VINTERP"];

impl Reference {
    /// The texts of a guide, where they are there. `WAVEDIFF_REQUIRE_GUIDES=1` wants those of the package to be.
    pub fn load(guide: Guide) -> Option<Reference> {
        let texts = guide.texts();
        let wanted = guide.is_packed() && std::env::var("WAVEDIFF_REQUIRE_GUIDES").is_ok_and(|wanted| wanted == "1");
        assert!(texts.is_some() || !wanted, "the texts of {guide:?} are not there: GUIDES is not set");
        Some(Self::of(texts?))
    }

    fn of(texts: Vec<guides::Written>) -> Reference {
        let (mut entries, mut accesses) = (BTreeMap::new(), BTreeMap::new());
        for guides::Written { name, encodings, text, formal } in texts {
            let is_one_of = |all: &[&str]| encodings.iter().any(|e| all.contains(&e.as_str())) && !text.is_empty();
            let all = if is_one_of(&MEMORY) {
                &mut accesses
            } else if is_one_of(&ENCODINGS) {
                &mut entries
            } else {
                continue;
            };
            let program = parse::program(&text);
            all.entry(name).or_insert(Entry { encodings, text, formal, program });
        }
        let fix = |fault: &faults::Fault| match fault.fix {
            Fix::Text(text) => Some((fault.name, parse::program(text).expect("the text of a fix"))),
            _ => None,
        };
        Reference {
            entries,
            aliases: BTreeMap::new(),
            fixes: faults::FAULTS.iter().filter_map(fix).collect(),
            accesses,
        }
    }

    /// Lets an instruction be asked for by another name than the guide's. What is known of faults goes by the names of RDNA3.
    pub fn call(&mut self, name: String, own: String) {
        if name != own {
            self.aliases.insert(name, own);
        }
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(String::as_str)
    }

    pub fn entry(&self, name: &str) -> Option<&Entry> {
        self.entries.get(self.aliases.get(name).map_or(name, String::as_str))
    }

    /// What the operands of an instruction are.
    pub fn operands(&self, name: &str) -> Option<types::Operands> {
        let program = self.entry(name)?.program.as_ref().ok()?;
        Some(types::operands(name, program))
    }

    /// What an instruction does for one lane.
    pub fn eval(&self, name: &str, inputs: &Inputs) -> Result<Outputs, NotCovered> {
        self.outputs(name, inputs, |machine| self.run_entry(name, machine))
    }

    /// What the text says, faults and all: to show that a fault is one.
    pub fn eval_as_printed(&self, name: &str, inputs: &Inputs) -> Result<Outputs, NotCovered> {
        self.outputs(name, inputs, |machine| self.run_text(name, machine))
    }

    /// Whether a memory instruction has a text that says what is read and written, and not only in words.
    pub fn is_access(&self, name: &str) -> bool {
        let Some(entry) = self.accesses.get(name) else { return false };
        self.has_access(name) && ["MEM[", "LDS["].iter().any(|memory| entry.text.contains(memory))
    }

    /// Whether a memory instruction's text has a word.
    pub fn says(&self, name: &str, word: &str) -> bool {
        self.accesses.get(name).is_some_and(|entry| entry.text.contains(word))
    }

    /// Whether a memory instruction has a text that is code.
    pub fn has_access(&self, name: &str) -> bool {
        self.accesses.get(name).is_some_and(|entry| entry.formal && entry.program.is_ok())
    }

    /// What a memory instruction does for one lane. Its operands have the names of the text, and so has its result, which is among them
    /// as it was before.
    pub fn access(
        &self,
        name: &str,
        inputs: &Inputs,
        operands: &[(&str, u128)],
        result: &str,
    ) -> Result<Accessed, NotCovered> {
        let machine = self.with_operands(name, inputs, operands)?;
        let result = match machine.names.get(result) {
            Some(eval::Bound::One(value)) => Some(value.bits),
            // Words, of which there are fewer than bits of a number.
            Some(eval::Bound::Many(words)) => Some(words.iter().rev().fold(0, |all, word| all << 32 | word.bits)),
            _ => None,
        };
        Ok(Accessed { stores: machine.stores, result, scalars: machine.data, components: machine.components })
    }

    /// What a memory instruction does that names vector registers of all lanes: lane, register and value of each that it writes.
    pub fn across(
        &self,
        name: &str,
        inputs: &Inputs,
        operands: &[(&str, u128)],
    ) -> Result<Vec<(u32, u32, u32)>, NotCovered> {
        Ok(self.with_operands(name, inputs, operands)?.vgprs)
    }

    fn with_operands<'a>(
        &'a self,
        name: &str,
        inputs: &'a Inputs<'a>,
        operands: &[(&str, u128)],
    ) -> Result<Machine<'a>, NotCovered> {
        let unknown = || NotCovered(format!("no text of {name}"));
        let program = self.accesses.get(name).and_then(|entry| entry.program.as_ref().ok()).ok_or_else(unknown)?;
        let mut machine = Machine::new(self, inputs);
        for (name, bits) in operands {
            machine.names.insert((*name).to_owned(), eval::Bound::One(value::Value::new(Ty::B(128), *bits)));
        }
        machine.run(program).map_err(NotCovered)?;
        Ok(machine)
    }

    fn outputs(
        &self,
        name: &str,
        inputs: &Inputs,
        run: impl Fn(&mut Machine) -> Result<(), String>,
    ) -> Result<Outputs, NotCovered> {
        let mut machine = Machine::new(self, inputs);
        if inputs.clamp && modifiers::saturates(name) {
            machine.sums = Sums::Wide;
        }
        run(&mut machine).and_then(|()| modifiers::apply(name, &mut machine)).map_err(NotCovered)?;
        // How a subtraction's negation treats the sign of a NaN has not been seen.
        if let Ty::F(format) = machine.d0_ty {
            machine.nan_any |=
                (name.starts_with("V_SUB") || name.starts_with("S_SUB")) && format.is_nan(machine.d0 as u64);
        }
        Ok(Outputs {
            d0: machine.d0,
            d0_mask: machine.d0_mask,
            d0_ty: machine.d0_ty,
            s0: machine.s0_out,
            vcc: machine.vcc,
            scc: machine.scc,
            exec: machine.exec,
            pc: machine.pc,
            hwreg: machine.hwreg,
            vgprs: machine.vgprs,
            sgprs: machine.sgprs,
            approx: machine.approx,
            nan_any: machine.nan_any,
            scc_any: machine.scc_any,
        })
    }

    fn run_entry(&self, name: &str, machine: &mut Machine) -> Result<(), String> {
        self.entry(name).ok_or_else(|| format!("no text of {name}"))?;
        match (faults::find(name).map(|f| f.fix), self.fixes.get(name)) {
            (Some(Fix::Native(run)), _) => run(machine),
            (Some(Fix::Unknown), _) => Err("what it gives is not known".into()),
            (_, Some(fixed)) => machine.run(fixed).map(drop),
            _ => approx::run(name, machine).unwrap_or_else(|| self.run_text(name, machine)),
        }
    }

    fn run_text(&self, name: &str, machine: &mut Machine) -> Result<(), String> {
        let entry = self.entry(name).ok_or_else(|| format!("no text of {name}"))?;
        if !entry.formal {
            return Err("the text is prose".into());
        }
        // A class test looks at denormals, whatever MODE says.
        if name.contains("_CLASS_") {
            machine.flush_inputs = [false; 4];
        }
        machine.run(entry.program.as_ref().map_err(Clone::clone)?).map(drop)
    }
}
