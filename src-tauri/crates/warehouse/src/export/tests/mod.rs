//! Tests of exported files.

mod formats;
mod full_disk;
