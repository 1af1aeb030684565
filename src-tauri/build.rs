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
    look_for_libraries();
    tauri_build::build();
}

/// Where the program looks for its libraries: beside itself, as a build leaves them, and where packages put them
/// (`setup/bundle.mjs`). The command line says the same.
fn look_for_libraries() {
    let folders: &[&str] = match std::env::var("CARGO_CFG_TARGET_OS").as_deref() {
        Ok("linux") => &["$ORIGIN", "$ORIGIN/../lib/vitrine"],
        Ok("macos") => &["@executable_path", "@executable_path/../Frameworks"],
        _ => &[],
    };
    for folder in folders {
        println!("cargo:rustc-link-arg-bins=-Wl,-rpath,{folder}");
    }
}
