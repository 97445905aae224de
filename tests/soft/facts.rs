//! Facts about the machines, measured or printed, as values.
