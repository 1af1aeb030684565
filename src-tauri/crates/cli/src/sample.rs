//! The sample warehouse, created on first use.

use crate::output::print_note;
use vitrine_api::App;
use vitrine_words::tr;

/// Prints that the sample is created, and its location.
pub(crate) fn announce_sample(app: &App, uri: &str) {
    if app.makes_sample(uri) {
        print_note(&tr!("Creating the sample warehouse, once …"));
    }
}
