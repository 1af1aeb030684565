//! The sample warehouse, created on first use.

use crate::output::note;
use vitrine_api::App;

/// Says that the sample is made, where it will be.
pub(crate) fn announce_sample(app: &App, uri: &str) {
    if app.makes_sample(uri) {
        note("Making the sample warehouse, once …");
    }
}
