//! How the program ends.

use std::{fmt, process::ExitCode};

use crate::{
    client::Failed,
    runtime::{Principal, Runtime},
};

/// How the program ends; the module's page has the numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exit {
    Fine,
    Failed,
    Usage,
    Broken,
    Interrupted,
}

impl Exit {
    /// What a failure of a call, a read or a prompt comes to.
    pub(super) fn of(failed: &Failed) -> Self {
        let names = ["invalid_input", "unknown_capability", "unknown_resource", "unknown_prompt"];
        let is_about_words = failed.status.as_deref().is_some_and(|it| names.contains(&it));
        // What the protocol calls invalid params, and its older code for a resource that is not there.
        let is_about_params = matches!(failed.code, Some(-32602 | -32002));
        if is_about_words || is_about_params { Self::Usage } else { Self::Failed }
    }

    fn number(self) -> u8 {
        match self {
            Self::Fine => 0,
            Self::Failed => 1,
            Self::Usage => 2,
            Self::Broken => 3,
            Self::Interrupted => 130,
        }
    }

    pub(super) fn code(self) -> ExitCode {
        self.number().into()
    }
}

/// Says what is wrong with what was typed.
pub(super) fn usage(error: &dyn fmt::Display) -> Exit {
    eprintln!("error: {error}");
    Exit::Usage
}

/// Says why nothing can be done.
pub(super) fn broken(error: &dyn fmt::Display) -> Exit {
    eprintln!("error: {error}");
    Exit::Broken
}

/// Writes down what was decided, and leaves a blocking method behind that does not end.
pub(super) async fn finish<P: Principal>(runtime: &Runtime<P>, exit: Exit) -> ExitCode {
    let limits = runtime.limits();
    // Unless the sink hangs.
    let _ = tokio::time::timeout(limits.drain, runtime.flush_audit()).await;
    let ended = tokio::select! {
        ended = tokio::time::timeout(limits.drain, runtime.blocking_methods_end()) => ended.is_ok(),
        _ = tokio::signal::ctrl_c() => false,
    };
    if !ended {
        std::process::exit(exit.number().into());
    }
    exit.code()
}
