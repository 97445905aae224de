//! What a device does not promise, and what follows from it for whoever translates for it.

use super::{Caps, FloatControl};

/// Something that a device lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// The feature, by its usual name: `shaderInt64`, `f32 DenormPreserve`.
    pub needs: String,
    /// What follows.
    pub so: &'static str,
}

impl Caps {
    /// What is missing for exact and direct translation, the gravest first. Lane models have [reasons](Caps::model_lacks) of their own.
    #[must_use]
    pub fn missing(&self) -> Vec<Missing> {
        let mut all = Vec::new();
        let mut need = |has: bool, needs: &str, so| {
            if !has {
                all.push(Missing { needs: needs.to_owned(), so });
            }
        };
        let (t, a, m) = (&self.types, &self.atomics, &self.memory);
        need(t.float64, "shaderFloat64", "f64 has to be computed with integers");
        need(t.float16, "shaderFloat16", "f16 has to be computed with f32 or integers");
        let widths = [
            (t.float16, "f16", &self.f16, "f16 may lose or keep denormals as the driver likes"),
            (true, "f32", &self.f32, "f32 may lose or keep denormals as the driver likes"),
            (t.float64, "f64", &self.f64, "f64 may lose or keep denormals as the driver likes"),
        ];
        for (_, name, control, so) in widths.iter().filter(|(there, ..)| *there) {
            let FloatControl { denorm_preserve, denorm_flush, rte, rtz, signed_zero_inf_nan } = **control;
            need(denorm_preserve, &format!("{name} DenormPreserve"), so);
            need(denorm_flush, &format!("{name} DenormFlushToZero"), "flushed denormals have to be flushed by hand");
            need(rte, &format!("{name} RoundingModeRTE"), "even the usual rounding is not promised");
            need(rtz, &format!("{name} RoundingModeRTZ"), "rounding to zero has to be computed with integers");
            need(
                signed_zero_inf_nan,
                &format!("{name} SignedZeroInfNanPreserve"),
                "signs of zeroes, infinities and NaNs may be lost",
            );
        }
        need(t.int64, "shaderInt64", "64-bit integers are pairs of 32 bits");
        need(t.int16, "shaderInt16", "16-bit integers are computed in 32 bits");
        need(t.int8, "shaderInt8", "8-bit integers are computed in 32 bits");
        need(t.storage16, "storageBuffer16BitAccess", "16-bit stores are atomic operations on words");
        need(t.storage8, "storageBuffer8BitAccess", "8-bit stores are atomic operations on words");
        need(a.int64, "shaderBufferInt64Atomics", "no atomic operations on 64 bits in buffers");
        need(a.shared_int64, "shaderSharedInt64Atomics", "no atomic operations on 64 bits in shared memory");
        need(a.f32_add, "shaderBufferFloat32AtomicAdd", "float atomics are loops of compare and swap");
        need(m.model && m.device_scope, "vulkanMemoryModelDeviceScope", "groups see each other's stores as they like");
        need(m.addresses, "bufferDeviceAddress", "all memory of a program is one storage buffer");
        need(m.shared_layout, "workgroupMemoryExplicitLayout", "shared memory is an array of words");
        need(m.robust2, "robustBufferAccess2", "every access has to be checked by the program");
        need(self.time.bits > 0, "timestamps", "only the host's time is known");
        need(self.time.subgroup_clock, "shaderSubgroupClock", "programs can not read a clock");
        all
    }
}
