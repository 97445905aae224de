//! Floating point in integers: every format, rounding mode and denormal rule of the machines.
