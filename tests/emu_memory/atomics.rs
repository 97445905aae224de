//! atomics
