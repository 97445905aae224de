//! The program's memory, as ioctls see it: a pointer that leads nowhere is an error, not a crash.
//!
//! The host's kernel copies: it checks every page. Where it may not (some sandboxes forbid the
//! call), pointers are taken as they are.

use super::Answer;
use bytemuck::{AnyBitPattern, NoUninit, bytes_of, bytes_of_mut};
use rustix::io::Errno;

/// The most that one argument may make us copy.
const LARGEST: usize = 16 << 20;

/// Reads as many bytes as there is room for.
#[allow(unsafe_code, reason = "the one place that reads memory of the program by address")]
pub(crate) fn read(address: u64, to: &mut [u8]) -> Answer<()> {
    if to.is_empty() {
        return Ok(());
    }
    let local = libc::iovec { iov_base: to.as_mut_ptr().cast(), iov_len: to.len() };
    let remote = libc::iovec { iov_base: address as *mut libc::c_void, iov_len: to.len() };
    // SAFETY: the local vector is the slice; the kernel checks the remote one.
    let copied = unsafe { libc::process_vm_readv(pid(), &local, 1, &remote, 1, 0) };
    finish(copied, to.len(), || {
        // SAFETY: the caller of the ioctl vouches for its pointer, as it must towards a kernel.
        unsafe { std::ptr::copy_nonoverlapping(address as *const u8, to.as_mut_ptr(), to.len()) }
    })
}

/// Writes all bytes.
#[allow(unsafe_code, reason = "the one place that writes memory of the program by address")]
pub(crate) fn write(address: u64, from: &[u8]) -> Answer<()> {
    if from.is_empty() {
        return Ok(());
    }
    let local = libc::iovec { iov_base: from.as_ptr().cast_mut().cast(), iov_len: from.len() };
    let remote = libc::iovec { iov_base: address as *mut libc::c_void, iov_len: from.len() };
    // SAFETY: the local vector is the slice, which is only read; the kernel checks the remote one.
    let copied = unsafe { libc::process_vm_writev(pid(), &local, 1, &remote, 1, 0) };
    finish(copied, from.len(), || {
        // SAFETY: the caller of the ioctl vouches for its pointer, as it must towards a kernel.
        unsafe { std::ptr::copy_nonoverlapping(from.as_ptr(), address as *mut u8, from.len()) }
    })
}

fn pid() -> i32 {
    rustix::process::getpid().as_raw_nonzero().get()
}

fn finish(copied: isize, wanted: usize, by_hand: impl FnOnce()) -> Answer<()> {
    if copied == wanted as isize {
        return Ok(());
    }
    let forbidden = copied < 0
        && matches!(std::io::Error::last_os_error().raw_os_error(), Some(libc::EPERM | libc::ENOSYS | libc::EACCES));
    if !forbidden {
        return Err(Errno::FAULT);
    }
    by_hand();
    Ok(())
}

/// A structure, of which the program may know only the beginning: the rest is zero.
pub(crate) fn get<T: NoUninit + AnyBitPattern>(address: u64, size: usize) -> Answer<T> {
    let mut value = T::zeroed();
    let there = size.min(size_of::<T>());
    read(address, &mut bytes_of_mut(&mut value)[..there])?;
    Ok(value)
}

/// The beginning of a structure, as much of it as the program knows.
pub(crate) fn put<T: NoUninit>(address: u64, size: usize, value: &T) -> Answer<()> {
    write(address, &bytes_of(value)[..size.min(size_of::<T>())])
}

/// An array.
pub(crate) fn array<T: NoUninit + AnyBitPattern>(address: u64, count: u64) -> Answer<Vec<T>> {
    let fits = usize::try_from(count).ok().filter(|n| n.checked_mul(size_of::<T>()).is_some_and(|b| b <= LARGEST));
    let mut values = vec![T::zeroed(); fits.ok_or(Errno::NOMEM)?];
    read(address, bytemuck::cast_slice_mut(&mut values))?;
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bad_pointer_is_an_error() {
        assert_eq!(get::<u64>(8, 8), Err(Errno::FAULT));
        assert_eq!(put(u64::MAX - 3, 8, &1u64), Err(Errno::FAULT));
        assert_eq!(array::<u64>(0, u64::MAX), Err(Errno::NOMEM));
        let value = 0x0102_0304_0506_0708u64;
        assert_eq!(get::<u64>(&raw const value as u64, 2), Ok(0x0708));
    }
}
