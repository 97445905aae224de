//! Functions that take a descriptor.

use crate::real::ours;
use libc::{c_int, c_uint, c_ulong, c_void, off_t, size_t};
use std::panic::{AssertUnwindSafe, catch_unwind};
use wavediff_vgpu::kernel::calls;

/// Bookkeeping that answers nothing. A panic ends here.
fn tell(what: impl FnOnce()) {
    // There is nobody to tell of it: the call itself went well.
    let _ = catch_unwind(AssertUnwindSafe(what));
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn ioctl(fd: c_int, request: c_ulong, argument: *mut c_void) -> c_int {
    ours(-1, || calls::ioctl(fd, request, argument as u64))
        .unwrap_or_else(|| pass!(c"ioctl": fn(c_int, c_ulong, *mut c_void) -> c_int, fd, request, argument; -1))
}

macro_rules! mmaps {
    ($($function:ident $name:literal)*) => {$(
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $function(
            address: *mut c_void,
            len: size_t,
            prot: c_int,
            flags: c_int,
            fd: c_int,
            offset: off_t,
        ) -> *mut c_void {
            ours(libc::MAP_FAILED, || calls::map(address, len, prot, flags, fd, offset)).unwrap_or_else(|| {
                pass!($name: fn(*mut c_void, size_t, c_int, c_int, c_int, off_t) -> *mut c_void,
                    address, len, prot, flags, fd, offset; libc::MAP_FAILED)
            })
        }
    )*};
}

mmaps! { mmap c"mmap"  mmap64 c"mmap64" }

// A number is forgotten before it is closed: behind that it may be somebody else's at once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn close(fd: c_int) -> c_int {
    tell(|| calls::closing(fd));
    pass!(c"close": fn(c_int) -> c_int, fd; -1)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn close_range(first: c_uint, last: c_uint, flags: c_int) -> c_int {
    if flags & libc::CLOSE_RANGE_CLOEXEC as c_int == 0 {
        tell(|| calls::closing_range(first, last));
    }
    pass!(c"close_range": fn(c_uint, c_uint, c_int) -> c_int, first, last, flags; -1)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn closefrom(first: c_int) {
    tell(|| calls::closing_range(first.max(0) as c_uint, c_uint::MAX));
    pass!(c"closefrom": fn(c_int) -> (), first; ());
}

/// The new descriptor stands for what the old one did.
fn duplicated(old: c_int, new: c_int) -> c_int {
    if new >= 0 {
        tell(|| calls::duplicated(old, new));
    }
    new
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn dup(fd: c_int) -> c_int {
    duplicated(fd, pass!(c"dup": fn(c_int) -> c_int, fd; -1))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn dup2(old: c_int, new: c_int) -> c_int {
    duplicated(old, pass!(c"dup2": fn(c_int, c_int) -> c_int, old, new; -1))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn dup3(old: c_int, new: c_int, flags: c_int) -> c_int {
    duplicated(old, pass!(c"dup3": fn(c_int, c_int, c_int) -> c_int, old, new, flags; -1))
}

macro_rules! fcntls {
    ($($function:ident $name:literal)*) => {$(
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $function(fd: c_int, command: c_int, argument: *mut c_void) -> c_int {
            let result = pass!($name: fn(c_int, c_int, *mut c_void) -> c_int, fd, command, argument; -1);
            if matches!(command, libc::F_DUPFD | libc::F_DUPFD_CLOEXEC) { duplicated(fd, result) } else { result }
        }
    )*};
}

fcntls! { fcntl c"fcntl"  fcntl64 c"fcntl64" }
