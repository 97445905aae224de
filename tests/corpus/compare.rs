//! What the emulator left in memory against what the host left.

use crate::unit::Unit;
use crate::values::Ty;

/// How many differences are told.
const MOST: usize = 6;

/// Compares all buffers of a unit.
pub fn compare(unit: &Unit, expected: &[Vec<u8>], found: &[Vec<u8>]) -> Result<(), String> {
    let mut lines = Vec::new();
    for ((buffer, expected), found) in unit.buffers.iter().zip(expected).zip(found) {
        let size = buffer.ty.size();
        let mut differences = Vec::new();
        for (at, (e, f)) in expected.chunks(size).zip(found.chunks(size)).enumerate() {
            let (e, f) = (number(e), number(f));
            if e != f && !near(buffer.ty, e, f, buffer.ulp, buffer.abs) {
                let value = |bits| buffer.ty.float(bits).map_or_else(String::new, |v| format!(" ({v:e})"));
                let digits = 2 + 2 * size;
                differences.push(format!(
                    "  {}[{at}]: expected {e:#0digits$x}{}, got {f:#0digits$x}{}",
                    buffer.name,
                    value(e),
                    value(f)
                ));
            }
        }
        if !differences.is_empty() {
            lines.push(format!("{}: {} of {} differ", buffer.name, differences.len(), expected.len() / size));
            lines.extend(differences.into_iter().take(MOST));
        }
    }
    if lines.is_empty() { Ok(()) } else { Err(lines.join("\n")) }
}

fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |v, byte| v << 8 | u64::from(*byte))
}

/// Whether a float is close enough. Any NaN is as good as another: hosts and GPUs make different ones.
fn near(ty: Ty, expected: u64, found: u64, ulp: u64, abs: f64) -> bool {
    let (Some(e), Some(f)) = (ty.float(expected), ty.float(found)) else { return false };
    if e.is_nan() || f.is_nan() {
        return e.is_nan() && f.is_nan();
    }
    // Floats in the order of whole numbers.
    let order = |bits: u64| {
        let sign = 1i64 << (8 * ty.size() - 1).min(62);
        if ty.float(bits).is_some_and(f64::is_sign_negative) && ty.size() < 8 {
            sign - bits as i64
        } else if (bits as i64) < 0 {
            i64::MIN.wrapping_sub(bits as i64)
        } else {
            bits as i64
        }
    };
    ulp > 0 && order(expected).abs_diff(order(found)) <= ulp || (e - f).abs() <= abs && abs > 0.0
}
