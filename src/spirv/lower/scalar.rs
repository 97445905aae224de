//! Scalar instructions that compute. Those that direct the wave are in [`super::control`].

use super::{Lower, Lowered};
use crate::isa::does::Does;
use crate::isa::row::Inst;
use crate::isa::sem::{Alg, Class};
use crate::program::Step;
use crate::program::place::slot;
use crate::spirv::alg::Word;
use crate::spirv::fault::Fault;
use crate::spirv::meaning::{self, Operand};

impl Lower<'_> {
    /// A scalar instruction.
    pub(super) fn scalar(&self, step: &Step, row: &'static Inst) -> Lowered {
        let Some(of) = step.meaning else { return self.control(step, row) };
        let writer = meaning::scalar(of).ok_or_else(|| format!("the meaning of {}", of.name))?;
        let saves = match row.does {
            Does::CombinesExec { saves } => Some(saves),
            _ => None,
        };
        let mut sources = Vec::with_capacity(writer.args.len());
        for (n, class) in writer.args.iter().enumerate() {
            let at = if saves.is_some() && n == 1 { slot::EXEC as u32 } else { step.src[n.min(3)] };
            sources.push(match class {
                Class::Bit if self.has(Fault::SccInInverted) => {
                    Operand::bit(self.alg(Word::Known(0)).negate(self.scc()))
                }
                Class::Bit => Operand::bit(self.scc()),
                Class::U64 | Class::F64 => Operand::words(&[self.s(at), self.s(at + 1)]),
                _ => Operand::words(&[self.s(at)]),
            });
        }
        let k = self.floats(Word::Known(0));
        let results = (writer.write)(&k, &sources);
        if let Some(saves) = saves {
            return self.exec_with(step, saves, writer.args[0] == Class::U64, &results);
        }
        for (class, result) in writer.ret.iter().zip(results) {
            match class {
                Class::Bit if self.has(Fault::SccKept) => {}
                Class::Bit => self.set_scc(result.bit),
                Class::U64 | Class::F64 => self.set_s64(step.dst, (result.words[0], result.words[1])),
                _ => self.set_s(step.dst, result.words[0]),
            }
        }
        Ok(())
    }

    /// Writes what was made of EXEC; the destination gets the old EXEC (`saveexec`) or the new one (`wrexec`).
    fn exec_with(&self, step: &Step, saves: bool, wide: bool, results: &[Operand]) -> Lowered {
        let k = self.alg(Word::Known(0));
        let exec = slot::EXEC as u32;
        let new = (results[0].words[0], if wide { results[0].words[1] } else { Word::Known(0) });
        let gets_old = if saves { !self.has(Fault::SaveexecNew) } else { self.has(Fault::WrexecOld) };
        let to = if gets_old { self.s64(exec) } else { new };
        if wide {
            self.set_s64(step.dst, to);
            self.set_s64(exec, new);
        } else {
            self.set_s(step.dst, to.0);
            self.set_s(exec, new.0);
        }
        if !self.has(Fault::ExecSccKept) {
            self.set_scc(k.negate(self.is_zero(new)));
        }
        Ok(())
    }
}
