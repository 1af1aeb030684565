//! The program at the front of an AppImage. Unpacks the files behind it once, and starts `AppRun` among them.
//!
//! It mounts nothing: that would need FUSE and a program with special rights, and many systems have neither. Unpacked files
//! also load faster than those of a compressed image.

#[cfg(target_os = "linux")]
mod image;
#[cfg(target_os = "linux")]
mod start;
#[cfg(target_os = "linux")]
mod unpack;

#[cfg(target_os = "linux")]
fn main() -> std::process::ExitCode {
    start::main()
}

/// AppImages are for Linux; elsewhere the workspace still has to build.
#[cfg(not(target_os = "linux"))]
fn main() {}
