use agent_mcp::skills::{Skills, SkillsError};

/// A skill with a folder in its folder, which the suite looks for.
const FILES: [(&str, &str); 3] = [
    (
        "test-refunds/SKILL.md",
        "---\nname: test-refunds\ndescription: How to refund an order.\nlicense: MIT\nmetadata:\n  version: \"1.0\"\n---\n# Refunds\n\nAsk for the order first; see [the examples](examples/mail.md).\n",
    ),
    ("test-refunds/examples/mail.md", "Dear customer,\n"),
    (
        "test-thanks/SKILL.md",
        "---\nname: test-thanks\ndescription: How to thank.\n---\nSay thank you.\n",
    ),
];

/// The skills that the suite reads.
pub(crate) fn skills() -> Result<Skills, SkillsError> {
    Skills::from_files(FILES)
}
