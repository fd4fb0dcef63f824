//! A todo list that people and agents share.
