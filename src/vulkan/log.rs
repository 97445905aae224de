//! What the validation layer says.
//!
//! The layer calls back from any thread, even while the last handles are being destroyed; so the log is a shared thing that outlives the instance,
//! and whoever wants to know whether destruction was clean looks at it afterwards.

use ash::vk;
use std::ffi::{CStr, c_void};
use std::sync::{Arc, Mutex, PoisonError};

/// The messages of the validation layer since somebody last took them.
#[derive(Clone, Debug, Default)]
pub struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    /// Takes what was said so far.
    #[must_use]
    pub fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn push(&self, message: String) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(message);
    }

    /// A messenger that writes here. The log must outlive it, and stay where it is.
    pub(super) fn messenger(&self) -> vk::DebugUtilsMessengerCreateInfoEXT<'static> {
        vk::DebugUtilsMessengerCreateInfoEXT::default()
            .message_severity(
                vk::DebugUtilsMessageSeverityFlagsEXT::ERROR | vk::DebugUtilsMessageSeverityFlagsEXT::WARNING,
            )
            .message_type(vk::DebugUtilsMessageTypeFlagsEXT::VALIDATION)
            .pfn_user_callback(Some(say))
            .user_data(std::ptr::from_ref(self).cast_mut().cast())
    }
}

/// Called by the layer.
unsafe extern "system" fn say(
    _severity: vk::DebugUtilsMessageSeverityFlagsEXT,
    _kind: vk::DebugUtilsMessageTypeFlagsEXT,
    data: *const vk::DebugUtilsMessengerCallbackDataEXT<'_>,
    user: *mut c_void,
) -> vk::Bool32 {
    // SAFETY: the layer passes a valid record, and the pointer that `messenger` gave it, whose box outlives the messenger.
    let (data, log) = unsafe { (&*data, &*user.cast_const().cast::<Log>()) };
    if !data.p_message.is_null() {
        // SAFETY: strings of Vulkan end with a zero.
        log.push(unsafe { CStr::from_ptr(data.p_message) }.to_string_lossy().into_owned());
    }
    vk::FALSE
}
