//! Device files: what a program finds under `/dev/dri` and `/sys/dev/char` when it looks for GPUs.
//!
//! They exist in memory only. The machine's own files there are hidden, so that a real card does
//! not appear beside the virtual ones; `WAVEDIFF_VGPU_REAL=1` shows them too, and gives the virtual
//! ones numbers behind theirs.

use super::Answer;
use crate::chips::Chip;
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use std::collections::BTreeMap;
use std::ffi::{CStr, CString};

/// The major number of DRM devices.
const MAJOR: u32 = 226;

/// Where a path leads.
pub(crate) enum Place<T> {
    /// To the machine's files.
    Elsewhere,
    /// Nowhere, though the machine may have such a file.
    Hidden,
    /// To a file of ours.
    Here(T),
}

/// A file of ours.
#[derive(Debug)]
pub(crate) enum Node {
    Folder(Vec<String>),
    Text(String),
    Link(&'static str),
    /// The render node of a device.
    Device(usize),
}

/// All files of ours, by path.
pub(crate) struct Tree {
    nodes: BTreeMap<String, Node>,
    /// The minor number of the first device.
    first: u32,
    /// Whether the machine's own files are shown too.
    real: bool,
}

/// Whether a path may lead to one of our files. Fast, since every path of a program is asked.
pub(crate) fn is_candidate(path: &CStr) -> bool {
    let path = path.to_bytes();
    path.starts_with(b"/dev/dri") && matches!(path.get(8), None | Some(b'/')) || path.starts_with(b"/sys/dev/char/226:")
}

impl Tree {
    pub fn new(chips: &[&'static Chip], real: bool) -> Tree {
        let first = if real { 160 } else { 128 };
        let mut tree = Tree { nodes: BTreeMap::new(), first, real };
        let mut names: Vec<String> = Vec::new();
        for (n, chip) in chips.iter().enumerate() {
            let minor = first + n as u32;
            let node = format!("renderD{minor}");
            tree.add(&format!("/dev/dri/{node}"), Node::Device(n));
            let base = format!("/sys/dev/char/{MAJOR}:{minor}");
            tree.text(&base, "uevent", &format!("MAJOR={MAJOR}\nMINOR={minor}\nDEVNAME=dri/{node}\nDEVTYPE=drm_minor"));
            tree.text(&base, "dev", &format!("{MAJOR}:{minor}"));
            let device = format!("{base}/device");
            tree.add(&format!("{device}/subsystem"), Node::Link("/sys/bus/pci"));
            tree.add(&format!("{device}/driver"), Node::Link("/sys/bus/pci/drivers/amdgpu"));
            tree.text(&format!("{device}/drm/{node}"), "dev", &format!("{MAJOR}:{minor}"));
            // Nobody can open a primary node, but libdrm takes two devices without one's name for
            // the same.
            let primary = minor - 128;
            tree.text(&format!("{device}/drm/card{primary}"), "dev", &format!("{MAJOR}:{primary}"));
            let number = chip.device;
            let slot = format!("0000:{:02x}:00.0", n + 4);
            let uevent = format!(
                "DRIVER=amdgpu\nPCI_CLASS=30000\nPCI_ID=1002:{number:04X}\nPCI_SUBSYS_ID=1002:{number:04X}\nPCI_SLOT_NAME={slot}"
            );
            tree.text(&device, "uevent", &uevent);
            let number = format!("{number:#06x}");
            for (name, text) in [
                ("vendor", "0x1002"),
                ("device", number.as_str()),
                ("subsystem_vendor", "0x1002"),
                ("subsystem_device", number.as_str()),
                ("revision", "0x00"),
                ("class", "0x030000"),
            ] {
                tree.text(&device, name, text);
            }
            names.push(node);
        }
        if real {
            names.extend(real_names().into_iter().filter(|n| !names.contains(n)).collect::<Vec<_>>());
        }
        tree.nodes.insert("/dev/dri".to_owned(), Node::Folder(names));
        tree
    }

    fn text(&mut self, folder: &str, name: &str, line: &str) {
        self.add(&format!("{folder}/{name}"), Node::Text(format!("{line}\n")));
    }

    /// Adds a file, and the folders that it is in as far as they are ours.
    fn add(&mut self, path: &str, node: Node) {
        self.nodes.insert(path.to_owned(), node);
        let Some((folder, name)) = path.rsplit_once('/').filter(|(folder, _)| is_ours(folder)) else { return };
        if !self.nodes.contains_key(folder) {
            self.add(folder, Node::Folder(Vec::new()));
        }
        if let Some(Node::Folder(names)) = self.nodes.get_mut(folder)
            && !names.iter().any(|n| n == name)
        {
            names.push(name.to_owned());
        }
    }

    /// Where a path leads, and how it is spelled without detours.
    pub fn find(&self, path: &CStr) -> Place<(&str, &Node)> {
        if !is_candidate(path) {
            return Place::Elsewhere;
        }
        let found = path.to_str().ok().map(tidy).and_then(|tidy| self.nodes.get_key_value(tidy.as_str()));
        match found {
            Some((path, node)) => Place::Here((path, node)),
            None if self.real => Place::Elsewhere,
            None => Place::Hidden,
        }
    }

    /// What is at a path of ours.
    pub fn node(&self, path: &str) -> Option<&Node> {
        self.nodes.get(path)
    }

    /// The status of a file; `device` tells which device a file without a name is.
    #[allow(unsafe_code, reason = "a structure of numbers begins as zeroes")]
    pub fn status(&self, node: &Node) -> libc::stat {
        // SAFETY: all bits zero are a value of this structure of integers.
        let mut status: libc::stat = unsafe { std::mem::zeroed() };
        status.st_nlink = 1;
        status.st_blksize = 4096;
        status.st_dev = 0x7677;
        status.st_ino = self.nodes.values().position(|n| std::ptr::eq(n, node)).unwrap_or(0) as u64 + 1;
        status.st_mode = match node {
            Node::Folder(_) => libc::S_IFDIR | 0o755,
            Node::Text(_) => libc::S_IFREG | 0o444,
            Node::Link(_) => libc::S_IFLNK | 0o777,
            Node::Device(_) => libc::S_IFCHR | 0o666,
        };
        match node {
            Node::Text(text) => status.st_size = text.len() as i64,
            Node::Link(target) => status.st_size = target.len() as i64,
            Node::Device(n) => status.st_rdev = libc::makedev(MAJOR, self.first + *n as u32),
            Node::Folder(_) => {}
        }
        status
    }

    /// The render node of a device.
    pub fn device(&self, n: usize) -> Option<&Node> {
        self.nodes.get(&format!("/dev/dri/renderD{}", self.first + n as u32))
    }
}

fn is_ours(folder: &str) -> bool {
    folder == "/dev/dri" || folder.starts_with("/sys/dev/char/226:")
}

/// A path without empty parts, `.` and `..`.
fn tidy(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    parts.iter().fold(String::new(), |path, part| path + "/" + part)
}

/// The machine's own names in `/dev/dri`.
fn real_names() -> Vec<String> {
    let open = rustix::fs::open("/dev/dri", OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty());
    let Ok(folder) = open else { return Vec::new() };
    let mut buffer = vec![std::mem::MaybeUninit::uninit(); 16 << 10];
    let mut entries = rustix::fs::RawDir::new(folder, &mut buffer);
    let mut names = Vec::new();
    while let Some(Ok(entry)) = entries.next() {
        if let Ok(name) = entry.file_name().to_str().map(str::to_owned)
            && name != "."
            && name != ".."
        {
            names.push(name);
        }
    }
    names
}

/// All bytes of a file of the machine's.
pub(crate) fn contents(path: &CStr) -> Answer<Vec<u8>> {
    let file = rustix::fs::open(path, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?;
    let (mut all, mut buffer) = (Vec::new(), vec![0; 64 << 10]);
    loop {
        match rustix::io::read(&file, &mut buffer[..]) {
            Ok(0) => return Ok(all),
            Ok(n) => all.extend_from_slice(&buffer[..n]),
            Err(Errno::INTR) => {}
            Err(error) => return Err(error),
        }
    }
}

/// An open folder of ours.
pub struct Folder {
    /// Name and kind.
    entries: Vec<(CString, u8)>,
    at: usize,
    entry: libc::dirent64,
}

impl Folder {
    #[allow(unsafe_code, reason = "a structure of numbers begins as zeroes")]
    pub(crate) fn new(tree: &Tree, path: &str, names: &[String]) -> Folder {
        let kind = |name: &str| match tree.node(&format!("{path}/{name}")) {
            Some(Node::Device(_)) => libc::DT_CHR,
            Some(Node::Text(_)) => libc::DT_REG,
            Some(Node::Link(_)) => libc::DT_LNK,
            Some(Node::Folder(_)) => libc::DT_DIR,
            None => libc::DT_UNKNOWN,
        };
        let dots = [".", ".."].map(|name| (name, libc::DT_DIR));
        let all = dots.into_iter().chain(names.iter().map(|name| (name.as_str(), kind(name))));
        let entries = all.filter_map(|(name, kind)| Some((CString::new(name).ok()?, kind))).collect();
        // SAFETY: all bits zero are a value of this structure of integers.
        let entry = unsafe { std::mem::zeroed() };
        Folder { entries, at: 0, entry }
    }

    /// The next entry: valid until the next one is read.
    pub fn next_entry(&mut self) -> Option<&mut libc::dirent64> {
        let (name, kind) = self.entries.get(self.at)?;
        self.at += 1;
        self.entry.d_ino = self.at as u64;
        self.entry.d_off = self.at as i64;
        self.entry.d_reclen = size_of::<libc::dirent64>() as u16;
        self.entry.d_type = *kind;
        let name = name.as_bytes_with_nul();
        for (to, from) in self.entry.d_name.iter_mut().zip(name) {
            *to = *from as libc::c_char;
        }
        Some(&mut self.entry)
    }

    /// Begins again at an entry.
    pub fn seek(&mut self, at: usize) {
        self.at = at;
    }

    /// How many entries were read.
    #[must_use]
    pub fn position(&self) -> usize {
        self.at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree() -> Tree {
        Tree::new(&[&crate::chips::CHIPS[0], &crate::chips::CHIPS[10]], false)
    }

    #[test]
    fn detours_lead_to_the_same_file() {
        for path in [c"/dev/dri/renderD129", c"/dev/dri//renderD129/", c"/dev/dri/./x/../renderD129"] {
            assert!(matches!(tree().find(path), Place::Here(("/dev/dri/renderD129", Node::Device(1)))), "{path:?}");
        }
    }

    #[test]
    fn only_what_is_asked_for_is_hidden() {
        for path in [c"/dev/dri/card0", c"/dev/dri/renderD130", c"/sys/dev/char/226:0/device"] {
            assert!(matches!(tree().find(path), Place::Hidden), "{path:?}");
        }
        for path in [c"/dev/drip", c"/sys/dev/char/22:0", c"", c"dev/dri", c"/dev/null"] {
            assert!(matches!(tree().find(path), Place::Elsewhere), "{path:?}");
        }
    }

    #[test]
    fn folders_have_what_is_in_them() {
        let tree = tree();
        let Some(Node::Folder(names)) = tree.node("/sys/dev/char/226:128/device") else { panic!("no folder") };
        assert!(["uevent", "vendor", "device", "subsystem", "drm"].iter().all(|n| names.iter().any(|m| m == n)));
        let Some(Node::Folder(names)) = tree.node("/dev/dri") else { panic!("no folder") };
        assert_eq!(names, &["renderD128", "renderD129"]);
    }
}
