//! A dispatch that trapped as a case file, which `wavediff run`, `bisect` and `reduce` take.
//!
//! What a case is made of is there when a dispatch begins: registers, code, memory. All mapped memory is copied then, and written
//! down when a trap comes: every mapping is a buffer at its address, with the words that it held up to the last one that is not
//! zero.

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use wavediff::case::LOWEST;
use wavediff::disasm::listing::{Listing, Source};
use wavediff::engine::Trap;
use wavediff::launch;
use wavediff::launch::compute::Compute;
use wavediff::memory::guest::{Memory, Region};
use wavediff::program::Program;

/// Words behind the code that are written down with it: constants of the shader lie there.
const BEHIND: usize = 1024;

/// What memory held.
pub struct Before(Vec<Piece>);

struct Piece {
    base: u64,
    bytes: u64,
    writable: bool,
    /// Up to the last one that is not zero.
    words: Vec<u32>,
}

impl Before {
    /// Copies all of it.
    #[must_use]
    pub fn of(memory: &Memory) -> Before {
        let piece = |region: &Region| {
            let words = region.words();
            let used = words.iter().rposition(|word| word.load(Ordering::Relaxed) != 0).map_or(0, |n| n + 1);
            let words = words[..used].iter().map(|word| word.load(Ordering::Relaxed)).collect();
            Piece { base: region.base(), bytes: region.len(), writable: region.writable(), words }
        };
        // What is only reserved would be gigabytes of nothing; below the first address of a case lies its code, and no driver's memory.
        let is_wanted = |region: &&Region| region.name() != "reserved" && region.base() >= LOWEST;
        Before(memory.regions().iter().filter(is_wanted).map(piece).collect())
    }

    /// The case.
    #[must_use]
    pub fn case(&self, compute: &Compute, launch: &launch::Dispatch, program: &Program, trap: &Trap) -> String {
        let arch = program.target.arch;
        let geometry = launch.geometry();
        let [rsrc1, rsrc2, rsrc3] = compute.rsrc;
        let mut text = String::new();
        let three = |of: [u32; 3]| format!("{}, {}, {}", of[0], of[1], of[2]);
        let _ = writeln!(text, ";; {trap}");
        let _ = writeln!(text, ";; The shader lay at {:#x}.", compute.entry);
        if launch.group_id([0; 3]) != [0; 3] {
            let _ =
                writeln!(text, ";; Groups counted from {:?} there, and count from zero here.", launch.group_id([0; 3]));
        }
        let _ = writeln!(text, "; isa: {}", arch.name);
        let _ = writeln!(text, "; wave: {}", geometry.wave_size);
        let _ = writeln!(text, "; grid: {}", three(geometry.grid));
        let _ = writeln!(text, "; group: {}", three(geometry.group));
        let _ = writeln!(text, "; rsrc: {rsrc1:#010x}, {rsrc2:#010x}, {rsrc3:#010x}");
        let lanes = launch.scratch().lane_bytes;
        if lanes > 0 {
            // A place of its own: what waves keep there does not outlive them.
            let _ = writeln!(text, "; scratch: {lanes} at 0xfffff00000000000");
        }
        let users = launch.kernel().descriptor.user_sgprs().min(compute.user.len() as u32) as usize;
        for (n, word) in compute.user.iter().take(users).enumerate() {
            match (n, lanes) {
                (0 | 1, 1..) => {}
                _ => {
                    let _ = writeln!(text, "; s{n} = {word:#010x}");
                }
            }
        }
        if lanes > 0 && users >= 2 {
            text.push_str("; s[0:1] = scratch.ring\n");
        }
        for (n, piece) in self.0.iter().enumerate() {
            let rights = if piece.writable { "" } else { " readonly" };
            let _ = write!(text, "; buffer m{n}[{}] at {:#x}{rights}", piece.bytes, piece.base);
            if !piece.words.is_empty() {
                text.push_str(" = [");
                for (at, word) in piece.words.iter().enumerate() {
                    let begin = match at % 16 {
                        _ if at == 0 => "",
                        0 => ",\n; ",
                        _ => ", ",
                    };
                    let _ = write!(text, "{begin}{word:#x}");
                }
                text.push(']');
            }
            text.push('\n');
        }
        text.push_str("; entry: main\n");
        text.push_str(&self.code(compute, program));
        text
    }

    /// The code with its entry, and what lies behind it.
    fn code(&self, compute: &Compute, program: &Program) -> String {
        let mut words = program.words.clone();
        let end = program.base.wrapping_add(4 * words.len() as u64);
        let behind = self.0.iter().find_map(|piece| {
            let at = (end.wrapping_sub(piece.base) & 0xffff_ffff_ffff) / 4;
            (at < piece.words.len() as u64).then(|| &piece.words[at as usize..])
        });
        words.extend(behind.unwrap_or_default().iter().take(BEHIND));
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let entry = u64::from(program.step_at(compute.entry)) * 4;
        let before = [(entry, "main:\n".to_owned())];
        let source = Source { bytes: &bytes, before: &before, ..Source::default() };
        let mut text = Vec::new();
        Listing::new(program.target, &source).print(&mut text);
        String::from_utf8_lossy(&text).into_owned()
    }
}

/// A file's name in a folder that no file has yet.
#[must_use]
pub fn path(folder: &Path, chip: &str) -> PathBuf {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    let name = |n: u32| folder.join(format!("{chip}-{}-{n}.s", std::process::id()));
    std::iter::repeat_with(|| name(NEXT.fetch_add(1, Ordering::Relaxed)))
        .find(|path| !path.exists())
        .unwrap_or_else(|| name(0))
}

/// Writes a case beside its place first: where there is no room for all of it, there is none.
///
/// # Errors
/// It can not be written.
pub fn keep(path: &Path, text: &str) -> io::Result<()> {
    let part = path.with_extension("part");
    let written = std::fs::write(&part, text).and_then(|()| std::fs::rename(&part, path));
    written.inspect_err(|_| _ = std::fs::remove_file(&part))
}
