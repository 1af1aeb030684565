//! Usage errors, which repeat the arguments.

use clap::error::ContextValue;
use vitrine_api::WarehouseUri;

/// Returns the error without passwords: addresses in a wrong argument are redacted as in any other output.
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
