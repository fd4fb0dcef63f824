//! Serves a todo list over standard input and output.

fn main() {}
