//! Where a compilation writes.

use std::path::PathBuf;

/// Where a compilation writes.
#[derive(Clone, Debug)]
pub(super) struct Output {
    /// `None` if nothing is written.
    pub sink: Option<Sink>,
    /// The file of `--reflection`.
    pub reflection: Option<PathBuf>,
}

/// Where one input's output goes.
#[derive(Clone, Debug)]
pub(super) enum Sink {
    Stdout,
    File(PathBuf),
}
