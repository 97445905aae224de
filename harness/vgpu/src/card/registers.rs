//! The registers of a ring.
//!
//! Packets write them by four bases; they keep their values from one command buffer to the next, and from one submission to the
//! next. Those that no compute dispatch looks at are kept too: a program may copy them.

use crate::fault::planted;
use wavediff::launch::compute::Compute;

/// The first and the last byte address that there is, as Mesa numbers registers.
const FIRST: u32 = 0x8000;
const END: u32 = 0x4_0000;

/// Where the packets of a kind count from, and where their registers end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The byte address of its first register.
    pub base: u32,
    /// The byte address behind its last one.
    pub end: u32,
}

/// `SET_CONFIG_REG`.
pub const CONFIG: Range = Range { base: 0x8000, end: 0xb000 };
/// `SET_SH_REG`.
pub const SH: Range = Range { base: 0xb000, end: 0xc000 };
/// `SET_CONTEXT_REG`.
pub const CONTEXT: Range = Range { base: 0x2_8000, end: 0x3_0000 };
/// `SET_UCONFIG_REG`.
pub const UCONFIG: Range = Range { base: 0x3_0000, end: 0x4_0000 };

/// Registers of compute dispatches, by byte address (ABI_FACTS section 9).
mod at {
    pub const START: u32 = 0xb810;
    pub const THREADS: u32 = 0xb81c;
    pub const PGM: u32 = 0xb830;
    pub const SCRATCH_BASE: u32 = 0xb840;
    pub const RSRC1: u32 = 0xb848;
    pub const RSRC2: u32 = 0xb84c;
    pub const TMPRING: u32 = 0xb860;
    pub const RSRC3: u32 = 0xb8a0;
    pub const USER_DATA: u32 = 0xb900;
}

/// The registers.
pub struct Registers(Box<[u32]>);

impl Default for Registers {
    fn default() -> Registers {
        Registers(vec![0; ((END - FIRST) / 4) as usize].into())
    }
}

impl Registers {
    /// The register at a byte address; zero where there is none that is kept.
    #[must_use]
    pub fn get(&self, address: u32) -> u32 {
        self.index(address).map_or(0, |n| self.0[n])
    }

    /// Writes the register at a byte address; whether there is one.
    pub fn set(&mut self, address: u32, value: u32) -> bool {
        let Some(n) = self.index(address) else { return false };
        self.0[n] = value;
        true
    }

    /// Writes consecutive registers of a range, from a number of it on; whether all of them are in it.
    pub fn set_all(&mut self, range: Range, number: u32, values: &[u32]) -> bool {
        let base = if range == SH && planted!(ShBase) { CONFIG.base } else { range.base };
        let first = u64::from(base) + 4 * u64::from(number);
        if first + 4 * values.len() as u64 > range.end.into() {
            return false;
        }
        (first as u32..).step_by(4).zip(values).all(|(at, value)| self.set(at, *value))
    }

    fn index(&self, address: u32) -> Option<usize> {
        (address & 3 == 0 && (FIRST..END).contains(&address)).then(|| ((address - FIRST) / 4) as usize)
    }

    fn three(&self, address: u32) -> [u32; 3] {
        [0, 1, 2].map(|n| self.get(address + 4 * n))
    }

    /// What a dispatch takes from them, with the numbers of its packet.
    #[must_use]
    pub fn compute(&self, dims: [u32; 3], initiator: u32) -> Compute {
        let pair = |at: u32, low: u32, high: u32| u64::from(self.get(at)) << low | u64::from(self.get(at + 4)) << high;
        let [x, y, z] = self.three(at::THREADS);
        let mut compute = Compute {
            initiator,
            dims,
            start: self.three(at::START),
            threads: if planted!(ThreadsSwapped) { [x, z, y] } else { [x, y, z] },
            entry: canonical(pair(at::PGM, 8, 40)),
            rsrc: [self.get(at::RSRC1), self.get(at::RSRC2), self.get(at::RSRC3)],
            tmpring: self.get(at::TMPRING),
            scratch: canonical(pair(at::SCRATCH_BASE, 8, 40)),
            user: std::array::from_fn(|n| self.get(at::USER_DATA + 4 * n as u32)),
        };
        if planted!(StartIgnored) {
            compute.start = [0; 3];
        }
        if planted!(PgmHiIgnored) {
            compute.entry &= 0xff_ffff_ffff;
        }
        if planted!(UserShifted) {
            compute.user.rotate_left(1);
        }
        if planted!(Rsrc3Lost) {
            compute.rsrc[2] = 0;
        }
        if planted!(ScratchBaseUnits) {
            compute.scratch >>= 8;
        }
        compute
    }
}

/// An address as pointers spell it: 48 bits, of which the last is the sign.
#[must_use]
pub fn canonical(address: u64) -> u64 {
    ((address << 16) as i64 >> 16) as u64
}
