//! Every word that may stand in one of our attributes.

// Attributes.
pub(crate) const AGENT: &str = "agent";
pub(crate) const CAPABILITY: &str = "capability";
pub(crate) const RESOURCE: &str = "resource";
pub(crate) const CONTEXT: &str = "context";
pub(crate) const PROMPT: &str = "prompt";
pub(crate) const DATA: &str = "data";
pub(crate) const ARGS: &str = "args";
pub(crate) const FORM: &str = "form";
pub(crate) const HEADER: &str = "header";
pub(crate) const ID: &str = "id";
pub(crate) const SUGGEST: &str = "suggest";

// Options.
pub(crate) const APP_ONLY: &str = "app_only";
pub(crate) const ASSISTANT: &str = "assistant";
pub(crate) const AUDIENCE: &str = "audience";
pub(crate) const AUTHORIZE: &str = "authorize";
pub(crate) const AVAILABLE: &str = "available";
pub(crate) const CACHE: &str = "cache";
pub(crate) const CALLS: &str = "calls";
pub(crate) const COERCE: &str = "coerce";
pub(crate) const COMPLETION: &str = "completion";
pub(crate) const CONCURRENCY: &str = "concurrency";
pub(crate) const CRATE: &str = "crate";
pub(crate) const DEFAULT: &str = "default";
pub(crate) const DESCRIPTION: &str = "description";
pub(crate) const DESTRUCTIVE: &str = "destructive";
pub(crate) const DOTTED_NAMES: &str = "dotted_names";
pub(crate) const ENUM_NAMES: &str = "enum_names";
pub(crate) const FORMAT: &str = "format";
pub(crate) const HEARTBEAT: &str = "heartbeat";
pub(crate) const ICONS: &str = "icons";
pub(crate) const IDEMPOTENT: &str = "idempotent";
pub(crate) const INLINE: &str = "inline";
pub(crate) const INPUT_SCHEMA: &str = "input_schema";
pub(crate) const INSTRUCTIONS: &str = "instructions";
pub(crate) const MAX: &str = "max";
pub(crate) const MAX_ITEMS: &str = "max_items";
pub(crate) const MAX_LENGTH: &str = "max_length";
pub(crate) const MESSAGE: &str = "message";
pub(crate) const META: &str = "meta";
pub(crate) const MIME_TYPE: &str = "mime_type";
pub(crate) const MIN: &str = "min";
pub(crate) const MIN_ITEMS: &str = "min_items";
pub(crate) const MIN_LENGTH: &str = "min_length";
pub(crate) const MODEL: &str = "model";
pub(crate) const NAME: &str = "name";
pub(crate) const NOT_SECRET: &str = "not_secret";
pub(crate) const OPEN: &str = "open";
pub(crate) const OPEN_WORLD: &str = "open_world";
pub(crate) const OUTPUT_SCHEMA: &str = "output_schema";
pub(crate) const PART: &str = "part";
pub(crate) const PARTS: &str = "parts";
pub(crate) const PRINCIPAL: &str = "principal";
pub(crate) const PRIORITY: &str = "priority";
pub(crate) const READ_ONLY: &str = "read_only";
pub(crate) const SCOPES: &str = "scopes";
pub(crate) const TASK: &str = "task";
pub(crate) const SIZE: &str = "size";
pub(crate) const TIMEOUT: &str = "timeout";
pub(crate) const SCOPE: &str = "scope";
pub(crate) const TITLE: &str = "title";
pub(crate) const TTL: &str = "ttl";
pub(crate) const UI: &str = "ui";
pub(crate) const URI: &str = "uri";
pub(crate) const USER: &str = "user";
pub(crate) const VERSION: &str = "version";
pub(crate) const WEBSITE: &str = "website";
pub(crate) const WHEN: &str = "when";

// Words of values, and of bodies.
pub(crate) const BEGIN_TASK: &str = "begin_task";
pub(crate) const OPTIONAL: &str = "optional";
pub(crate) const REQUIRED: &str = "required";
