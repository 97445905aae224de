//! V_TRIG_PREOP_F64: a window of 2/pi, with which programs reduce large angles.

use super::{Env, F64};

/// The first 1201 bits of 2/pi behind the point, highest first, and zeros.
const TWO_OVER_PI: [u64; 19] = [
    0xa2f9_836e_4e44_1529,
    0xfc27_57d1_f534_ddc0,
    0xdb62_9599_3c43_9041,
    0xfe51_63ab_debb_c561,
    0xb724_6e3a_424d_d2e0,
    0x0649_2eea_09d1_921c,
    0xfe1d_eb1c_b129_a73e,
    0xe882_35f5_2ebb_4484,
    0xe99c_7026_b45f_7e41,
    0x3991_d639_8353_39f4,
    0x9c84_5f8b_bdf9_283b,
    0x1ff8_97ff_de05_980f,
    0xef2f_118b_5a0a_6d1f,
    0x6d36_7ecf_27cb_09b7,
    0x4f46_3f66_9e5f_ea2d,
    0x7527_bac7_ebe5_f17b,
    0x3d07_39f7_8a52_92ea,
    0x6bfb_5fb1_1f8d_5d08,
    0x5603_3046_fc7b_0000,
];

/// Where the table ends for hardware.
const END: u32 = 1120;

impl Env {
    /// 53 bits of 2/pi, from the segment `segment & 31` on and further for large `a`, of whose value only the exponent counts, times the power of two
    /// where they stand; for the largest `a` times 2^128 more.
    ///
    /// From bit 1120 on the result is +0, which LLVM's constant folding calls the behaviour of hardware; AMD's pseudo-code goes on to bit 1201.
    pub fn trig_preop(&mut self, a: u64, segment: u32) -> u64 {
        if F64.is_nan(a) {
            return self.pass_nan(F64, a) | F64.quiet_bit();
        }
        let exponent = F64.exponent(a);
        let shift = 53 * (segment & 31) + (exponent - 1077).max(0) as u32;
        if shift >= END {
            return 0;
        }
        let word = |i: u32| u128::from(TWO_OVER_PI.get(i as usize).copied().unwrap_or(0));
        let (at, within) = (shift / 64, shift % 64);
        let window = (word(at) << 64 | word(at + 1)) << within >> (128 - 53);
        let exp = -53 - shift as i32 + if exponent >= 1968 { 128 } else { 0 };
        self.pack(F64, false, exp, window as u64)
    }
}
