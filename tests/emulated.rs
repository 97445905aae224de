//! Parts of the library that can be tried with the emulator only: what the order of lanes decides, what an instruction changes, how cases are
//! reduced, what random programs are made of.
//!
//! They are not beside the code: a program of unit tests that reaches the emulator compiles all of its kernels again, which takes minutes.

#[path = "emulated/contest.rs"]
mod contest;
#[path = "emulated/effects.rs"]
mod effects;
#[path = "emulated/order.rs"]
mod order;
#[path = "emulated/r600_random.rs"]
mod r600_random;
#[path = "emulated/r600_reduce.rs"]
mod r600_reduce;
#[path = "emulated/r600_singles.rs"]
mod r600_singles;
#[path = "emulated/reduce.rs"]
mod reduce;
#[path = "emulated/reuse.rs"]
mod reuse;
