//! Which names are allowed, and the name that is taken from a variant.

/// How long the name of a capability may be.
pub const MAX_NAME: usize = 128;

/// What is wrong with a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NameError {
    /// There is none.
    #[error("a name cannot be empty")]
    Empty,
    /// It is longer than [`MAX_NAME`].
    #[error("a name has at most {MAX_NAME} characters, this one has {0}")]
    TooLong(usize),
    /// It has a character that is not allowed.
    #[error("{0:?} is not allowed: a name is made of ASCII letters, digits, `_` and `-`")]
    Character(char),
    /// It has a dot, and the agent does not allow dots.
    #[error("several clients refuse a dot: write `_`, or allow dots with `#[agent(dotted_names)]`")]
    Dot,
}

/// Checks the name of a capability: 1 to 128 ASCII letters, digits, `_` and `-`, and dots where the
/// agent allows them.
///
/// # Errors
///
/// See [`NameError`].
///
/// ```
/// use agent_mcp::contract::{NameError, check_name};
///
/// assert_eq!(check_name("add_todo", false), Ok(()));
/// assert_eq!(check_name("admin.list", false), Err(NameError::Dot));
/// assert_eq!(check_name("admin.list", true), Ok(()));
/// assert_eq!(check_name("a/b", true), Err(NameError::Character('/')));
/// ```
// B12, names-7b8.
pub fn check_name(name: &str, dotted: bool) -> Result<(), NameError> {
    if name.is_empty() {
        return Err(NameError::Empty);
    }
    let wrong = |c: &char| !(c.is_ascii_alphanumeric() || "_-.".contains(*c));
    if let Some(character) = name.chars().find(wrong) {
        return Err(NameError::Character(character));
    }
    if !dotted && name.contains('.') {
        return Err(NameError::Dot);
    }
    if name.len() > MAX_NAME {
        return Err(NameError::TooLong(name.len()));
    }
    Ok(())
}

/// The default name of what is called after a type or a variant.
///
/// The first letter becomes small; each later capital becomes an underscore and its small letter,
/// also within an acronym. Digits and separators stay. It is the same rule everywhere, so that one
/// variant has one name.
///
/// ```
/// use agent_mcp::contract::name_of_variant;
///
/// assert_eq!(name_of_variant("AddTodo"), "add_todo");
/// assert_eq!(name_of_variant("LoadedHTTPCache"), "loaded_h_t_t_p_cache");
/// ```
// B11.
#[must_use]
pub fn name_of_variant(variant: &str) -> String {
    let mut name = String::with_capacity(variant.len() + 4);
    for (index, character) in variant.char_indices() {
        if index > 0 && character.is_ascii_uppercase() {
            name.push('_');
        }
        name.push(character.to_ascii_lowercase());
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn b11_the_default_name_of_a_variant() {
        for (variant, name) in [
            ("AddTodo", "add_todo"),
            ("addTodo", "add_todo"),
            ("Load2Todos", "load2_todos"),
            ("LoadedHTTPCache", "loaded_h_t_t_p_cache"),
            ("A", "a"),
            ("Two_Words", "two__words"),
            ("Half-Done", "half-_done"),
            ("", ""),
        ] {
            assert_eq!(name_of_variant(variant), name);
        }
    }

    #[test]
    fn names_7b8_b12_characters_of_a_name() {
        for name in ["a", "add_todo", "add-todo", "Add2", "_", "-"] {
            assert_eq!(check_name(name, false), Ok(()), "{name}");
        }
        for (name, error) in [
            ("", NameError::Empty),
            ("a/b", NameError::Character('/')),
            ("with space", NameError::Character(' ')),
            ("größe", NameError::Character('ö')),
            ("line\nbreak", NameError::Character('\n')),
        ] {
            assert_eq!(check_name(name, false), Err(error), "{name}");
            assert_eq!(check_name(name, true), Err(error), "{name}");
        }
        assert_eq!(check_name("admin.list", false), Err(NameError::Dot));
        assert_eq!(check_name("admin.list", true), Ok(()));
    }

    #[test]
    fn names_a99_b12_length_of_a_name() {
        assert_eq!(check_name(&"a".repeat(128), false), Ok(()));
        assert_eq!(check_name(&"a".repeat(129), false), Err(NameError::TooLong(129)));
    }
}
