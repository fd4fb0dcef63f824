//! Placeholder for validation, merging and lint, until they land.
#![allow(missing_docs)]
use super::Contract;
#[derive(Debug, thiserror::Error)]
#[error("bad contract")]
pub struct ContractError;
impl Contract {
    pub fn merge(contracts: Vec<Self>) -> Result<Self, ContractError> {
        let mut all = contracts.into_iter();
        let mut first = all.next().unwrap_or_default();
        for next in all {
            first.capabilities.extend(next.capabilities);
            first.resources.extend(next.resources);
        }
        Ok(first)
    }
    pub fn validate(&self) -> Result<(), ContractError> {
        Ok(())
    }
    pub fn lint(&self) -> Vec<String> {
        Vec::new()
    }
}
