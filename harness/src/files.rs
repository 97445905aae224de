//! Files as the program reads and writes them: never more of one than was said beforehand, never half of one.
//!
//! Reading: every kind of file has a most; `/dev/zero`, a pipe without an end and a compressed file that unpacks to more than it promises are errors
//! that name it. Writing: the new contents are written beside the file and take its place by a rename once they are all there, so that a full disk or a
//! kill leaves what was there before. Devices and pipes, which nothing can take the place of, are written to as they are. A file that another run has a
//! [lock](crate::journal) on is not replaced, and no file of a command line is replaced twice ([`distinct`]).

use crate::common::usage;
use anyhow::{Context, Result, bail};
use std::collections::HashMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// The most bytes of a code object, of machine code, of a case, of register cases.
pub const INPUT: u64 = 256 << 20;
/// The most bytes of a text that people write: lists, indexes.
pub const TEXT: u64 = 64 << 20;
/// The most bytes of a journal.
pub const JOURNAL: u64 = 512 << 20;
/// The most bytes that a compressed file is unpacked to, whatever it promises.
pub const UNPACKED: u64 = 256 << 20;

/// A number of bytes as people read it: whole units only.
fn size(bytes: u64) -> String {
    let units = [(30, "GiB"), (20, "MiB"), (10, "KiB")];
    let unit = units.into_iter().find(|(shift, _)| bytes > 0 && bytes.is_multiple_of(1 << shift));
    unit.map_or_else(|| format!("{bytes} bytes"), |(shift, name)| format!("{} {name}", bytes >> shift))
}

/// Reads all of a file, which has at most so many bytes.
pub fn read(path: &Path, most: u64) -> Result<Vec<u8>> {
    let name = path.display();
    if path.is_dir() {
        bail!("`{name}` is a folder; name a file");
    }
    let file = File::open(path).with_context(|| format!("`{name}` can not be read"))?;
    read_from(file, &format!("`{name}`"), most)
}

/// The same of a file that is open; `name` is for messages.
pub fn read_from(file: impl Read, name: &str, most: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes).with_context(|| format!("{name} can not be read"))?;
    if bytes.len() as u64 > most {
        bail!("{name} has more than {}, which is the most that is read of such a file", size(most));
    }
    Ok(bytes)
}

/// Reads a text.
pub fn read_text(path: &Path, most: u64) -> Result<String> {
    String::from_utf8(read(path, most)?).ok().with_context(|| format!("`{}` is no text", path.display()))
}

/// The size of the window that unpacking may take, as a power of two.
const WINDOW: u32 = 27;

/// Unpacks compressed bytes that were promised to be at most so many.
pub fn unpack(packed: &[u8], promised: u64) -> Result<Vec<u8>> {
    unpack_from(packed, promised)
}

fn unpack_from(packed: impl Read, promised: u64) -> Result<Vec<u8>> {
    if promised > UNPACKED {
        bail!("it promises {promised} bytes, and at most {} are unpacked", size(UNPACKED));
    }
    let mut decoder = zstd::stream::read::Decoder::new(packed)?;
    decoder.window_log_max(WINDOW)?;
    let mut bytes = Vec::new();
    decoder.take(promised + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > promised {
        bail!("it unpacks to more than the {promised} bytes that are promised of it");
    }
    Ok(bytes)
}

/// Replaces a file by other contents, all at once.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    write_by(path, |file| Ok(file.write_all(bytes)?))
}

/// The same by a function that writes piece by piece. What the file had is there until all is written, also for what reads it meanwhile.
pub fn write_by(path: &Path, fill: impl FnOnce(&mut File) -> Result<()>) -> Result<()> {
    let mut staged = Staged::default();
    staged.add_by(path, fill)?;
    staged.commit()
}

