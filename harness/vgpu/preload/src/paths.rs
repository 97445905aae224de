//! Functions that take a path.

use crate::real::{failed, ours, text};
use libc::{FILE, c_char, c_int, c_uint, mode_t, size_t, ssize_t};
use wavediff_vgpu::kernel::calls;

macro_rules! opens {
    ($($function:ident $name:literal)*) => {$(
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $function(path: *const c_char, flags: c_int, mode: mode_t) -> c_int {
            ours(-1, || calls::open(text(path)?, flags)).unwrap_or_else(
                || pass!($name: fn(*const c_char, c_int, mode_t) -> c_int, path, flags, mode; -1),
            )
        }
    )*};
}

opens! { open c"open"  open64 c"open64"  __open_2 c"__open_2"  __open64_2 c"__open64_2" }

macro_rules! openats {
    ($($function:ident $name:literal)*) => {$(
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $function(folder: c_int, path: *const c_char, flags: c_int, mode: mode_t) -> c_int {
            ours(-1, || calls::open(text(path)?, flags)).unwrap_or_else(
                || pass!($name: fn(c_int, *const c_char, c_int, mode_t) -> c_int, folder, path, flags, mode; -1),
            )
        }
    )*};
}

openats! { openat c"openat"  openat64 c"openat64"  __openat_2 c"__openat_2"  __openat64_2 c"__openat64_2" }

macro_rules! fopens {
    ($($function:ident $name:literal)*) => {$(
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $function(path: *const c_char, mode: *const c_char) -> *mut FILE {
            let flags = || {
                let mode = text(mode)?.to_bytes();
                let reads = mode.first() == Some(&b'r') && !mode.contains(&b'+');
                let closes = if mode.contains(&b'e') { libc::O_CLOEXEC } else { 0 };
                Some(closes | if reads { libc::O_RDONLY } else { libc::O_RDWR })
            };
            match ours(-1, || calls::open(text(path)?, flags()?)) {
                Some(-1) => std::ptr::null_mut(),
                // SAFETY: a descriptor that is ours alone, and the caller's mode.
                Some(fd) => unsafe { libc::fdopen(fd, mode) },
                None => pass!($name: fn(*const c_char, *const c_char) -> *mut FILE, path, mode; std::ptr::null_mut()),
            }
        }
    )*};
}

fopens! { fopen c"fopen"  fopen64 c"fopen64" }

/// Where the caller wants the status, if the file is ours.
fn status(path: *const c_char, follow: bool, to: *mut libc::stat) -> Option<c_int> {
    ours(-1, || {
        let answer = calls::status(text(path)?, follow)?;
        // SAFETY: the caller has room for a status there.
        Some(answer.map(|status| unsafe { to.write(status) }).map(|()| 0))
    })
}

fn status_of(fd: c_int, to: *mut libc::stat) -> Option<c_int> {
    ours(-1, || {
        let answer = calls::status_of(fd)?;
        // SAFETY: the caller has room for a status there.
        Some(answer.map(|status| unsafe { to.write(status) }).map(|()| 0))
    })
}

/// The status of a path below a folder, or of the folder itself.
fn status_at(folder: c_int, path: *const c_char, to: *mut libc::stat, flags: c_int) -> Option<c_int> {
    if flags & libc::AT_EMPTY_PATH != 0 && text(path).is_none_or(|path| path.is_empty()) {
        return status_of(folder, to);
    }
    status(path, flags & libc::AT_SYMLINK_NOFOLLOW == 0, to)
}

// A `stat64` is a `stat` where files are 64 bits long anyway, as on all hosts that these are built
// for.
macro_rules! stats {
    ($($function:ident $name:literal $follow:literal $old:ident $old_name:literal)*) => {$(
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $function(path: *const c_char, to: *mut libc::stat) -> c_int {
            status(path, $follow, to)
                .unwrap_or_else(|| pass!($name: fn(*const c_char, *mut libc::stat) -> c_int, path, to; -1))
        }

        /// The same for programs that were linked with an older C library.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $old(version: c_int, path: *const c_char, to: *mut libc::stat) -> c_int {
            status(path, $follow, to).unwrap_or_else(|| {
                match real!($old_name: fn(c_int, *const c_char, *mut libc::stat) -> c_int) {
                    // SAFETY: the caller's arguments, as they came.
                    Some(function) => unsafe { function(version, path, to) },
                    None => pass!($name: fn(*const c_char, *mut libc::stat) -> c_int, path, to; -1),
                }
            })
        }
    )*};
}

