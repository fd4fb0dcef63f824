//! Who calls over stdio.

use std::sync::Arc;

use crate::runtime::Principal;

/// A server that has not been told who uses it over stdio. It needs no telling when the principal is `()`.
#[derive(Debug, Default)]
pub struct Unidentified;

/// A server whose stdio caller is known.
#[derive(Debug)]
pub struct Identified<P>(pub(super) Arc<P>);

/// Says who the caller over stdio is: one process has one caller.
#[diagnostic::on_unimplemented(
    message = "this server does not know who calls it over stdio",
    note = "its agents are declared with `principal = {P}`: say who that is with `.principal({P} {{ .. }})` before serving; one process has one caller"
)]
pub trait Identity<P: Principal>: Send + 'static {
    /// The caller.
    fn principal(&self) -> Arc<P>;
}

impl Identity<()> for Unidentified {
    fn principal(&self) -> Arc<()> {
        Arc::new(())
    }
}

impl<P: Principal> Identity<P> for Identified<P> {
    fn principal(&self) -> Arc<P> {
        self.0.clone()
    }
}
