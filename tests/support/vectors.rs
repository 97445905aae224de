//! Reads the llvm-mc vectors: those of the shared folder where it is there, else those of the repository.

use std::path::{Path, PathBuf};

/// Where vectors of a processor lie, the fuller set first.
pub fn path(gpu: &str) -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    [root.join(format!("../shared/vectors/{gpu}.tsv.zst")), root.join(format!("golden/oracle/vectors/{gpu}.tsv.zst"))]
        .into_iter()
        .find(|p| p.exists())
}

/// The assembly of the lines in the default mode of a processor.
pub fn lines(gpu: &str) -> Vec<String> {
    let Some(path) = path(gpu) else { return Vec::new() };
    let Ok(packed) = std::fs::read(path) else { return Vec::new() };
    let Ok(bytes) = zstd::decode_all(packed.as_slice()) else { return Vec::new() };
    let text = String::from_utf8_lossy(&bytes);
    text.lines()
        .skip(1)
        .filter_map(|l| {
            let f: Vec<&str> = l.split('\t').collect();
            (f.len() == 5 && f[2].is_empty()).then(|| f[0].to_owned())
        })
        .collect()
}
