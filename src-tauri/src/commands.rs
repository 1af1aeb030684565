//! Commands for the window: each calls the api's function of the same name.

use std::collections::BTreeMap;
use tauri::{State, Wry};
use tauri_specta::{Builder, ErrorHandlingMode, collect_commands};
// The types of the commands.
use vitrine_api::*;
use vitrine_domain::*;

macro_rules! commands {
    ($($name:ident($($arg:ident: $kind:ty),*) -> $result:ty),* $(,)?) => {
        $(
            #[tauri::command]
            #[specta::specta]
            pub(crate) async fn $name(app: State<'_, App> $(, $arg: $kind)*) -> Result<$result, AppError> {
                app.$name($($arg.into()),*).await
            }
        )*

        /// Registers all commands and their types.
        pub(crate) fn builder() -> Builder<Wry> {
            Builder::new()
                .commands(collect_commands![$($name),*])
                .typ::<AppEvent>()
                .error_handling(ErrorHandlingMode::Throw)
                .disable_serde_phases()
        }
    };
}

vitrine_api::with_commands!(commands);
