//! From a kernel of a code object to the registers its waves start with.
