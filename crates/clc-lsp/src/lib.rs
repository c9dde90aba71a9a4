//! The language server behind `clc lsp`, over the protocol that editors speak.
//!
//! What is known of a program is `clc-ide`'s business; here are texts with their versions
//! (`documents`), positions in UTF-16 (`text`), options from `clc.toml` and `compile_commands.json`
//! (`settings`), and the messages (`server`, `requests`, `diagnostics`).
//!
//! One thread answers messages in their order. Before it works it takes everything that has arrived,
//! so that a request which was cancelled meanwhile costs nothing, and diagnostics are computed only
//! when no request is waiting. A text is analysed as a whole: that takes less time than a person
//! notices, and nothing can be out of date.

#![warn(missing_docs)]

mod capabilities;
mod diagnostics;
mod documents;
mod paths;
mod requests;
mod server;
mod settings;
mod state;
#[cfg(test)]
mod tests;
mod text;

use std::io::Write as _;

use lsp_server::Connection;

#[doc(hidden)]
pub use documents::analysis_of;
pub use server::Server;

/// Serves the editor at standard input and output until it says good-bye; the exit code.
pub fn run() -> u8 {
    let (connection, threads) = Connection::stdio();
    let ended = serve(&connection);
    drop(connection);
    let result = ended.and_then(|code| threads.join().map(|()| code).map_err(|e| e.to_string()));
    match result {
        Ok(code) => code,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "clc lsp: error: {error}");
            1
        }
    }
}

fn serve(connection: &Connection) -> Result<u8, String> {
    let (id, parameters) = connection.initialize_start().map_err(|error| error.to_string())?;
    let mut server = Server::new(parameters);
    let result = server.initialize_result();
    connection.initialize_finish(id, result).map_err(|error| error.to_string())?;
    server.run(connection)
}
