//! Which barrier an instruction of gfx12 means.

use crate::isa::Gen;
use crate::isa::does::Control;

/// What an instruction needs that means a barrier which is not [there](exists).
pub const NAMED: &str = "a barrier other than those of the group and of the trap handler: gfx12.5 has them";

/// A barrier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Barrier {
    /// That of the group.
    Group,
    /// That of the trap handler, which is not the program's.
    Trap,
    /// None at all: signals to it are nothing.
    Null,
    /// One that gfx12.0 has not.
    Other,
}

impl Barrier {
    fn of(number: i32) -> Barrier {
        match number {
            -1 => Barrier::Group,
            -2 => Barrier::Trap,
            0 => Barrier::Null,
            _ => Barrier::Other,
        }
    }

    /// By the code of an operand: inline constants from 0 to 64 and from -1 to -16. M0 is for barriers that other processors have.
    #[must_use]
    pub fn of_signal(code: u32) -> Barrier {
        match code {
            128..=192 => Barrier::of(code as i32 - 128),
            193..=208 => Barrier::of(192 - code as i32),
            _ => Barrier::Other,
        }
    }

    /// By the immediate of a wait, which before gfx12 says nothing. Who waits for barrier 0 waits, by AMD's pseudo-code, for a bit that nobody sets.
    #[must_use]
    pub fn of_wait(generation: Gen, imm: u32) -> Barrier {
        match Barrier::of(i32::from(imm as u16 as i16)) {
            _ if generation < Gen::Gfx12 => Barrier::Group,
            Barrier::Null => Barrier::Other,
            other => other,
        }
    }
}

/// Whether there is the barrier that an instruction with this immediate means, where it means one.
#[must_use]
pub fn exists(control: Control, generation: Gen, imm: u32) -> bool {
    match control {
        Control::Barrier => Barrier::of_wait(generation, imm) != Barrier::Other,
        Control::BarrierSignal { .. } => Barrier::of_signal(imm) != Barrier::Other,
        // None has no state.
        Control::BarrierState => !matches!(Barrier::of_signal(imm), Barrier::Other | Barrier::Null),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        assert_eq!([193, 194, 128, 195, 129, 125].map(Barrier::of_signal), {
            use Barrier::*;
            [Group, Trap, Null, Other, Other, Other]
        });
        assert_eq!(Barrier::of_wait(Gen::Gfx12, 0xffff), Barrier::Group);
        assert_eq!(Barrier::of_wait(Gen::Gfx12, 0xfffe), Barrier::Trap);
        assert_eq!(Barrier::of_wait(Gen::Gfx12, 0), Barrier::Other);
        assert_eq!(Barrier::of_wait(Gen::Gfx11, 0), Barrier::Group);
    }

    /// Of the numbers -1, -2, 0 and 1 who signals may name three, who asks for a state two.
    #[test]
    fn what_there_is() {
        let of = |control| [193, 194, 128, 129].map(|code| exists(control, Gen::Gfx12, code));
        assert_eq!(of(Control::BarrierSignal { asks_first: true }), [true, true, true, false]);
        assert_eq!(of(Control::BarrierState), [true, true, false, false]);
        assert_eq!(
            [0xffff, 0xfffe, 0, 1].map(|imm| exists(Control::Barrier, Gen::Gfx12, imm)),
            [true, true, false, false]
        );
        assert!(exists(Control::Barrier, Gen::Gfx11, 1));
    }
}