stats! {
    stat c"stat" true __xstat c"__xstat"
    stat64 c"stat64" true __xstat64 c"__xstat64"
    lstat c"lstat" false __lxstat c"__lxstat"
    lstat64 c"lstat64" false __lxstat64 c"__lxstat64"
}

macro_rules! fstats {
    ($($function:ident $name:literal $old:ident $old_name:literal)*) => {$(
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $function(fd: c_int, to: *mut libc::stat) -> c_int {
            status_of(fd, to).unwrap_or_else(|| pass!($name: fn(c_int, *mut libc::stat) -> c_int, fd, to; -1))
        }

        /// The same for programs that were linked with an older C library.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $old(version: c_int, fd: c_int, to: *mut libc::stat) -> c_int {
            status_of(fd, to).unwrap_or_else(|| match real!($old_name: fn(c_int, c_int, *mut libc::stat) -> c_int) {
                // SAFETY: the caller's arguments, as they came.
                Some(function) => unsafe { function(version, fd, to) },
                None => pass!($name: fn(c_int, *mut libc::stat) -> c_int, fd, to; -1),
            })
        }
    )*};
}

fstats! { fstat c"fstat" __fxstat c"__fxstat"  fstat64 c"fstat64" __fxstat64 c"__fxstat64" }

macro_rules! fstatats {
    ($($function:ident $name:literal $old:ident $old_name:literal)*) => {$(
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $function(folder: c_int, path: *const c_char, to: *mut libc::stat, flags: c_int) -> c_int {
            status_at(folder, path, to, flags).unwrap_or_else(|| {
                pass!($name: fn(c_int, *const c_char, *mut libc::stat, c_int) -> c_int, folder, path, to, flags; -1)
            })
        }

        /// The same for programs that were linked with an older C library.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $old(
            version: c_int,
            folder: c_int,
            path: *const c_char,
            to: *mut libc::stat,
            flags: c_int,
        ) -> c_int {
            status_at(folder, path, to, flags).unwrap_or_else(|| {
                match real!($old_name: fn(c_int, c_int, *const c_char, *mut libc::stat, c_int) -> c_int) {
                    // SAFETY: the caller's arguments, as they came.
                    Some(function) => unsafe { function(version, folder, path, to, flags) },
                    None => {
                        pass!($name: fn(c_int, *const c_char, *mut libc::stat, c_int) -> c_int, folder, path, to, flags; -1)
                    }
                }
            })
        }
    )*};
}

fstatats! { fstatat c"fstatat" __fxstatat c"__fxstatat"  fstatat64 c"fstatat64" __fxstatat64 c"__fxstatat64" }

#[unsafe(no_mangle)]
pub unsafe extern "C" fn statx(
    folder: c_int,
    path: *const c_char,
    flags: c_int,
    mask: c_uint,
    to: *mut libc::statx,
) -> c_int {
    // SAFETY: all bits zero are a value of these structures of integers.
    let (mut status, mut x): (libc::stat, libc::statx) = unsafe { (std::mem::zeroed(), std::mem::zeroed()) };
    match status_at(folder, path, &mut status, flags) {
        Some(0) => {
            x.stx_mask = libc::STATX_TYPE | libc::STATX_MODE | libc::STATX_NLINK | libc::STATX_INO | libc::STATX_SIZE;
            x.stx_blksize = status.st_blksize as u32;
            x.stx_nlink = status.st_nlink as u32;
            x.stx_mode = status.st_mode as u16;
            x.stx_ino = status.st_ino;
            x.stx_size = status.st_size as u64;
            (x.stx_rdev_major, x.stx_rdev_minor) = (libc::major(status.st_rdev), libc::minor(status.st_rdev));
            (x.stx_dev_major, x.stx_dev_minor) = (libc::major(status.st_dev), libc::minor(status.st_dev));
            // SAFETY: the caller has room for it there.
            unsafe { to.write(x) };
            0
        }
        Some(result) => result,
        None => {
            pass!(c"statx": fn(c_int, *const c_char, c_int, c_uint, *mut libc::statx) -> c_int, folder, path, flags, mask, to; -1)
        }
    }
}

fn accessible(path: *const c_char, mode: c_int) -> Option<c_int> {
    ours(-1, || Some(calls::access(text(path)?, mode)?.map(|()| 0)))
}

