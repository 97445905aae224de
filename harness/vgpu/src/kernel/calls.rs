//! What functions of the C library ask: nothing where a path or a descriptor is not ours, else an
//! answer.

use super::fds::{self, Entry, placeholder};
use super::file::{File, sync_file_ioctl};
use super::files::{self, Folder, Node, Place};
use super::{Answer, Process, is_enabled};
use rustix::io::Errno;
use std::ffi::{CStr, CString, c_void};
use std::os::fd::OwnedFd;
use std::sync::Arc;

/// Nothing where the call is to be passed on.
pub type Ours<T> = Option<Answer<T>>;

/// The file of ours at a path. Links are followed where they lead out only if asked.
fn node(path: &CStr) -> Ours<(&'static Process, &'static str, &'static Node)> {
    if !files::is_candidate(path) || !is_enabled() {
        return None;
    }
    let process = match Process::current() {
        Ok(process) => process,
        Err(error) => return Some(Err(error)),
    };
    match process.tree.find(path) {
        Place::Elsewhere => None,
        Place::Hidden => Some(Err(Errno::NOENT)),
        Place::Here((path, node)) => Some(Ok((process, path, node))),
    }
}

/// Opens a device or a text of ours.
#[must_use]
pub fn open(path: &CStr, flags: i32) -> Ours<i32> {
    Some(node(path)?.and_then(|(process, _, node)| match node {
        _ if flags & (libc::O_CREAT | libc::O_EXCL) == libc::O_CREAT | libc::O_EXCL => Err(Errno::EXIST),
        Node::Device(_) | Node::Text(_) if flags & libc::O_DIRECTORY != 0 => Err(Errno::NOTDIR),
        Node::Device(n) => {
            let device = process.devices.get(*n).ok_or(Errno::NODEV)?;
            process.fds.add(placeholder(c"renderD", flags)?, Entry::Card(Arc::new(File::new(device))))
        }
        Node::Text(_) if flags & libc::O_ACCMODE != libc::O_RDONLY => Err(Errno::ACCESS),
        Node::Text(text) => text_file(text, flags).map(std::os::fd::IntoRawFd::into_raw_fd),
        // Folders can be read by `opendir` only.
        Node::Folder(_) | Node::Link(_) => Err(Errno::ACCESS),
    }))
}

fn text_file(text: &str, flags: i32) -> Answer<OwnedFd> {
    let file = placeholder(c"sysfs", flags)?;
    rustix::io::pwrite(&file, text.as_bytes(), 0)?;
    Ok(file)
}

/// The status of a file; of a link itself, unless links are followed.
#[must_use]
pub fn status(path: &CStr, follow: bool) -> Ours<libc::stat> {
    Some(node(path)?.map(|(process, _, node)| {
        let mut status = process.tree.status(node);
        if follow && matches!(node, Node::Link(_)) {
            status.st_mode = libc::S_IFDIR | 0o755;
        }
        status
    }))
}

/// The status of an open device.
#[must_use]
pub fn status_of(fd: i32) -> Ours<libc::stat> {
    let Entry::Card(file) = entry(fd)? else { return None };
    let process = Process::existing()?;
    Some(process.tree.device(file.device.number).map(|node| process.tree.status(node)).ok_or(Errno::NODEV))
}

/// Whether a file may be used so.
#[must_use]
pub fn access(path: &CStr, mode: i32) -> Ours<()> {
    Some(node(path)?.and_then(|(_, _, node)| match node {
        Node::Text(_) if mode & libc::W_OK != 0 => Err(Errno::ACCESS),
        Node::Text(_) | Node::Device(_) if mode & libc::X_OK != 0 => Err(Errno::ACCESS),
        _ => Ok(()),
    }))
}

/// Where a link leads.
#[must_use]
pub fn link(path: &CStr) -> Ours<&'static str> {
    Some(node(path)?.and_then(|(_, _, node)| match node {
        Node::Link(target) => Ok(*target),
        _ => Err(Errno::INVAL),
    }))
}

/// The path without detours.
#[must_use]
pub fn real_path(path: &CStr) -> Ours<CString> {
    Some(node(path)?.and_then(|(_, path, node)| {
        let path = if let Node::Link(target) = node { target } else { path };
        CString::new(path).map_err(|_| Errno::NOENT)
    }))
}

/// Opens a folder for reading.
#[must_use]
pub fn folder(path: &CStr) -> Ours<Folder> {
    Some(node(path)?.and_then(|(process, path, node)| match node {
        Node::Folder(names) => Ok(Folder::new(&process.tree, path, names)),
        Node::Link(_) => Err(Errno::ACCESS),
        _ => Err(Errno::NOTDIR),
    }))
}

/// What a descriptor stands for, in this process.
fn entry(fd: i32) -> Option<Entry> {
    if !fds::is_candidate(fd) {
        return None;
    }
    Process::existing()?.fds.get(fd)
}

/// An ioctl.
#[must_use]
pub fn ioctl(fd: i32, request: u64, argument: u64) -> Ours<i32> {
    let kind = (request >> 8) as u8;
    match (entry(fd)?, kind) {
        (Entry::Card(file), b'd') => Some(file.ioctl(request, argument)),
        (Entry::SyncFile(fences), b'>') => Some(sync_file_ioctl(&fences, request, argument)),
        // Begin and end of accesses by the CPU.
        (Entry::Buffer(_), b'b') => Some(if request as u8 == 0 { Ok(0) } else { Err(Errno::NOTTY) }),
        // What all files can do.
        _ => None,
    }
}

/// Maps memory of a device or of an exported object.
#[must_use]
pub fn map(address: *mut c_void, len: usize, prot: i32, flags: i32, fd: i32, offset: i64) -> Ours<*mut c_void> {
    if flags & libc::MAP_ANONYMOUS != 0 {
        return None;
    }
    let offset = offset as u64;
    match entry(fd)? {
        Entry::Card(file) => Some(match file.object_at(offset) {
            Some((object, from)) => object.map(address, len, prot, flags, from),
            None => Err(Errno::INVAL),
        }),
        Entry::Buffer(object) => Some(object.map(address, len, prot, flags, offset)),
        _ => None,
    }
}

/// A descriptor is about to be closed.
pub fn closing(fd: i32) {
    if fds::is_candidate(fd)
        && let Some(process) = Process::existing()
    {
        process.fds.set(fd, None);
    }
}

/// All descriptors of a range are about to be closed.
pub fn closing_range(first: u32, last: u32) {
    if let Some(process) = Process::existing() {
        process.fds.inside(first, last).into_iter().for_each(|fd| process.fds.set(fd, None));
    }
}

/// A descriptor was duplicated: the new one stands for the same, whatever it was before.
pub fn duplicated(old: i32, new: i32) {
    if old != new
        && (fds::is_candidate(old) || fds::is_candidate(new))
        && let Some(process) = Process::existing()
    {
        process.fds.set(new, process.fds.get(old));
    }
}
