//! Why a launch has no result.

use std::fmt;

/// Why a launch has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The interpreter does not know this; nothing is said about the program.
    NotInterpreted(String),
    /// The program does what has no meaning.
    Fault(String),
    /// More instructions, memory or calls than the launch allows.
    Limit(&'static str),
}

impl Stop {
    /// The program's fault.
    pub(crate) fn fault(text: impl Into<String>) -> Stop {
        Stop::Fault(text.into())
    }

    /// What is not interpreted.
    pub(crate) fn unknown(text: impl Into<String>) -> Stop {
        Stop::NotInterpreted(text.into())
    }

    /// Says where it happened.
    pub(crate) fn at(self, place: impl FnOnce() -> String) -> Stop {
        match self {
            Stop::Fault(text) => Stop::Fault(format!("{text}, {}", place())),
            other => other,
        }
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stop::NotInterpreted(what) => write!(f, "not interpreted: {what}"),
            Stop::Fault(what) => write!(f, "fault: {what}"),
            Stop::Limit(of) => write!(f, "the limit of {of} is reached"),
        }
    }
}
