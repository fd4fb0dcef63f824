//! Who uses the list, and what they may do.

use agent_mcp::{Principal, PrincipalId};

/// Somebody who uses the list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct User {
    /// The name.
    pub name: String,
    /// Whether they may change the list.
    pub may_edit: bool,
    /// Whether they may delete from it.
    pub may_delete: bool,
    /// Whether they may tidy it and see who did what.
    pub may_administer: bool,
}

impl User {
    /// Somebody who may only look.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// With more rights: words of `edit`, `delete` and `admin`, joined by commas.
    ///
    /// # Errors
    ///
    /// There is another word among them.
    pub fn with_rights(mut self, rights: &str) -> Result<Self, UnknownRight> {
        for right in rights.split(',').map(str::trim).filter(|right| !right.is_empty()) {
            match right {
                "edit" => self.may_edit = true,
                "delete" => self.may_delete = true,
                "admin" => self.may_administer = true,
                other => return Err(UnknownRight(other.to_owned())),
            }
        }
        Ok(self)
    }
}

impl Principal for User {
    fn id(&self) -> PrincipalId {
        PrincipalId::local(&self.name)
    }
}

/// A right that there is not.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no right `{0}`; the rights are `edit`, `delete` and `admin`")]
pub struct UnknownRight(String);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rights_are_words_joined_by_commas() {
        let user = User::new("ada").with_rights("edit, admin").unwrap();
        assert_eq!((user.may_edit, user.may_delete, user.may_administer), (true, false, true));
        assert_eq!(User::new("ada").with_rights("").unwrap(), User::new("ada"));
        let error = User::new("ada").with_rights("edit,fly").unwrap_err();
        assert_eq!(
            error.to_string(),
            "there is no right `fly`; the rights are `edit`, `delete` and `admin`"
        );
    }
}
