//! convert

use super::meanings;

meanings! {}
