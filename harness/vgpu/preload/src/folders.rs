//! Open folders: those of ours are not what the C library calls one, but nobody may look into
//! either.

use crate::real::{failed, ours, text};
use libc::{DIR, c_char, c_int, c_long};
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};
use wavediff_vgpu::kernel::{Folder, calls};

/// The folders of ours that are open.
static FOLDERS: [AtomicPtr<Folder>; 64] = [const { AtomicPtr::new(std::ptr::null_mut()) }; 64];
/// How many there are. Without any, no pointer is compared.
static OPEN: AtomicUsize = AtomicUsize::new(0);

/// Where an open folder is remembered, if it is ours.
fn place(folder: *mut DIR) -> Option<&'static AtomicPtr<Folder>> {
    if folder.is_null() || OPEN.load(Ordering::Acquire) == 0 {
        return None;
    }
    FOLDERS.iter().find(|place| place.load(Ordering::Acquire).cast() == folder)
}

fn open_folder<'a>(folder: *mut DIR) -> Option<&'a mut Folder> {
    // SAFETY: it is ours and open. Of two threads that read one folder, the C library asks for a
    // lock.
    place(folder).and_then(|place| unsafe { place.load(Ordering::Acquire).as_mut() })
}

fn remember(folder: Folder) -> *mut DIR {
    let folder = Box::into_raw(Box::new(folder));
    OPEN.fetch_add(1, Ordering::AcqRel);
    let null = std::ptr::null_mut();
    if FOLDERS.iter().any(|p| p.compare_exchange(null, folder, Ordering::AcqRel, Ordering::Acquire).is_ok()) {
        return folder.cast();
    }
    OPEN.fetch_sub(1, Ordering::AcqRel);
    // SAFETY: it came from a box just now, and nobody else has seen it.
    drop(unsafe { Box::from_raw(folder) });
    failed(libc::EMFILE, std::ptr::null_mut())
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn opendir(path: *const c_char) -> *mut DIR {
    match ours(None, || Some(calls::folder(text(path)?)?.map(Some))) {
        Some(Some(folder)) => remember(folder),
        Some(None) => std::ptr::null_mut(),
        None => pass!(c"opendir": fn(*const c_char) -> *mut DIR, path; std::ptr::null_mut()),
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn closedir(folder: *mut DIR) -> c_int {
    let Some(place) = place(folder) else { return pass!(c"closedir": fn(*mut DIR) -> c_int, folder; -1) };
    let folder = place.swap(std::ptr::null_mut(), Ordering::AcqRel);
    OPEN.fetch_sub(1, Ordering::AcqRel);
    if !folder.is_null() {
        // SAFETY: it came from a box, and this was the last place that knew it.
        drop(unsafe { Box::from_raw(folder) });
    }
    0
}

// A `dirent64` is a `dirent` where files are 64 bits long anyway.
macro_rules! readdirs {
    ($($function:ident $name:literal $again:ident $again_name:literal)*) => {$(
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $function(folder: *mut DIR) -> *mut libc::dirent64 {
            match open_folder(folder) {
                Some(folder) => folder.next_entry().map_or(std::ptr::null_mut(), |entry| entry),
                None => pass!($name: fn(*mut DIR) -> *mut libc::dirent64, folder; std::ptr::null_mut()),
            }
        }

        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $again(
            folder: *mut DIR,
            entry: *mut libc::dirent64,
            result: *mut *mut libc::dirent64,
        ) -> c_int {
            let Some(folder) = open_folder(folder) else {
                return pass!(
                    $again_name: fn(*mut DIR, *mut libc::dirent64, *mut *mut libc::dirent64) -> c_int,
                    folder, entry, result; -1
                );
            };
            // SAFETY: the caller has room for an entry and for a pointer there.
            unsafe {
                result.write(std::ptr::null_mut());
                if let Some(next) = folder.next_entry() {
                    entry.write(*next);
                    result.write(entry);
                }
            }
            0
        }
    )*};
}

readdirs! { readdir c"readdir" readdir_r c"readdir_r"  readdir64 c"readdir64" readdir64_r c"readdir64_r" }

#[unsafe(no_mangle)]
pub unsafe extern "C" fn rewinddir(folder: *mut DIR) {
    match open_folder(folder) {
        Some(folder) => folder.seek(0),
        None => pass!(c"rewinddir": fn(*mut DIR) -> (), folder; ()),
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn seekdir(folder: *mut DIR, at: c_long) {
    match open_folder(folder) {
        Some(folder) => folder.seek(at as usize),
        None => pass!(c"seekdir": fn(*mut DIR, c_long) -> (), folder, at; ()),
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn telldir(folder: *mut DIR) -> c_long {
    match open_folder(folder) {
        Some(folder) => folder.position() as c_long,
        None => pass!(c"telldir": fn(*mut DIR) -> c_long, folder; -1),
    }
}

/// A folder of ours has no descriptor.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dirfd(folder: *mut DIR) -> c_int {
    match open_folder(folder) {
        Some(_) => failed(libc::ENOTSUP, -1),
        None => pass!(c"dirfd": fn(*mut DIR) -> c_int, folder; -1),
    }
}
