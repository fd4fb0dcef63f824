//! What of each list is on offer, and what a client knows of that.

use std::sync::{Arc, MutexGuard};

use super::{
    handler::Handler,
    state::{Shared, State},
};
use crate::runtime::{Availability, Principal};

/// A list whose entries may come and go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Listed {
    Tools,
    /// And their templates.
    Resources,
    Prompts,
}

impl Listed {
    pub(crate) const ALL: [Self; 3] = [Self::Tools, Self::Resources, Self::Prompts];

    /// The method of the notice that it has changed.
    pub(crate) fn changed(self) -> &'static str {
        match self {
            Self::Tools => "notifications/tools/list_changed",
            Self::Resources => "notifications/resources/list_changed",
            Self::Prompts => "notifications/prompts/list_changed",
        }
    }

    /// What a client asks for it by.
    pub(crate) fn flag(self) -> &'static str {
        match self {
            Self::Tools => "toolsListChanged",
            Self::Resources => "resourcesListChanged",
            Self::Prompts => "promptsListChanged",
        }
    }
}

/// A bit for each entry of each list. Of what is on offer there is `None` where everything is, always; of what
/// a client knows, where it does not ask or was never told.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Offered([Option<Arc<[bool]>>; Listed::ALL.len()]);

impl Offered {
    /// What is on offer, of those lists that change.
    pub(crate) fn now(available: Availability, changes: impl Fn(Listed) -> bool) -> Self {
        let bits = [available.capabilities, available.resources, available.prompts];
        let mut offered = Self::default();
        for (list, bits) in Listed::ALL.into_iter().zip(bits) {
            offered.0[list as usize] = changes(list).then(|| bits.into());
        }
        offered
    }

    /// What is known of it is nothing, so that all of it will be told.
    pub(crate) fn forgotten() -> Self {
        Self(
            [const { None }; Listed::ALL.len()]
                .map(|_: Option<()>| Some(Arc::new([]) as Arc<[bool]>)),
        )
    }

    pub(crate) fn of(&self, list: Listed) -> Option<&Arc<[bool]>> {
        self.0[list as usize].as_ref()
    }

    /// Whether anything is known.
    pub(crate) fn is_known(&self) -> bool {
        self.0.iter().any(Option::is_some)
    }

    /// Takes over what is on offer of one list.
    pub(crate) fn note(&mut self, list: Listed, offered: &Self) {
        self.0[list as usize].clone_from(&offered.0[list as usize]);
    }

    /// Takes over what is on offer of those lists that are known, and gives those that have changed.
    pub(crate) fn catch_up(&mut self, offered: &Self) -> Vec<Listed> {
        let mut changed = Vec::new();
        for list in Listed::ALL {
            if let (Some(told), Some(now)) = (self.of(list), offered.of(list))
                && told != now
            {
                self.note(list, offered);
                changed.push(list);
            }
        }
        changed
    }
}

/// What exists now, and `record` of it under the lock; `None` where everything does, always.
///
/// A change while the predicates run makes them run again, so that what is recorded as told is never
/// older than a change that was compared with what was told before.
pub(crate) fn record<'s, P: Principal>(
    handler: &Handler<P>,
    principal: &P,
    shared: &'s Shared,
    mut state: MutexGuard<'s, State>,
    record: impl FnOnce(&mut State, &Offered),
) -> Option<Offered> {
    const ROUNDS: usize = 4;
    let mut round = 0;
    loop {
        let seen = state.changes;
        drop(state);
        let offered = handler.available(principal)?;
        round += 1;
        state = shared.lock();
        if state.changes == seen || round == ROUNDS {
            record(&mut state, &offered);
            return Some(offered);
        }
    }
}
