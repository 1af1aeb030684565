//! What goes wrong while a format is written.

use std::error::Error;
use std::io;

/// An error of a format's writer as one of the file, where a file's error is behind it: a full disk is told as one.
pub(super) fn of_file<E: Error + Send + Sync + 'static>(error: E) -> io::Error {
    let mut cause: Option<&(dyn Error + 'static)> = Some(&error);
    while let Some(at) = cause {
        if let Some(found) = at.downcast_ref::<io::Error>() {
            return io::Error::new(found.kind(), error);
        }
        cause = at.source();
    }
    io::Error::other(error)
}
