//! A copy engine: packets of its own, of which a driver uses a few (ABI_FACTS section 9; VGPU_FACTS section 5.3).

use super::registers::canonical;
use super::ring::{Reader, wait_until};
use super::{Card, Ib, Lost, Space, transfer};
use crate::fault::planted;
use wavediff::isa::Gen;

/// Does what a command buffer says.
pub(super) fn execute(card: &Card, ib: Ib, space: &dyn Space) -> Result<(), Lost> {
    let mut reader = Reader::new(ib);
    let mut body = Vec::new();
    while reader.left > 0 {
        let (memory, at) = (space.memory(), reader.address);
        let word = |n: u64| -> Result<u32, Lost> {
            let mut word = [0];
            memory.view().fetch_words(at.wrapping_add(4 * n), &mut word)?;
            Ok(word[0])
        };
        let header = word(0)?;
        let (op, sub) = (header & 0xff, header >> 8 & 0xff);
        let len = match (op, sub) {
            (0, _) => 1 + (header >> 16 & 0x3fff),
            (1, 0) => 7,
            (2, 0) => 4 + count(card, word(3)? & 0xf_ffff) as u32,
            (5, _) => 4,
            (6, _) => 2,
            (8, _) => 6,
            (0xb, _) => 5,
            (0xd, 2) => 3,
            _ => return Err(Lost(format!("SDMA packet {op:#x}.{sub:#x} at {at:#x} is not known"))),
        };
        let named = |Lost(why)| Lost(format!("SDMA packet {op:#x} at {at:#x}: {why}"));
        reader.body(&memory, len, &mut body).map_err(named)?;
        packet(card, op, &body, space).map_err(named)?;
    }
    Ok(())
}

/// Counts are one less from SDMA 4 on.
fn count(card: &Card, field: u32) -> u64 {
    let less = card.chip.arch().generation >= Gen::Gfx9 && !planted!(SdmaCountExact) || planted!(SdmaCountLess);
    u64::from(field) + u64::from(less)
}

fn packet(card: &Card, op: u32, body: &[u32], space: &dyn Space) -> Result<(), Lost> {
    let memory = space.memory();
    let mut view = memory.view();
    let address = |n: usize| canonical(u64::from(body[n + 1]) << 32 | u64::from(body[n]));
    match op {
        1 => transfer::copy(&mut view, address(5), address(3), count(card, body[1] & 0x3fff_ffff))?,
        2 => view.store_words(address(1), &body[4..body.len() - usize::from(planted!(SdmaWriteShort))])?,
        5 if planted!(SdmaFenceLost) => {}
        8 if planted!(SdmaPollPasses) => {}
        5 => view.store_u32(address(1), body[3])?,
        8 => {
            let (reference, mask) = (body[3], body[4]);
            let holds = || {
                Ok(super::ring::compares(
                    body[0] >> 28 & 7,
                    space.memory().view().load_u32(address(1))? & mask,
                    reference,
                ))
            };
            wait_until(card.settings.watchdog, holds)?
                .map_err(|time| Lost(format!("waited {time:?} for the word at {:#x}", address(1))))?;
        }
        0xb => {
            let bytes = count(card, body[4] & 0x3fff_ffff);
            transfer::fill(&mut view, address(1), body[3], bytes)?;
        }
        0xd => view.store_u64(address(1), card.now())?,
        _ => {}
    }
    Ok(())
}
