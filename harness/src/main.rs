//! The program `wavediff`.
fn main() {}
