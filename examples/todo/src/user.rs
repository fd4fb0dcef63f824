//! Who uses the list, and what they may do.

use std::collections::HashMap;
use std::path::Path;
use std::str::FromStr;

use agent_mcp::{BoxError, Principal, PrincipalId};

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

/// Everybody who may use the list over HTTP. It is not `Debug`: tokens are secrets.
pub struct Users(HashMap<String, User>);

impl Users {
    /// Ada, who may do everything, Bob, who may edit, and Eve, who may look. Their tokens are known to everybody.
    ///
    /// # Errors
    ///
    /// There are none: a test reads the file.
    pub fn demo() -> Result<Self, BadUsers> {
        include_str!("../users.txt").parse()
    }

    /// The users of a file, which has one in each line: token, name and rights.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or a line is not as it should be.
    pub fn read(file: impl AsRef<Path>) -> Result<Self, BoxError> {
        let file = file.as_ref();
        let text = std::fs::read_to_string(file);
        let text = text.map_err(|error| format!("{}: {error}", file.display()))?;
        Ok(text.parse().map_err(|error| format!("{}: {error}", file.display()))?)
    }

    /// Whose token it is.
    pub fn find(&self, token: &str) -> Option<User> {
        self.0.get(token).cloned()
    }
}

impl FromStr for Users {
    type Err = BadUsers;

    fn from_str(text: &str) -> Result<Self, BadUsers> {
        let mut users = HashMap::new();
        for (line, number) in text.lines().zip(1..) {
            let bad = |why| BadUsers { line: number, why };
            let line = line.split('#').next().unwrap_or_default();
            let words: Vec<_> = line.split_whitespace().collect();
            let (token, name, rights) = match words[..] {
                [] => continue,
                [token, name] => (token, name, ""),
                [token, name, rights] => (token, name, rights),
                _ => return Err(bad("it is a token, a name and rights")),
            };
            let user = User::new(name).with_rights(rights);
            let user = user.map_err(|_| bad("the rights are `edit`, `delete` and `admin`"))?;
            if users.insert(token.to_owned(), user).is_some() {
                return Err(bad("the token is somebody else's"));
            }
        }
        Ok(Self(users))
    }
}

/// A line of a file of users that cannot be read. What is in it is not shown: it may be a token.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {why}")]
pub struct BadUsers {
    line: usize,
    why: &'static str,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_one_persons() {
        let users = Users::demo().unwrap();
        let ada = users.find("ada-demo-token").unwrap();
        assert_eq!(ada, User::new("ada").with_rights("edit,delete,admin").unwrap());
        assert_eq!(users.find("eve-demo-token"), Some(User::new("eve")));
        assert_eq!(users.find("ada"), None);
    }

    #[test]
    fn a_bad_line_is_named_and_not_shown() {
        let bad = |text: &str| text.parse::<Users>().err().unwrap().to_string();
        assert_eq!(bad("# nobody\n\nsecret"), "line 3: it is a token, a name and rights");
        assert_eq!(bad("s one # Or two.\ns two"), "line 2: the token is somebody else's");
        assert_eq!(bad("ada edit secret"), "line 1: the rights are `edit`, `delete` and `admin`");
    }

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
