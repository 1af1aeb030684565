//! Usage errors, which repeat what was typed.

use clap::error::ContextValue;
use vitrine_api::WarehouseUri;

/// The error without passwords: an address that stands in the wrong place is shown as anywhere else.
pub(crate) fn hide_passwords(mut error: clap::Error) -> clap::Error {
    let shown: Vec<_> = error
        .context()
        .filter_map(|(kind, value)| match value {
            ContextValue::String(text) if text.contains(['@', ':', '=']) => {
                Some((kind, ContextValue::String(WarehouseUri::redact_address(text))))
            }
            _ => None,
        })
        .collect();
    for (kind, value) in shown {
        error.insert(kind, value);
    }
    error
}
