//! Where `.include` and `.incbin` read from, and what a case names: all of the disk, a folder and below, nothing.
//!
//! Only regular files are read, and of each no more than all expansions of a text may have: `/dev/zero` has no end.

use super::MAX_EXPANDED;
use std::fs::File;
use std::io::{Error, ErrorKind, Read, Result};
use std::path::{Component, Path, PathBuf};

/// Where files come from.
pub trait Files {
    /// The contents of a file which `from` names.
    ///
    /// # Errors
    /// Why it can not be read.
    fn read(&self, from: &str, name: &str) -> Result<Vec<u8>>;
}

/// The file system: names are relative to the including file, then to the working directory.
pub struct Disk;

impl Files for Disk {
    fn read(&self, from: &str, name: &str) -> Result<Vec<u8>> {
        regular(&place(from, name))
    }
}

/// A folder and what is below it, by the same names. Links that lead out of it are not followed.
pub struct Below {
    folder: PathBuf,
}

impl Below {
    /// The folder in which a file lies.
    #[must_use]
    pub fn folder_of(file: &str) -> Below {
        let folder = Path::new(file).parent().unwrap_or(Path::new(""));
        Below { folder: if folder == Path::new("") { ".".into() } else { folder.to_owned() } }
    }
}

impl Files for Below {
    fn read(&self, from: &str, name: &str) -> Result<Vec<u8>> {
        let outside = || {
            let folder = self.folder.display();
            Error::new(
                ErrorKind::PermissionDenied,
                format!("it is not in the folder of the case (`{folder}`) or below, and --allow-files is not given"),
            )
        };
        // Whether there is such a file elsewhere is not told either.
        let leaves = |part: Component<'_>| !matches!(part, Component::Normal(_) | Component::CurDir);
        let path = match place(from, name).canonicalize() {
            Ok(path) => path,
            Err(_) if Path::new(name).components().any(leaves) => return Err(outside()),
            Err(error) => return Err(error),
        };
        if !path.starts_with(self.folder.canonicalize()?) {
            return Err(outside());
        }
        regular(&path)
    }
}

/// No files: nothing can be included.
pub struct NoFiles;

impl Files for NoFiles {
    fn read(&self, _: &str, _: &str) -> Result<Vec<u8>> {
        Err(Error::other("files are not read here"))
    }
}

/// Beside the file that names it, if it is there.
fn place(from: &str, name: &str) -> PathBuf {
    let beside = Path::new(from).parent().map_or_else(|| name.into(), |folder| folder.join(name));
    if beside.exists() { beside } else { name.into() }
}

fn regular(path: &Path) -> Result<Vec<u8>> {
    // Asked before it is opened: to open a pipe is to wait for somebody.
    if !std::fs::metadata(path)?.is_file() {
        return Err(Error::other("not a regular file"));
    }
    let mut bytes = Vec::new();
    // Files of the system say that they are empty, and have no end.
    File::open(path)?.take(MAX_EXPANDED as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > MAX_EXPANDED { Err(Error::other("larger than 64 MiB")) } else { Ok(bytes) }
}
