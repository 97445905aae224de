//! The device of these tests.

use wavediff::vulkan::{Choice, Error, Gpu, Options, Vulkan};

/// The first device. Without a loader or a device there is none, which is reported; `WAVEDIFF_REQUIRE_VULKAN` makes it a failure.
pub fn gpu() -> Option<Gpu> {
    let loaded = Vulkan::load(&Options::default());
    match loaded.and_then(|v| v.choose(&Choice::parse("0")).cloned()) {
        Ok(gpu) => Some(gpu),
        Err(reason @ Error::Absent { .. }) => {
            assert!(std::env::var_os("WAVEDIFF_REQUIRE_VULKAN").is_none(), "{reason}");
            println!("skipped: {reason}");
            None
        }
        Err(reason) => panic!("{reason}"),
    }
}
