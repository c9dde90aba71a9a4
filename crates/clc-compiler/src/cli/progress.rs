//! The line that says how far a batch is.

use std::io::{self, IsTerminal as _, Write};
use std::time::{Duration, Instant};

/// So long nothing is said: most batches have ended by then.
const PATIENCE: Duration = Duration::from_millis(300);
/// Between two lines.
const PAUSE: Duration = Duration::from_millis(100);

/// One line on a terminal, which is written over again and again, and is gone at the end.
pub(super) struct Progress<W: Write = io::Stderr> {
    /// `None` where the messages do not go to a terminal.
    terminal: Option<W>,
    total: usize,
    /// When a line may be written.
    next: Instant,
    is_shown: bool,
}

impl Progress {
    /// For a batch of so many; silent where standard error is no terminal or programs read the messages.
    pub(super) fn of(total: usize, talks: bool) -> Progress {
        let is_watched = total > 1
            && talks
            && io::stderr().is_terminal()
            && std::env::var_os("TERM").is_none_or(|name| name != "dumb");
        Progress::on(is_watched.then(io::stderr), total, Instant::now() + PATIENCE)
    }
}

impl<W: Write> Progress<W> {
    fn on(terminal: Option<W>, total: usize, next: Instant) -> Progress<W> {
        Progress { terminal, total, next, is_shown: false }
    }

    /// So many have ended.
    pub(super) fn show(&mut self, ended: usize) {
        let Some(terminal) = &mut self.terminal else { return };
        let now = Instant::now();
        if now < self.next {
            return;
        }
        self.next = now + PAUSE;
        self.is_shown = true;
        // Behind the line everything is erased, for the one before may have been longer.
        let _ = write!(terminal, "\rclc: {ended} of {} compiled\x1b[K", self.total);
        let _ = terminal.flush();
    }

    /// Makes room for a message.
    pub(super) fn clear(&mut self) {
        if let Some(terminal) = self.terminal.as_mut().filter(|_| self.is_shown) {
            let _ = write!(terminal, "\r\x1b[K");
            let _ = terminal.flush();
            self.is_shown = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_takes_the_place_of_the_one_before() {
        let mut progress = Progress::on(Some(Vec::new()), 12, Instant::now());
        progress.clear();
        progress.show(3);
        progress.show(4);
        progress.next = Instant::now();
        progress.show(5);
        progress.clear();
        progress.clear();
        let text = String::from_utf8(progress.terminal.unwrap()).unwrap();
        let lines = ["\rclc: 3 of 12 compiled\x1b[K", "\rclc: 5 of 12 compiled\x1b[K", "\r\x1b[K"];
        assert_eq!(text, lines.concat());
    }
}
