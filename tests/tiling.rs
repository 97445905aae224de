//! Where texels lie, against AMD's address library: every vector of every chip, and where levels begin.
//!
//! The full set lies beside the repository (`TILING_VECTORS`, or `shared/tiling` next to the workspace); a sample of it is in the
//! repository, so that there is evidence everywhere. A line is an image, an element of it and the offset that element has.

#[path = "tiling/descriptors.rs"]
mod descriptors;
#[path = "tiling/vectors.rs"]
mod vectors;

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::time::{Duration, Instant};
use vectors::{GFX9, Surfaces, lines, shared, surface, unpacked};
use wavediff::memory::image::tiling::{Chip, Layout, Surface, Unsupported};

/// The ways an image can be described.
type Ways = Vec<Result<Layout, Unsupported>>;

/// Vectors and those that differ.
#[derive(Clone, Copy, Default)]
struct Count {
    all: u32,
    differ: u32,
    unmodelled: u32,
}

/// Compares the vectors of a text, by chip, and says which the first ones are that differ.
fn compare(text: &str, surfaces: &Surfaces) -> HashMap<String, Count> {
    let mut counts: HashMap<String, Count> = HashMap::new();
    let mut last: Option<(String, Surface, Ways)> = None;
    lines(text, |line| {
        let chip = line.text("chip");
        let name = line.optional("surface").unwrap_or("");
        let count = counts.entry(chip.to_owned()).or_default();
        if surfaces.mixed.contains(name) {
            count.unmodelled += 1;
            return;
        }
        let mut surface = surface(line, line.text("xor"));
        let own = line.optional("pitch").and_then(|p| p.parse().ok());
        surface.pitch = surfaces.pitches.get(name).copied().or(own);
        if last.as_ref().is_none_or(|(c, s, _)| c != chip || *s != surface) {
            // The pitch of gfx9 follows from the rest: with and without it all must be the same.
            let mut ways = vec![surface];
            if GFX9.contains(&chip) {
                ways.push(Surface { pitch: None, ..surface });
            }
            let chip_found = Chip::find(chip).expect("a chip");
            last = Some((chip.to_owned(), surface, ways.iter().map(|s| s.layout(chip_found)).collect()));
        }
        let want: u64 = line.text("offset").parse().expect("a number");
        let [x, y, z, sample] = ["x", "y", "z", "sample"].map(|n| line.n(n));
        let of = |layout: &Layout| layout.level(line.n("mip")).map(|l| l.offset(x, y, z, sample));
        let got: Vec<_> = last.iter().flat_map(|(_, _, ways)| ways).map(|l| l.as_ref().map(of)).collect();
        count.all += 1;
        if got.iter().any(|g| *g != Ok(Some(want))) {
            count.differ += 1;
            if count.differ <= 5 {
                println!("{}: {got:?}", line.1.join(" "));
            }
        }
    });
    counts
}

/// Prints counts and adds them up.
fn sum(counts: &HashMap<String, Count>) -> Count {
    let mut sum = Count::default();
    for chip in Chip::all() {
        let Count { all, differ, unmodelled } = counts.get(chip.name()).copied().unwrap_or_default();
        println!("{:12} {all:7} vectors, {differ} differ, {unmodelled} not modelled", chip.name());
        sum = Count { all: sum.all + all, differ: sum.differ + differ, unmodelled: sum.unmodelled + unmodelled };
    }
    println!("{:12} {:7} vectors, {} differ, {} not modelled", "all", sum.all, sum.differ, sum.unmodelled);
    sum
}

#[test]
fn all_vectors() {
    let Some(folder) = shared() else { return };
    let mut counts = HashMap::new();
    for chip in Chip::all() {
        let read = |what: &str| unpacked(&folder.join(format!("{}.{what}.tsv.zst", chip.name())));
        counts.extend(compare(&read("vectors"), &Surfaces::read(&read("surfaces"))));
    }
    let Count { all, differ, unmodelled } = sum(&counts);
    assert_eq!(differ, 0, "of {all}");
    assert!(all > 400_000, "only {all} vectors");
    assert!(unmodelled < 100, "{unmodelled} vectors are not compared");
}

#[test]
fn sampled_vectors() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/oracle/tiling/tiling.tsv.zst");
    let Count { all, differ, .. } = sum(&compare(&unpacked(&path), &Surfaces::default()));
    assert_eq!(differ, 0, "of {all}");
    assert!(all >= 6_000, "only {all} vectors");
}

