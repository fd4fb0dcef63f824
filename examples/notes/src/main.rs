//! Serves the notes of a folder over standard input and output.

fn main() {}
