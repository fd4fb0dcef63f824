//! The pages that hold code, so that the code is compiled and run with the other documentation tests.

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(doctest)]
#[doc = include_str!("src/introduction.md")]
struct Introduction;

#[cfg(doctest)]
#[doc = include_str!("src/resources.md")]
struct Resources;

#[cfg(doctest)]
#[doc = include_str!("src/prompts.md")]
struct Prompts;

#[cfg(doctest)]
#[doc = include_str!("src/asking.md")]
struct Asking;

#[cfg(doctest)]
#[doc = include_str!("src/running.md")]
struct Running;

#[cfg(doctest)]
#[doc = include_str!("src/saying-more.md")]
struct SayingMore;

#[cfg(doctest)]
#[doc = include_str!("src/testing.md")]
struct Testing;

#[cfg(doctest)]
#[doc = include_str!("src/command-line.md")]
struct CommandLine;
