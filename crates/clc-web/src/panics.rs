//! Broken invariants.

#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// Tells the page what went wrong: UTF-8 of this length. The instance ends after it.
    safe fn panicked(message: *const u8, length: usize);
}

/// From now on the page is told of panics.
pub fn tell() {
    // Takes its place first, so that it does not silence what the page is to see.
    let _ = clc::guard::catch(|| ());
    std::panic::set_hook(Box::new(|info| {
        let location = info.location().map(|at| format!(" ({at})")).unwrap_or_default();
        let text = format!("{}{location}", info.payload_as_str().unwrap_or("a panic"));
        panicked(text.as_ptr(), text.len());
    }));
}