/// Refuses a command line that has one file in two places, one of which is written: what is there would be lost, or what was written first. Devices
/// and pipes may be shared.
pub fn distinct<'p>(paths: impl IntoIterator<Item = &'p Path>) -> Result<()> {
    let mut all: HashMap<PathBuf, &Path> = HashMap::new();
    let is_shared = |path: &Path| is_of_system(path) || fs::metadata(path).is_ok_and(|about| !about.is_file());
    for path in paths.into_iter().filter(|path| !is_shared(path)) {
        if let Some(other) = all.insert(real(path), path) {
            return usage(format!("`{}` and `{}` are one file; name another one", other.display(), path.display()));
        }
    }
    Ok(())
}

/// A path by which files are compared: without links and detours, as far as there is something there.
fn real(path: &Path) -> PathBuf {
    let in_folder = || Some(folder_of(path).canonicalize().ok()?.join(path.file_name()?));
    path.canonicalize().ok().or_else(in_folder).unwrap_or_else(|| path.to_owned())
}

/// The folder in which a file lies.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."))
}

/// Whether a file can be written, before the work whose results go there. What is in it stays.
pub fn writable(path: &Path) -> Result<()> {
    match place(path) {
        Ok(Place::Beside(_, other, _)) => fs::remove_file(&other).with_context(|| failed(path)),
        Ok(Place::There(_)) => Ok(()),
        Err(error) => Err(error).with_context(|| failed(path)),
    }
}

fn failed(path: &Path) -> String {
    format!("`{}` can not be written", path.display())
}

/// Files that belong together: all are written before the first one takes its place. Those that did not are removed.
#[derive(Default)]
pub struct Staged {
    /// Where each one is, and where it is to be.
    files: Vec<(PathBuf, PathBuf)>,
}

impl Staged {
    /// Writes the contents of a file beside it.
    pub fn add(&mut self, path: &Path, bytes: &[u8]) -> Result<()> {
        self.add_by(path, |file| Ok(file.write_all(bytes)?))
    }

    fn add_by(&mut self, path: &Path, fill: impl FnOnce(&mut File) -> Result<()>) -> Result<()> {
        let write = || -> Result<()> {
            match place(path)? {
                Place::There(mut file) => fill(&mut file),
                Place::Beside(mut file, other, target) => {
                    let permissions = fs::metadata(&target).map(|about| about.permissions());
                    self.files.push((other.clone(), target));
                    if let Ok(permissions) = permissions {
                        // Those of the old file, which may be less than a new one has.
                        fs::set_permissions(&other, permissions)?;
                    }
                    fill(&mut file)?;
                    // A rename may reach the disk before what was renamed.
                    Ok(file.sync_all()?)
                }
            }
        };
        write().with_context(|| failed(path))
    }

    /// Puts all files in their places.
    pub fn commit(mut self) -> Result<()> {
        for (other, target) in &self.files {
            fs::rename(other, target).with_context(|| failed(target))?;
        }
        self.files.clear();
        Ok(())
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        for (other, _) in &self.files {
            let _ = fs::remove_file(other);
        }
    }
}

/// How a file is written.
enum Place {
    /// A device or a pipe.
    There(File),
    /// A new file, empty as yet, beside the one whose place it is to take.
    Beside(File, PathBuf, PathBuf),
}

/// Counts the new files of this process.
static NUMBER: AtomicU32 = AtomicU32::new(0);

/// Whether it is a device, or a link of the system to an open file, which says nothing of where that is.
fn is_of_system(path: &Path) -> bool {
    ["/dev", "/proc"].iter().any(|folder| path.starts_with(folder))
}

