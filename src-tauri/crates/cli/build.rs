//! Where `vitrine` looks for its libraries: beside itself, as a build leaves them, and where packages put them
//! (`setup/bundle.mjs`). The window's program says the same.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let folders: &[&str] = match std::env::var("CARGO_CFG_TARGET_OS").as_deref() {
        Ok("linux") => &["$ORIGIN", "$ORIGIN/../lib/vitrine"],
        Ok("macos") => &["@executable_path", "@executable_path/../Frameworks"],
        _ => &[],
    };
    for folder in folders {
        println!("cargo:rustc-link-arg-bins=-Wl,-rpath,{folder}");
    }
}
