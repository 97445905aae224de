//! bits

use super::meanings;

meanings! {}
