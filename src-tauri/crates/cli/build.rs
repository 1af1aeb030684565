//! Sets the library search path of `vitrine`: its own folder, where a build leaves the libraries, and the paths of
//! packages (`setup/bundle.mjs`). The build script of the window's program sets the same.

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
