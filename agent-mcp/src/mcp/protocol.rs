//! What a server shows of itself: the same for every caller.

use std::{
    collections::HashMap,
    sync::{Arc, OnceLock},
};

use bytes::Bytes;

use super::{
    asking::{Seal, UsedHere, UsedStates},
    face::{Face, Offers},
    handler::{FaultStyle, HandlerOptions},
    incoming::Incoming,
    offered::Listed,
    repeated::Repeated,
    revision::Revision,
    tasks::Tasks,
    views,
};
use crate::{
    contract::{Contract, ResourceDescriptor},
    runtime::{Limits, Plan},
};

/// What a server shows of itself: the same for every caller, and there before any.
pub struct Protocol {
    plan: Arc<Plan>,
    options: HandlerOptions,
    /// Newest first.
    offered: Vec<Revision>,
    offers: Offers,
    /// Where each tool stands in the contract.
    tools: HashMap<String, usize>,
    /// Which arguments are repeated beside a call, of the tools that have any.
    repeated: HashMap<String, Vec<Repeated>>,
    /// Whether some entry of each list comes and goes.
    conditional: [bool; Listed::ALL.len()],
    faces: [OnceLock<Face>; Revision::ALL.len()],
    #[cfg(feature = "skills")]
    shelf: Option<super::skills::Shelf>,
    tasks: Arc<Tasks>,
    seal: Seal,
    used: UsedStates,
}

impl Protocol {
    pub(crate) fn new(plan: Arc<Plan>, options: HandlerOptions) -> Self {
        let contract = plan.contract();
        #[cfg(feature = "skills")]
        let skills = options.skills.is_some();
        #[cfg(not(feature = "skills"))]
        let skills = false;
        let offers = Offers {
            tools: !contract.capabilities.is_empty(),
            resources: skills || !contract.resources.is_empty() || contract.context.is_some(),
            #[cfg(feature = "skills")]
            skills,
            logging: options.logging,
            prompts: !contract.prompts.is_empty(),
            completions: !contract.prompts.is_empty()
                || contract.resources.iter().any(ResourceDescriptor::is_template),
            views: views::has_views(contract),
            tasks: contract.capabilities.iter().any(|tool| tool.task.is_some()),
            tells: plan.tells(),
            standing_streams: options.standing_streams,
        };
        let names = contract.capabilities.iter().map(|tool| tool.name.clone());
        let tools = names.zip(0..).collect();
        let repeated = contract.capabilities.iter().filter_map(|tool| {
            let arguments = Repeated::of(tool);
            (!arguments.is_empty()).then(|| (tool.name.clone(), arguments))
        });
        let repeated = repeated.collect();
        let conditional = [
            contract.capabilities.iter().any(|tool| tool.conditional),
            contract.resources.iter().any(|resource| resource.conditional),
            contract.prompts.iter().any(|prompt| prompt.conditional),
        ];
        let offered = Revision::ALL.into_iter().rev();
        let offered = offered.filter(|revision| options.revisions.contains(revision)).collect();
        let faces = Default::default();
        #[cfg(feature = "skills")]
        let shelf = options.skills.clone().map(super::skills::Shelf::new);
        let seal = Seal::new(&options.state_keys, plan.limits().state_age);
        let used =
            options.used.clone().map_or_else(|| Arc::new(UsedHere::default()) as _, |it| it.0);
        let used = UsedStates::new(used, plan.limits());
        let tasks = Arc::new(Tasks::new(plan.limits(), options.tasks.clone().map(|kept| kept.0)));
        Self {
            plan,
            options,
            offered,
            offers,
            tools,
            repeated,
            conditional,
            faces,
            #[cfg(feature = "skills")]
            shelf,
            tasks,
            seal,
            used,
        }
    }

    /// Reads a message, for a transport that has to know whose it is before it is taken.
    #[must_use]
    pub fn read<'a>(&self, message: &'a Bytes) -> Incoming<'a> {
        Incoming::read(message, self)
    }

    /// What is offered.
    #[must_use]
    pub fn contract(&self) -> &Contract {
        self.plan.contract()
    }

    /// The limits of the server.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        self.plan.limits()
    }

    /// What all runtimes of the server have in common.
    #[cfg(feature = "http")]
    pub(crate) fn plan(&self) -> &Plan {
        &self.plan
    }

    pub(crate) fn options(&self) -> &HandlerOptions {
        &self.options
    }

    /// The skills that are served.
    #[cfg(feature = "skills")]
    pub(crate) fn shelf(&self) -> Option<&super::skills::Shelf> {
        self.shelf.as_ref()
    }

    pub(crate) fn offers(&self) -> Offers {
        self.offers
    }

    /// What seals that which clients carry for the server.
    pub(crate) fn seal(&self) -> &Seal {
        &self.seal
    }

    /// What lets each seal be used once.
    pub(crate) fn used(&self) -> &UsedStates {
        &self.used
    }

    pub(crate) fn tasks(&self) -> &Arc<Tasks> {
        &self.tasks
    }

    /// The revisions on offer, the newest first.
    pub(crate) fn offered(&self) -> &[Revision] {
        &self.offered
    }

    /// The newest legacy revision on offer.
    pub(crate) fn newest_legacy(&self) -> Option<Revision> {
        self.offered.iter().copied().find(|revision| !revision.is_modern())
    }

    /// Whether requests without a handshake are served.
    pub(crate) fn has_modern(&self) -> bool {
        self.offered.iter().any(|revision| revision.is_modern())
    }

    /// Whether some entry of that list comes and goes.
    pub(crate) fn is_conditional(&self, list: Listed) -> bool {
        self.conditional[list as usize]
    }

    /// Where the tool of that name stands in the contract.
    pub(crate) fn place(&self, tool: &str) -> Option<usize> {
        self.tools.get(tool).copied()
    }

    /// The arguments of a tool that are repeated beside a call.
    pub(crate) fn repeated(&self, tool: &str) -> &[Repeated] {
        self.repeated.get(tool).map_or(&[], |arguments| arguments)
    }

    /// Whether arguments that do not fit are answered with a result.
    pub(crate) fn answers_faults_with_results(&self, revision: Revision) -> bool {
        match self.options.faults {
            FaultStyle::ByRevision => revision.answers_faults_with_results(),
            FaultStyle::Error => false,
            FaultStyle::Result => true,
        }
    }

    /// How the server shows itself at `revision`; written when it is asked for first.
    pub(crate) fn face(&self, revision: Revision) -> &Face {
        self.faces[revision.index()]
            .get_or_init(|| Face::new(revision, self.contract(), self.offers, &self.options))
    }

    /// How long a list may be kept that does not change.
    pub(crate) fn list_ttl_ms(&self) -> u64 {
        u64::try_from(self.options.list_ttl.as_millis()).unwrap_or(u64::MAX)
    }
}
