//! Containers of machine code: ELF code objects and their kernel descriptors.
