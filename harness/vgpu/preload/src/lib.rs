//! Functions of the C library under their own names, for a program that [`wavediff_vgpu`] is preloaded into.
