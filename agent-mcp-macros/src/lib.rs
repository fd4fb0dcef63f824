//! The attribute macros of `agent-mcp`.
