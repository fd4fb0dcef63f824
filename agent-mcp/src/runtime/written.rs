//! What a capability whose schemas are written by hand does differently.

use super::{
    agent::Agent,
    method::{Returned, Running},
    output::Output,
    steps::Run,
};
use crate::schema::{
    InputSchema, OutputSchema, SchemaError,
    written::{Source, Written},
};

/// The schemas that are written for one capability.
#[derive(Default)]
pub(super) struct WrittenSchemas {
    pub(super) input: Option<Source>,
    pub(super) output: Option<Source>,
}

impl WrittenSchemas {
    /// The schema in place of that of the arguments' type.
    pub(super) fn input(&mut self) -> Option<Result<InputSchema, SchemaError>> {
        self.input.take().map(|source| InputSchema::written(source?))
    }

    /// The schema in place of that of the result's type, and the method that is held to it (TOOL-6).
    pub(super) fn output<A: Agent, I: 'static>(
        &mut self,
        is_structured: bool,
        run: Box<Run<A, I>>,
    ) -> Result<(Option<OutputSchema>, Box<Run<A, I>>), SchemaError> {
        let Some(source) = self.output.take() else { return Ok((None, run)) };
        if !is_structured {
            return Err(SchemaError::NoStructure);
        }
        let written = std::sync::Arc::new(Written::output(source?)?);
        let schema = OutputSchema::written(&written);
        let held: Box<Run<A, I>> = Box::new(move |agent, cx, input| {
            let written = written.clone();
            match run(agent, cx, input) {
                Running::Ready(returned) => Running::Ready(held_to(&written, returned)),
                Running::Future(work) => {
                    Running::Future(Box::pin(async move { held_to(&written, work.await) }))
                }
                Running::Blocking(method) => {
                    Running::Blocking(Box::new(move || held_to(&written, method())))
                }
            }
        });
        Ok((Some(schema), held))
    }
}

/// A result that does not fit what was promised is a defect of the server, not of the call.
fn held_to<M>(written: &Written, returned: Returned<M>) -> Returned<M> {
    let refused = match &returned {
        Returned::Value(Output::Json(json)) => written.refuses(json),
        Returned::Value(_) => Some("it has no structure".to_owned()),
        _ => None,
    };
    match refused {
        Some(faults) => {
            Returned::Broken(format!("the result does not fit its `output_schema`: {faults}"))
        }
        None => returned,
    }
}