/// Levels of the surfaces: where each begins, its rows, and how its coordinates are moved in a tail.
#[test]
fn all_levels() {
    let Some(folder) = shared() else { return };
    let (mut all, mut differ, mut unmodelled, mut refused) = (0, 0, 0, 0);
    for chip in Chip::all() {
        let text = unpacked(&folder.join(format!("{}.surfaces.tsv.zst", chip.name())));
        let surfaces = Surfaces::read(&text);
        lines(&text, |line| {
            let name = line.text("surface");
            if surfaces.mixed.contains(name) {
                unmodelled += 1;
                return;
            }
            let surface = Surface { pitch: surfaces.pitches.get(name).copied(), ..surface(line, "0") };
            let old = line.0.contains_key("micro");
            let layout = surface.layout(chip);
            // The address library says how large such images would be, but not where anything lies.
            let sizes_only = line.text("mode") == "64KB_D_X" && line.text("resource") == "3D" && line.n("bpp") >= 64;
            if sizes_only && matches!(layout, Err(Unsupported::Use { .. })) {
                refused += 1;
                return;
            }
            for (n, level) in line.1.last().expect("levels").split(';').enumerate() {
                let fields: Vec<&str> = level.split(',').collect();
                let number = |n: usize| fields[n].parse::<u64>().expect("a number");
                let got = layout.as_ref().ok().and_then(|l| l.level(n as u32)).map(|l| {
                    let p = l.place;
                    // A row of blocks has as many elements as blocks are wide.
                    let pitch = (p.steps[1] / p.steps[0]) << p.block[0];
                    (p.start, if old { pitch } else { 0 }, p.moved)
                });
                let moved =
                    if old || GFX9.contains(&chip.name()) { [0, 0] } else { [number(3) as u32, number(4) as u32] };
                // Of tiled levels from gfx9 on the second number is that of the block.
                let start = number(usize::from(!old && line.n("number") > 0));
                let want = (start, if old { number(1) } else { 0 }, moved);
                all += 1;
                if got != Some(want) {
                    differ += 1;
                    if differ <= 20 {
                        println!("{} level {n}: {got:?}", line.1.join(" "));
                    }
                }
            }
        });
    }
    println!("{all} levels, {differ} differ; {unmodelled} surfaces not modelled, {refused} refused");
    assert_eq!(differ, 0, "of {all}");
    assert!(all > 100_000, "only {all} levels");
    assert!(unmodelled <= 5 && (1..400).contains(&refused), "{unmodelled} and {refused} are not compared");
}

/// A small generator: the same values every time.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as u32
    }
    fn one(&mut self, of: &[u32]) -> u32 {
        of[self.next() as usize % of.len()]
    }
    /// Mostly what a field can have, sometimes its limits, sometimes anything.
    fn field(&mut self, usual: &[u32], most: u32) -> u32 {
        match self.next() % 16 {
            0 => self.one(&[0, 1, most, most.wrapping_add(1), u32::MAX, 1 << 31]),
            1 => self.next() << 1 | self.next() & 1,
            2..6 if most > 0 => 1 + self.next() % most,
            _ => self.one(usual),
        }
    }
}

