//! flat
