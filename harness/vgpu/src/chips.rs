//! The chips that a virtual GPU can be: rows of data.
