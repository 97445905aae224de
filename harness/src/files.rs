//! Files as the program reads and writes them: never more of one than was said beforehand, never half of one.
//!
//! Reading: every kind of file has a most; `/dev/zero`, a pipe without an end and a compressed file that unpacks to more than it promises are errors
//! that name it. Writing: the new contents are written beside the file and take its place by a rename once they are all there, so that a full disk or a
//! kill leaves what was there before. Devices and pipes, which nothing can take the place of, are written to as they are.

use anyhow::{Context, Result, bail};
use std::fs::{self, File, OpenOptions};
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
    let mut staged = Staged::default();
    staged.add(path, bytes)?;
    staged.commit()
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
        let mut write = || -> io::Result<()> {
            match place(path)? {
                Place::There(mut file) => file.write_all(bytes),
                Place::Beside(mut file, other, target) => {
                    let permissions = fs::metadata(&target).map(|about| about.permissions());
                    self.files.push((other.clone(), target));
                    if let Ok(permissions) = permissions {
                        // Those of the old file, which may be less than a new one has.
                        fs::set_permissions(&other, permissions)?;
                    }
                    file.write_all(bytes)?;
                    // A rename may reach the disk before what was renamed.
                    file.sync_all()
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

fn place(path: &Path) -> io::Result<Place> {
    // What is behind a link is replaced, and not the link. Links of the system to open files say nothing of where those are.
    let of_system = ["/dev", "/proc"].iter().any(|folder| path.starts_with(folder));
    let target = if of_system { path.to_owned() } else { path.canonicalize().unwrap_or_else(|_| path.to_owned()) };
    match fs::metadata(&target) {
        Ok(about) if about.is_dir() => return Err(io::Error::other("it is a folder")),
        Ok(about) => {
            // Also for a file that is replaced: one that must not be written to is not replaced either.
            let file = OpenOptions::new().write(true).open(&target)?;
            if of_system || !about.is_file() {
                return Ok(Place::There(file));
            }
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let other = target.with_file_name(format!(".wavediff-{}-{number}.new", std::process::id()));
    let file = OpenOptions::new().write(true).create_new(true).open(&other).map_err(|error| {
        let folder = other.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
        io::Error::new(error.kind(), format!("no file can be made in the folder `{}`: {error}", folder.display()))
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