macro_rules! accesses {
    ($($function:ident $name:literal)*) => {$(
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $function(path: *const c_char, mode: c_int) -> c_int {
            accessible(path, mode).unwrap_or_else(|| pass!($name: fn(*const c_char, c_int) -> c_int, path, mode; -1))
        }
    )*};
}

accesses! { access c"access"  euidaccess c"euidaccess"  eaccess c"eaccess" }

#[unsafe(no_mangle)]
pub unsafe extern "C" fn faccessat(folder: c_int, path: *const c_char, mode: c_int, flags: c_int) -> c_int {
    accessible(path, mode).unwrap_or_else(
        || pass!(c"faccessat": fn(c_int, *const c_char, c_int, c_int) -> c_int, folder, path, mode, flags; -1),
    )
}

/// Where a link of ours leads, without a zero at the end, cut where there is no more room.
fn link(path: *const c_char, to: *mut c_char, room: size_t) -> Option<ssize_t> {
    ours(-1, || {
        let answer = calls::link(text(path)?)?;
        Some(answer.map(|target| {
            let len = target.len().min(room);
            // SAFETY: the caller has so much room there.
            unsafe { to.copy_from_nonoverlapping(target.as_ptr().cast(), len) };
            len as ssize_t
        }))
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn readlink(path: *const c_char, to: *mut c_char, room: size_t) -> ssize_t {
    link(path, to, room)
        .unwrap_or_else(|| pass!(c"readlink": fn(*const c_char, *mut c_char, size_t) -> ssize_t, path, to, room; -1))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __readlink_chk(path: *const c_char, to: *mut c_char, room: size_t, all: size_t) -> ssize_t {
    link(path, to, room.min(all)).unwrap_or_else(
        || pass!(c"__readlink_chk": fn(*const c_char, *mut c_char, size_t, size_t) -> ssize_t, path, to, room, all; -1),
    )
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn readlinkat(folder: c_int, path: *const c_char, to: *mut c_char, room: size_t) -> ssize_t {
    link(path, to, room).unwrap_or_else(
        || pass!(c"readlinkat": fn(c_int, *const c_char, *mut c_char, size_t) -> ssize_t, folder, path, to, room; -1),
    )
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __readlinkat_chk(
    folder: c_int,
    path: *const c_char,
    to: *mut c_char,
    room: size_t,
    all: size_t,
) -> ssize_t {
    link(path, to, room.min(all)).unwrap_or_else(|| {
        pass!(c"__readlinkat_chk": fn(c_int, *const c_char, *mut c_char, size_t, size_t) -> ssize_t,
            folder, path, to, room, all; -1)
    })
}

/// The path without detours, where the caller wants it, or in memory of the C library's.
fn resolved(path: *const c_char, to: *mut c_char, room: size_t) -> Option<*mut c_char> {
    let path = ours(None, || Some(calls::real_path(text(path)?)?.map(Some)))?;
    let Some(path) = path else { return Some(std::ptr::null_mut()) };
    let bytes = path.as_bytes_with_nul();
    if bytes.len() > room {
        return Some(failed(libc::ENAMETOOLONG, std::ptr::null_mut()));
    }
    // SAFETY: the C library's memory for so many bytes, or none.
    let to = if to.is_null() { unsafe { libc::malloc(bytes.len()).cast() } } else { to };
    if !to.is_null() {
        // SAFETY: there is room for them.
        unsafe { to.copy_from_nonoverlapping(bytes.as_ptr().cast(), bytes.len()) };
    }
    Some(to)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn realpath(path: *const c_char, to: *mut c_char) -> *mut c_char {
    resolved(path, to, libc::PATH_MAX as size_t).unwrap_or_else(
        || pass!(c"realpath": fn(*const c_char, *mut c_char) -> *mut c_char, path, to; std::ptr::null_mut()),
    )
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __realpath_chk(path: *const c_char, to: *mut c_char, room: size_t) -> *mut c_char {
    resolved(path, to, room).unwrap_or_else(|| {
        pass!(c"__realpath_chk": fn(*const c_char, *mut c_char, size_t) -> *mut c_char, path, to, room;
            std::ptr::null_mut())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn canonicalize_file_name(path: *const c_char) -> *mut c_char {
    resolved(path, std::ptr::null_mut(), libc::PATH_MAX as size_t).unwrap_or_else(
        || pass!(c"canonicalize_file_name": fn(*const c_char) -> *mut c_char, path; std::ptr::null_mut()),
    )
}
