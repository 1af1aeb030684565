//! Dispatches commands by name, with their arguments as one JSON object with camelCase names.

use futures::future::BoxFuture;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
// The types of the commands.
use vitrine_api::*;
use vitrine_domain::*;

macro_rules! commands {
    ($($name:ident($($arg:ident: $kind:ty),*) -> $result:ty),* $(,)?) => {
        /// Every command with the names of its arguments in Rust's spelling.
        pub const COMMANDS: &[(&str, &[&str])] = &[$((stringify!($name), &[$(stringify!($arg)),*])),*];

        /// Runs a command and returns its result as JSON.
        ///
        /// # Errors
        /// Returns the command's error, or an error about the call itself.
        pub async fn call(app: &App, command: &str, arguments: &str) -> Result<String, AppError> {
            match command {
                $(stringify!($name) => {
                    #[derive(serde::Deserialize)]
                    #[serde(rename_all = "camelCase")]
                    struct Arguments { $($arg: $kind),* }
                    // A separate function per command: in unoptimized builds, one frame for all would exceed a thread's
                    // stack.
                    fn run<'a>(app: &'a App, command: &str, arguments: &str) -> BoxFuture<'a, Result<String, AppError>> {
                        let parsed = parse_arguments(command, arguments);
                        Box::pin(async move {
                            let Arguments { $($arg),* } = parsed?;
                            let result: $result = app.$name($($arg.into()),*).await?;
                            serialize_result(&result)
                        })
                    }
                    run(app, command, arguments).await
                })*
                _ => Err(AppError::new(ErrorCode::NotFound, format!("There is no command '{command}'"))),
            }
        }
    };
}

vitrine_api::with_commands!(commands);

fn parse_arguments<T: DeserializeOwned>(command: &str, arguments: &str) -> Result<T, AppError> {
    serde_json::from_str(arguments).map_err(|error| {
        AppError::new(ErrorCode::Usage, format!("The arguments of '{command}' do not fit")).with_detail(error)
    })
}

fn serialize_result(result: &impl serde::Serialize) -> Result<String, AppError> {
    serde_json::to_string(result)
        .map_err(|error| AppError::new(ErrorCode::Internal, "The result cannot be sent").with_detail(error))
}