fn place(path: &Path) -> io::Result<Place> {
    let of_system = is_of_system(path);
    // What is behind a link is replaced, and not the link.
    let target = if of_system { path.to_owned() } else { path.canonicalize().unwrap_or_else(|_| path.to_owned()) };
    match fs::metadata(&target) {
        Ok(about) if about.is_dir() => return Err(io::Error::other("it is a folder")),
        Ok(about) => {
            // Also for a file that is replaced: one that must not be written to is not replaced either.
            let file = OpenOptions::new().write(true).open(&target)?;
            if of_system || !about.is_file() {
                return Ok(Place::There(file));
            }
            // A journal that is being written has a lock; others who ask, as here, are in nobody's way. Where no locks are known there are none.
            if let Err(TryLockError::WouldBlock) = file.try_lock_shared() {
                return Err(io::Error::other("it is being written by another run"));
            }
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let other = target.with_file_name(format!(".wavediff-{}-{number}.new", std::process::id()));
    let file = OpenOptions::new().write(true).create_new(true).open(&other).map_err(|error| {
        let folder = folder_of(&other).display();
        io::Error::new(error.kind(), format!("no file can be made in the folder `{folder}`: {error}"))
    })?;
    Ok(Place::Beside(file, other, target))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder of its own, removed at the end.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Folder {
            let path = std::env::temp_dir().join(format!("wavediff-files-{}-{name}", std::process::id()));
            fs::create_dir_all(&path).expect("a folder");
            Folder(path)
        }

        fn names(&self) -> Vec<String> {
            let entries = fs::read_dir(&self.0).expect("a folder");
            let mut names: Vec<String> =
                entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
            names.sort();
            names
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn what_is_staged_takes_its_place_at_the_end_or_not_at_all() {
        let folder = Folder::new("staged");
        let (a, b) = (folder.0.join("a"), folder.0.join("b"));
        fs::write(&a, "old").expect("a file");
        let mut staged = Staged::default();
        staged.add(&a, b"new").expect("a file beside");
        assert_eq!(fs::read(&a).expect("a file"), b"old");
        let error = staged.add(&folder.0.join("no/b"), b"new").expect_err("no folder");
        assert!(format!("{error:#}").contains("no/b"), "{error:#}");
        drop(staged);
        assert_eq!((fs::read(&a).expect("a file"), folder.names()), (b"old".to_vec(), vec!["a".to_owned()]));
        let mut staged = Staged::default();
        staged.add(&a, b"new").expect("a file beside");
        staged.add(&b, b"too").expect("a file beside");
        staged.commit().expect("two files");
        assert_eq!((fs::read(&a).expect("a"), fs::read(&b).expect("b")), (b"new".to_vec(), b"too".to_vec()));
        assert_eq!(folder.names(), ["a", "b"]);
        writable(&a).expect("a file");
        writable(&folder.0.join("c")).expect("no file yet");
        assert!(writable(&folder.0).is_err(), "a folder");
        assert_eq!((fs::read(&a).expect("a file"), folder.names().len()), (b"new".to_vec(), 2));
    }

    /// Whether it is there already, and by whatever way it is named.
    #[test]
    fn one_file_in_two_places_is_refused() {
        let folder = Folder::new("distinct");
        let (there, new) = (folder.0.join("there"), folder.0.join("new"));
        fs::create_dir(folder.0.join("below")).expect("a folder");
        fs::write(&there, "").expect("a file");
        let refused =
            |a: &Path, b: &Path| distinct([a, b]).is_err_and(|error| error.to_string().contains("are one file"));
        for file in [&there, &new] {
            let name = file.file_name().expect("a name");
            for other in [file.clone(), folder.0.join(".").join(name), folder.0.join("below/..").join(name)] {
                assert!(refused(file, &other), "{} and {}", file.display(), other.display());
            }
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("there", folder.0.join("link")).expect("a link");
            assert!(refused(&there, &folder.0.join("link")));
        }
        // A name without a folder lies here, and may be where nothing is.
        assert!(refused(Path::new("wavediff-no-such-file"), Path::new("./wavediff-no-such-file")));
        assert!(refused(Path::new("no/such/folder"), Path::new("no/such/folder")));
        distinct([&*there, &*new, Path::new("elsewhere")]).expect("three files");
        distinct([Path::new("/dev/null"), Path::new("/dev/null")]).expect("a device");
    }

    /// As a run has one on its journal.
    #[cfg(unix)]
    #[test]
    fn what_has_a_lock_is_not_replaced() {
        let folder = Folder::new("locked");
        let path = folder.0.join("run.jsonl");
        fs::write(&path, "lines").expect("a file");
        let run = File::open(&path).expect("a file");
        run.try_lock().expect("a lock");
        for error in [write(&path, b"a page"), writable(&path)].map(|done| done.expect_err("a lock")) {
            assert!(format!("{error:#}").contains("is being written by another run"), "{error:#}");
        }
        assert_eq!((fs::read(&path).expect("a file"), folder.names().len()), (b"lines".to_vec(), 1));
        drop(run);
        write(&path, b"a page").expect("nobody's file");
        assert_eq!(fs::read(&path).expect("a file"), b"a page");
    }

    #[test]
    fn what_is_written_piece_by_piece_is_there_at_the_end_or_not_at_all() {
        let folder = Folder::new("pieces");
        let path = folder.0.join("listing");
        fs::write(&path, "old").expect("a file");
        let half = |file: &mut File| -> Result<()> {
            file.write_all(b"half of it")?;
            assert_eq!(fs::read(&path)?, b"old");
            bail!("the other half is lost")
        };
        let error = write_by(&path, half).expect_err("half of it");
        assert!(format!("{error:#}").contains("can not be written: the other half is lost"), "{error:#}");
        assert_eq!((fs::read(&path).expect("a file"), folder.names().len()), (b"old".to_vec(), 1));
        let whole = |file: &mut File| -> Result<()> {
            file.write_all(b"one")?;
            Ok(file.write_all(b"two")?)
        };
        write_by(&path, whole).expect("room");
        assert_eq!((fs::read(&path).expect("a file"), folder.names().len()), (b"onetwo".to_vec(), 1));
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_stay() {
        use std::os::unix::fs::PermissionsExt;
        let folder = Folder::new("links");
        let (real, link) = (folder.0.join("real"), folder.0.join("link"));
        fs::write(&real, "old").expect("a file");
        fs::set_permissions(&real, fs::Permissions::from_mode(0o600)).expect("permissions");
        std::os::unix::fs::symlink("real", &link).expect("a link");
        write(&link, b"new").expect("a file");
        assert!(fs::symlink_metadata(&link).expect("a link").is_symlink());
        assert_eq!(fs::read(&real).expect("a file"), b"new");
        assert_eq!(fs::metadata(&real).expect("a file").permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn no_more_is_read_than_was_said() {
        assert_eq!(read_from(&b"abc"[..], "x", 3).expect("three bytes"), b"abc");
        let error = read_from(io::repeat(0), "`/dev/zero`", 1 << 20).expect_err("no end");
        assert!(error.to_string().contains("`/dev/zero` has more than 1 MiB"), "{error}");
        assert_eq!([size(3 << 20), size(4097), size(0)], ["3 MiB", "4097 bytes", "0 bytes"]);
    }

    /// Sixteen GiB of zeroes in some hundred KiB: frames of zstd may follow each other.
    fn bomb() -> Vec<u8> {
        let frame = zstd::encode_all(io::repeat(0).take(64 << 20), 1).expect("memory");
        let bomb = frame.repeat(256);
        assert!(bomb.len() < 2 << 20, "{} bytes", bomb.len());
        bomb
    }

    #[test]
    fn no_more_is_unpacked_than_was_promised() {
        let packed = zstd::encode_all(&b"abcabcabc"[..], 19).expect("memory");
        assert_eq!(unpack(&packed, 9).expect("nine bytes"), b"abcabcabc");
        assert_eq!(unpack(&packed, 100).expect("nine bytes"), b"abcabcabc");
        assert!(unpack(&packed, 8).is_err());
        let bomb = bomb();
        let mut rest = &bomb[..];
        let error = unpack_from(&mut rest, 1000).expect_err("a bomb").to_string();
        assert!(error.contains("more than the 1000 bytes"), "{error}");
        assert!(rest.len() > bomb.len() / 2, "what is too much was unpacked: {} bytes are left", rest.len());
        let error = unpack(&bomb, 16 << 30).expect_err("a bomb").to_string();
        assert!(error.contains("at most 256 MiB are unpacked"), "{error}");
    }
}
