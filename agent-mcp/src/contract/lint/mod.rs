//! What is allowed but makes some client or model stumble.

mod default;
mod schema;

use std::collections::HashMap;
use std::fmt;

use super::{CapabilityDescriptor, Contract, ResourceDescriptor, UriTemplate, header};

/// Clients refuse or hide tools with longer names.
const LONG_NAME: usize = 64;
/// Some clients join both names into one, and cut or refuse what is longer.
const LONG_NAME_WITH_SERVER: usize = 60;
/// Providers refuse or cut longer descriptions of functions.
const LONG_DESCRIPTION: usize = 1024;
/// Clients cut longer instructions.
const LONG_INSTRUCTIONS: usize = 2048;
/// Providers refuse longer lists of functions.
const MANY_CAPABILITIES: usize = 128;
/// How the names of arguments end that hold what nobody else may read.
const SECRETS: [&str; 8] =
    ["password", "passphrase", "secret", "token", "api_key", "credentials", "email", "phone"];

/// One thing that makes some client or model stumble, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Lint {
    /// Which one it is; it stays the same over versions, so that a test can make an exception of
    /// it.
    pub code: &'static str,
    /// How much harm it does.
    pub level: LintLevel,
    /// What it is about, such as a capability's name.
    pub subject: String,
    /// What is the matter, and what to do.
    pub message: String,
}

/// How much harm a [`Lint`] does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum LintLevel {
    /// Everything works, and models would do better with more.
    Advice,
    /// Some client or provider refuses, hides or cuts something, or what is said is not so.
    Warning,
}

impl fmt::Display for Lint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} [{}]", self.subject, self.message, self.code)
    }
}

impl Contract {
    /// Everything that a known client or model stumbles on, in the order of declaration.
    ///
    /// ```
    /// use agent_mcp::contract::{CapabilityDescriptor, Contract};
    ///
    /// let mut contract = Contract::new("todo");
    /// contract.instructions = Some("Keep the list short.".to_owned());
    /// contract.dotted_names = true;
    /// contract.capabilities.push(CapabilityDescriptor::new("todo.clear", "Clear what is done."));
    /// let lints: Vec<_> = contract.lint().iter().map(|lint| lint.code).collect();
    /// assert_eq!(lints, ["name-dot"]);
    /// ```
    #[must_use]
    pub fn lint(&self) -> Vec<Lint> {
        let mut lints = Lints::default();
        let agent = format!("agent `{}`", self.name);
        lints.amount(&agent, self.capabilities.len());
        lints.instructions(&agent, self.instructions.as_deref().unwrap_or_default());
        let mut folded = HashMap::new();
        for capability in &self.capabilities {
            let subject = format!("capability `{}`", capability.name);
            lints.name(&subject, &self.name, &capability.name);
            lints.case(&subject, &mut folded, &capability.name);
            lints.description(&subject, &capability.description);
            lints.annotations(&subject, capability);
            lints.headers(&subject, capability);
            schema::input(&mut lints, &subject, &capability.input);
            if let Some(output) = &capability.output {
                schema::output(&mut lints, &subject, output);
            }
        }
        for (number, resource) in self.resources.iter().enumerate() {
            let subject = format!("resource `{}`", resource.name);
            lints.description(&subject, &resource.description);
            lints.overlap(&subject, resource, &self.resources[..number]);
        }
        for prompt in &self.prompts {
            let subject = format!("prompt `{}`", prompt.name);
            lints.description(&subject, &prompt.description);
        }
        lints.0
    }
}

#[derive(Default)]
struct Lints(Vec<Lint>);

impl Lints {
    fn push(&mut self, code: &'static str, subject: &str, message: impl Into<String>) {
        self.add(code, LintLevel::Warning, subject, message.into());
    }

    fn advise(&mut self, code: &'static str, subject: &str, message: impl Into<String>) {
        self.add(code, LintLevel::Advice, subject, message.into());
    }

    fn add(&mut self, code: &'static str, level: LintLevel, subject: &str, message: String) {
        self.0.push(Lint { code, level, subject: subject.to_owned(), message });
    }

