//! Reads the vectors and surfaces: lines of columns that their head names.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use wavediff::memory::image::tiling::Surface;

/// The chips whose pitch is that of a chain of levels.
pub const GFX9: [&str; 3] = ["vega10", "vega10_gb0", "raven"];

/// A file that is packed, as text.
pub fn unpacked(path: &Path) -> String {
    let packed = std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    String::from_utf8(zstd::decode_all(packed.as_slice()).expect("zstd")).expect("text")
}

/// The folder of the full set.
pub fn shared() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/tiling");
    let folder = std::env::var_os("TILING_VECTORS").map_or_else(beside, PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("skipped: no vectors in {}", folder.display());
    None
}

/// The columns of a line by the names of the head.
pub struct Line<'a>(pub &'a HashMap<&'a str, usize>, pub Vec<&'a str>);

impl<'a> Line<'a> {
    pub fn text(&self, name: &str) -> &'a str {
        self.optional(name).expect(name)
    }
    pub fn optional(&self, name: &str) -> Option<&'a str> {
        self.0.get(name).map(|&n| self.1[n])
    }
    pub fn n(&self, name: &str) -> u32 {
        self.text(name).parse().expect(name)
    }
}

/// Calls for every line.
pub fn lines(text: &str, mut call: impl FnMut(&Line)) {
    let mut lines = text.lines();
    let head: HashMap<&str, usize> =
        lines.next().expect("a head").split('\t').enumerate().map(|(n, w)| (w, n)).collect();
    for line in lines {
        call(&Line(&head, line.split('\t').collect()));
    }
}

/// The pipes of an entry of the tile tables, as a power of two: how many of the bits of dword 0 are pipe bits.
pub fn pipe_bits(chip: &str, index: u32) -> u32 {
    if chip == "bonaire" || (chip, index) == ("polaris10", 23) { 2 } else { 3 }
}

/// The image of a line; `swizzle` as the vectors have it.
pub fn surface(line: &Line, swizzle: &str) -> Surface {
    let chip = line.text("chip");
    let mips = line.n("mips");
    let swizzle = match swizzle.split_once(',') {
        Some((bank, pipe)) => {
            let n = |text: &str| text.parse::<u32>().expect("a number");
            n(pipe) | n(bank) << pipe_bits(chip, line.n("number"))
        }
        None => swizzle.parse().expect("a number"),
    };
    Surface {
        mode: line.n("number"),
        volume: line.text("resource") == "3D",
        bytes: line.n("bpp") / 8,
        block: if line.text("format") == "bc" { 4 } else { 1 },
        samples: line.n("samples"),
        width: line.n("width"),
        height: line.n("height"),
        depth: line.n("depth"),
        levels: mips,
        pitch: None,
        pow2pad: mips > 1,
        swizzle,
    }
}

/// What the surfaces of a chip add to its vectors.
#[derive(Default)]
pub struct Surfaces {
    /// The pitch of the descriptor, where the generation has one.
    pub pitches: HashMap<String, u32>,
    /// Level 0 became linear because it is one row, the others did not: no descriptor tells. Not modelled.
    pub mixed: HashSet<String>,
}

impl Surfaces {
    pub fn read(text: &str) -> Self {
        let mut surfaces = Surfaces::default();
        lines(text, |line| {
            let name = line.text("surface").to_owned();
            let levels: Vec<Vec<&str>> =
                line.1.last().expect("levels").split(';').map(|l| l.split(',').collect()).collect();
            let chip = line.text("chip");
            if GFX9.contains(&chip) {
                let side = match (line.n("mips"), line.text("epitch_is_height")) {
                    (1, _) => "pitch",
                    (_, "1") => "chain_height",
                    _ => "chain_pitch",
                };
                surfaces.pitches.insert(name, line.n(side));
            } else if line.0.contains_key("micro") {
                let block = if line.text("format") == "bc" { 4 } else { 1 };
                surfaces.pitches.insert(name.clone(), levels[0][1].parse::<u32>().expect("a pitch") * block);
                if levels[0][4].starts_with("LINEAR") && levels.iter().any(|l| !l[4].starts_with("LINEAR")) {
                    surfaces.mixed.insert(name);
                }
            }
        });
        surfaces
    }
}
