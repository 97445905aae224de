//! The case file: assembly with a header which says what state it starts in and what is expected.
