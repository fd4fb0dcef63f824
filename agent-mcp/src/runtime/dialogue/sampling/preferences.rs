//! Which model is right for a request.

use serde::Serialize;

/// Which model is right.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Preferences {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) hints: Vec<Hint>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cost_priority: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) speed_priority: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) intelligence_priority: Option<f64>,
}

impl Preferences {
    pub(super) fn say_nothing(&self) -> bool {
        *self == Self::default()
    }
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Hint {
    pub(super) name: String,
}

/// A priority as the protocol has them.
pub(super) fn within(priority: f64) -> Option<f64> {
    (!priority.is_nan()).then(|| priority.clamp(0.0, 1.0))
}