    fn amount(&mut self, subject: &str, capabilities: usize) {
        if capabilities == 0 {
            let message = "it has no capability, so there is nothing to call; write \
                           `#[capability]` on a method";
            self.push("no-capabilities", subject, message);
        }
        if capabilities > MANY_CAPABILITIES {
            let message = format!(
                "{capabilities} capabilities; providers refuse more than {MANY_CAPABILITIES}, and \
                 models choose badly long before: divide them among servers"
            );
            self.push("many-capabilities", subject, message);
        }
    }

    fn instructions(&mut self, subject: &str, instructions: &str) {
        let length = instructions.chars().count();
        if instructions.trim().is_empty() {
            let message = "it says nothing of itself, and that is what a model reads first: put a \
                           doc comment above `#[agent]`";
            self.advise("instructions-empty", subject, message);
        }
        if length > LONG_INSTRUCTIONS {
            let message = format!(
                "the instructions have {length} characters; clients cut them at \
                 {LONG_INSTRUCTIONS}: put first what matters, and details into descriptions"
            );
            self.push("instructions-long", subject, message);
        }
    }

    // names-a99.
    fn name(&mut self, subject: &str, server: &str, name: &str) {
        let length = name.chars().count();
        if length > LONG_NAME {
            let message = format!(
                "the name has {length} characters; clients refuse or hide tools with more than \
                 {LONG_NAME}: shorten it"
            );
            self.push("name-long", subject, message);
        }
        let both = server.chars().count() + length;
        if both > LONG_NAME_WITH_SERVER {
            let message = format!(
                "together with the server's name `{server}` the name has {both} characters; \
                 clients that join them hide tools with more than {LONG_NAME_WITH_SERVER}: \
                 shorten one of them"
            );
            self.push("name-long-with-server", subject, message);
        }
        if name.contains('.') {
            self.push("name-dot", subject, "several clients refuse a dot in a name: write `_`");
        }
    }

    fn case<'a>(&mut self, subject: &str, seen: &mut HashMap<String, &'a str>, name: &'a str) {
        let first = *seen.entry(name.to_lowercase()).or_insert(name);
        if first != name {
            let message = format!(
                "the name differs from `{first}` by case only, and some clients ignore case: \
                 rename one of them"
            );
            self.push("name-case", subject, message);
        }
    }

    fn description(&mut self, subject: &str, description: &str) {
        let length = description.chars().count();
        if description.trim().is_empty() {
            let message = "it has no description, by which a model chooses: say what it does and \
                           when to use it";
            self.push("description-empty", subject, message);
        }
        if length > LONG_DESCRIPTION {
            let message = format!(
                "the description has {length} characters; providers refuse or cut more than \
                 {LONG_DESCRIPTION}: move details to the arguments or the instructions"
            );
            self.push("description-long", subject, message);
        }
    }

    /// The first template that an address fits is the one that is read.
    fn overlap(
        &mut self,
        subject: &str,
        template: &ResourceDescriptor,
        before: &[ResourceDescriptor],
    ) {
        let parsed = |resource: &ResourceDescriptor| {
            resource.is_template().then(|| UriTemplate::new(&resource.uri).ok()).flatten()
        };
        let Some(own) = parsed(template) else { return };
        let first = before.iter().find(|first| parsed(first).is_some_and(|it| it.overlaps(&own)));
        if let Some(first) = first {
            let message = format!(
                "`{}` also stands for addresses of `{}` ({}), which is tried first: part them by a \
                 literal, or declare the narrower one before",
                template.uri, first.name, first.uri
            );
            self.advise("template-overlap", subject, message);
        }
    }

    fn annotations(&mut self, subject: &str, capability: &CapabilityDescriptor) {
        let said = capability.annotations;
        if said.read_only == Some(true) && said.destructive == Some(true) {
            let message = "it says that it is read-only and that it destroys; clients decide by \
                           that whether to ask their user: drop one of the two";
            self.push("annotations-contradict", subject, message);
        }
    }

    // MH-14.
    fn headers(&mut self, subject: &str, capability: &CapabilityDescriptor) {
        for argument in header::repeated(&capability.input).0 {
            let name = argument.path.last().map_or("", String::as_str).to_lowercase();
            if SECRETS.iter().any(|secret| name.ends_with(secret)) {
                let message = format!(
                    "`{}` is repeated in a header, which everything between caller and server reads \
                     and logs, and it is called like something that nobody else should see: leave \
                     the header out",
                    argument.path.join(".")
                );
                self.push("header-secret", subject, message);
            }
        }
    }
}