/// Any value of any field gives a layout or a refusal, at once; any coordinate an offset.
#[test]
fn hostile_fields() {
    let mut random = Random(1);
    let mut layouts = 0;
    let mut slowest = Duration::ZERO;
    let started = Instant::now();
    let sides = [1, 2, 3, 7, 64, 100, 129, 1000, 4096, 16384, 65536];
    let rounds = 400_000;
    for _ in 0..rounds {
        let chip = &Chip::all()[random.next() as usize % Chip::all().len()];
        let surface = Surface {
            mode: random.next() % 33,
            volume: random.next().is_multiple_of(3),
            bytes: random.field(&[1, 2, 4, 8, 12, 16], 17),
            block: random.field(&[1, 1, 1, 4], 4),
            samples: random.field(&[1, 1, 1, 1, 2, 4, 8], 9),
            width: random.field(&sides, 65536),
            height: random.field(&sides, 65536),
            depth: random.field(&[1, 2, 6, 31, 8192], 16384),
            levels: random.field(&[1, 2, 5, 9, 15], 16),
            pitch: if random.next().is_multiple_of(2) { Some(random.field(&sides, 1 << 18)) } else { None },
            pow2pad: random.next().is_multiple_of(2),
            swizzle: random.field(&[0, 1, 0x55, 0xff], 255),
        };
        let start = Instant::now();
        match surface.layout(chip) {
            Ok(layout) => {
                layouts += 1;
                for level in 0..=surface.levels {
                    let level_or_none = layout.level(level);
                    assert_eq!(level_or_none.is_some(), level < surface.levels, "{surface:?}");
                    let Some(level) = level_or_none else { continue };
                    for _ in 0..4 {
                        let [x, y, z, s] = [0; 4].map(|_| random.field(&[0, 1, 100], 65536));
                        std::hint::black_box(level.offset(x, y, z, s));
                    }
                }
                assert!(layout.level(u32::MAX).is_none());
            }
            Err(refused) => assert!(!refused.to_string().is_empty()),
        }
        slowest = slowest.max(start.elapsed());
    }
    println!("{layouts} layouts of {rounds}, slowest {slowest:?}, all {:?}", started.elapsed());
    assert!(layouts > rounds / 50, "only {layouts} layouts");
    assert!(slowest.as_secs() < 2, "{slowest:?} for one");
}

/// Two elements of an image never share a byte.
#[test]
fn elements_are_apart() {
    let mut images = 0;
    for chip in Chip::all() {
        for mode in 0..32 {
            for (volume, bytes, samples, levels) in
                [(false, 4, 1, 6), (false, 1, 1, 6), (false, 2, 4, 1), (true, 8, 1, 5)]
            {
                let depth = 5;
                let surface = Surface {
                    mode,
                    volume,
                    bytes,
                    block: 1,
                    samples,
                    width: 38,
                    height: 21,
                    depth,
                    levels,
                    pitch: None,
                    pow2pad: levels > 1,
                    swizzle: 5,
                };
                let Ok(layout) = surface.layout(chip) else { continue };
                let mut seen = HashSet::new();
                for level in 0..levels {
                    let at = layout.level(level).expect("a level");
                    let slices = if volume { (depth >> level).max(1) } else { depth };
                    for (x, y) in (0..(21 >> level).max(1)).flat_map(|y| (0..(38 >> level).max(1)).map(move |x| (x, y)))
                    {
                        for (z, s) in (0..slices).flat_map(|z| (0..samples).map(move |s| (z, s))) {
                            let offset = at.offset(x, y, z, s);
                            assert!(
                                offset % u64::from(bytes) == 0 && seen.insert(offset),
                                "{surface:?} {level} {x} {y} {z} {s}"
                            );
                        }
                    }
                }
                images += 1;
            }
        }
    }
    println!("{images} images");
    assert!(images > 300, "only {images}");
}

/// What is refused says so.
#[test]
fn refusals() {
    let surface = |mode, volume, bytes| Surface {
        mode,
        volume,
        bytes,
        block: 1,
        samples: 1,
        width: 64,
        height: 64,
        depth: 1,
        levels: 1,
        pitch: None,
        pow2pad: false,
        swizzle: 0,
    };
    let says = |chip: &str, s: Surface| s.layout(Chip::find(chip).expect("a chip")).expect_err("refused").to_string();
    assert_eq!(says("navi21", surface(13, false, 4)), "SW_MODE 13 of an image descriptor does not exist on navi21");
    assert_eq!(
        says("tahiti", surface(31, false, 4)),
        "TILING_INDEX 31 of an image descriptor is not supported for tahiti"
    );
    let volume = "mode 26 of a 3D image of 16 bytes and 1 samples does not exist on navi31";
    assert_eq!(says("navi31", surface(26, true, 16)), volume);
    let small = Surface { levels: 3, ..surface(1, false, 4) };
    assert_eq!(says("vega10", small), "an image with 256 byte blocks and level count 3 is not supported");
    assert_eq!(says("vega10", surface(0, false, 3)), "an image with element size 3 is not supported");
    let custom = Surface { pitch: Some(100), levels: 2, ..surface(0, false, 4) };
    assert!(custom.layout(Chip::find("navi10").expect("a chip")).is_ok());
    assert_eq!(says("navi21", custom), "an image with linear levels and pitch 100 is not supported");
}
