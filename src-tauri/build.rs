//! Embeds the built pages and the window's configuration.

use std::path::Path;

fn main() {
    let pages = Path::new("../ui/dist");
    // Without the pages the program still builds, for tests that need no window; `npm start` builds the pages first.
    if !pages.exists()
        && let Err(error) = std::fs::create_dir_all(pages)
    {
        println!("cargo:warning=ui/dist cannot be made: {error}");
    }
    println!("cargo:rerun-if-changed=../ui/dist");
    tauri_build::build();
}
