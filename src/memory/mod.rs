//! Guest memory, buffer descriptors and data formats: shared by every machine.
