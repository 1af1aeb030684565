//! Converts a model's error into one for the user.

use crate::LlmError;
use vitrine_domain::{AppError, ErrorCode};

impl From<LlmError> for AppError {
    fn from(error: LlmError) -> Self {
        let app = |code, message: &str, hint: &str| AppError::new(code, message).hint(hint);
        let model = |message: &str, hint: &str| app(ErrorCode::Model, message, hint);
        match error {
            LlmError::Unreachable { message } => model(
                "The model server cannot be reached.",
                "Check its address in the settings and that it is running.",
            )
            .detail(message),
            LlmError::Untrusted { message } => model(
                "The certificate of the model server is not trusted on this machine.",
                "Have its authority added to the certificates of the system, or name a file with it in SSL_CERT_FILE.",
            )
            .detail(message),
            LlmError::Unauthorised { message } => {
                model("The model server refused the API key.", "Enter a valid key for this model in the settings.")
                    .detail(message)
            }
            LlmError::RateLimited { retry_after } => {
                let hint = match retry_after {
                    Some(wait) => format!("Ask again in {} s, or choose another model.", wait.as_secs().max(1)),
                    None => "Ask again in a minute, or choose another model.".to_owned(),
                };
                model("The model server is limiting requests.", &hint)
            }
            LlmError::Refused { status: 404, message } => model(
                "The model server does not know this model or address.",
                "Check the model's name and the server's address in the settings.",
            )
            .detail(message),
            LlmError::Refused { status, message } => {
                let what = match status {
                    0 => "The model server refused the request.".to_owned(),
                    status => format!("The model server answered with status {status}."),
                };
                model(&what, "Try again; if it stays, look into the server's own log.").detail(message)
            }
            LlmError::BadReply { message, .. } => model(
                "The model's reply cannot be used.",
                "Ask again, put the question more simply, or choose a larger model.",
            )
            .detail(message),
            LlmError::ContextExceeded { needed, available } => model(
                &format!("The prompt needs {needed} tokens, but the model has room for {available}."),
                "Choose a model with a longer context, lower the chunk budget, or shorten the question.",
            ),
            LlmError::WorkerCrashed { message } => {
                model("The model process stopped.", "Ask again: it is started anew.").detail(message)
            }
            LlmError::OutOfMemory { message } => model(
                "There is not enough memory for the model.",
                "Close other programs, lower the context length in the settings, or choose a smaller model.",
            )
            .detail(message),
            LlmError::ModelFile { path, message } => app(
                if path.exists() { ErrorCode::Model } else { ErrorCode::ModelMissing },
                &format!("The model file {} cannot be used.", path.display()),
                "Pull the model again: vitrine models pull.",
            )
            .detail(message),
            LlmError::Cancelled => AppError::new(ErrorCode::Cancelled, "Stopped."),
            LlmError::Timeout { seconds } => {
                model(&format!("The model did not answer within {seconds} s."), "Try again, or choose a faster model.")
            }
        }
    }
}
