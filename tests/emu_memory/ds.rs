//! ds
