//! The person at the terminal.

use std::{
    io::IsTerminal,
    sync::atomic::{AtomicBool, Ordering},
};

use super::ask;
use crate::client::{Answer, Notice, Person, Question};

/// How wide a bar is.
const BAR: usize = 24;
/// How long a message beside it may be.
const WORDS: usize = 48;

/// Standard error, and who reads it.
pub(super) struct Console {
    /// Whether what is said there is seen at once, and can be wiped out again.
    is_terminal: bool,
    /// Whether somebody can answer there.
    asks: bool,
    drawn: AtomicBool,
}

impl Console {
    pub(super) fn new() -> Self {
        let is_terminal = std::io::stderr().is_terminal();
        let asks = is_terminal && std::io::stdin().is_terminal();
        Self { is_terminal, asks, drawn: AtomicBool::new(false) }
    }

    /// Whether somebody can be asked.
    pub(super) fn asks(&self) -> bool {
        self.asks
    }

    /// Wipes out the bar.
    pub(super) fn clear(&self) {
        if self.drawn.swap(false, Ordering::Relaxed) {
            eprint!("\r\x1b[K");
        }
    }

    fn draw(&self, line: &str) {
        if self.is_terminal {
            self.drawn.store(true, Ordering::Relaxed);
            eprint!("\r\x1b[K{line}");
        }
    }
}

impl Person for Console {
    fn hears(&self, notice: Notice) {
        match notice {
            Notice::Progress { done, total, message } => {
                self.draw(&bar(done, total, &message.unwrap_or_default()));
            }
            Notice::Task(message) => self.draw(&words(&message)),
            Notice::Log { level, data } => {
                self.clear();
                let level = serde_json::to_value(level).unwrap_or_default();
                let text = data.as_str().map_or_else(|| data.to_string(), str::to_owned);
                eprintln!("{}: {text}", level.as_str().unwrap_or_default());
            }
            _ => {}
        }
    }

    async fn answers(&self, question: Question) -> Answer {
        self.clear();
        ask::form(question).await
    }
}

/// How far it is, in one line.
fn bar(done: f64, total: Option<f64>, message: &str) -> String {
    let message = words(message);
    let Some(total) = total.filter(|total| *total > 0.0) else {
        return format!("{done} {message}");
    };
    let part = (done / total).clamp(0.0, 1.0);
    let full = (part * BAR as f64) as usize;
    let percent = (part * 100.0) as u8;
    format!("[{}{}] {percent:3}% {message}", "#".repeat(full), " ".repeat(BAR - full))
}

/// What fits in a line, and nothing that moves the cursor.
fn words(message: &str) -> String {
    message.chars().filter(|c| !c.is_control()).take(WORDS).collect()
}
