//! The functions that ours stand before, and how answers become what C expects.

use std::ffi::{CStr, c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicPtr, Ordering};
use wavediff_vgpu::kernel::calls::Ours;

/// A function of the next library that has it, found at its first call. Threads that come at once
/// find the same.
pub(crate) struct Real {
    name: &'static CStr,
    at: AtomicPtr<c_void>,
}

impl Real {
    pub const fn new(name: &'static CStr) -> Real {
        Real { name, at: AtomicPtr::new(std::ptr::null_mut()) }
    }

    pub fn get(&self) -> *mut c_void {
        let at = self.at.load(Ordering::Acquire);
        if !at.is_null() {
            return at;
        }
        // SAFETY: the name ends with a zero.
        let at = unsafe { libc::dlsym(libc::RTLD_NEXT, self.name.as_ptr()) };
        self.at.store(at, Ordering::Release);
        at
    }
}

// All functions are found when the library is loaded, so that later none is looked for, in a signal
// handler or behind a fork. Those that others call before that are found then.
unsafe extern "C" {
    #[link_name = "__start_wavediff_real"]
    static FIRST: c_char;
    #[link_name = "__stop_wavediff_real"]
    static END: c_char;
}

#[used]
#[unsafe(link_section = ".init_array")]
static FIND_ALL: extern "C" fn() = find_all;

extern "C" fn find_all() {
    let (mut real, end) = ((&raw const FIRST).cast::<Real>(), (&raw const END).cast::<Real>());
    while real < end {
        // SAFETY: the linker puts all values of this section one after another, between these two
        // names.
        unsafe {
            (*real).get();
            real = real.add(1);
        }
    }
}

/// The function that ours stands before; nothing where the C library has none of this name.
macro_rules! real {
    ($name:literal: fn($($argument:ty),* $(,)?) -> $result:ty) => {{
        // Used: as a whole, even if the compiler sees that its parts would do.
        #[used]
        #[unsafe(link_section = "wavediff_real")]
        static REAL: $crate::real::Real = $crate::real::Real::new($name);
        // SAFETY: a function pointer or null, of the type that the C library gives this name.
        unsafe { std::mem::transmute::<*mut std::ffi::c_void, Option<unsafe extern "C" fn($($argument),*) -> $result>>(REAL.get()) }
    }};
}

/// Calls the function that ours stands before. Without one the call is not known: `ENOSYS`.
macro_rules! pass {
    ($name:literal: fn($($argument:ty),* $(,)?) -> $result:ty, $($value:expr),* ; $failed:expr) => {{
        match real!($name: fn($($argument),*) -> $result) {
            // SAFETY: the caller's arguments, as they came.
            Some(function) => unsafe { function($($value),*) },
            None => $crate::real::failed(libc::ENOSYS, $failed),
        }
    }};
}

/// Sets `errno`.
pub(crate) fn failed<T>(number: i32, result: T) -> T {
    // SAFETY: the C library's own place for this thread.
    unsafe { *libc::__errno_location() = number };
    result
}

/// Our answer, if it is ours to answer. A panic ends here.
pub(crate) fn ours<T>(failure: T, ask: impl FnOnce() -> Ours<T>) -> Option<T> {
    match catch_unwind(AssertUnwindSafe(ask)) {
        Ok(None) => None,
        Ok(Some(Ok(value))) => Some(value),
        Ok(Some(Err(error))) => Some(failed(error.raw_os_error(), failure)),
        Err(_) => Some(failed(libc::EIO, failure)),
    }
}

/// A text of the caller's.
pub(crate) fn text<'a>(path: *const c_char) -> Option<&'a CStr> {
    // SAFETY: what the C library asks of its callers: a text that ends with a zero and stays for
    // the call.
    (!path.is_null()).then(|| unsafe { CStr::from_ptr(path) })
}
