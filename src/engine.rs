//! What every engine has in common: cases go in, outcomes come out.
