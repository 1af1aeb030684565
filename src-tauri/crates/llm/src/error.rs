//! Converts a model's error into one for the user.

use crate::{AddressFault, LlmError};
use vitrine_domain::{AppError, ErrorCode};
use vitrine_words::tr;

impl From<LlmError> for AppError {
    fn from(error: LlmError) -> Self {
        let app = |code, message: String, hint: String| AppError::new(code, message).with_hint(hint);
        let model = |message: String, hint: String| app(ErrorCode::Model, message, hint);
        match error {
            LlmError::Address { fault, .. } => address_error(&fault),
            LlmError::Unreachable { message } => model(
                tr!("The model server cannot be reached."),
                tr!("Check its address in the settings and that it is running."),
            )
            .with_detail(message),
            LlmError::Untrusted { message } => model(
                tr!("The certificate of the model server is not trusted on this computer."),
                tr!("Have its authority added to the system's certificates, or name a file with it in SSL_CERT_FILE."),
            )
            .with_detail(message),
            LlmError::Unauthorised { message } => model(
                tr!("The model server refused the API key."),
                tr!("Enter a valid key for this model in the settings."),
            )
            .with_detail(message),
            LlmError::RateLimited { retry_after } => {
                let hint = match retry_after {
                    Some(wait) => {
                        tr!("Ask again in {seconds} s, or choose another model.", seconds = wait.as_secs().max(1))
                    }
                    None => tr!("Ask again in a minute, or choose another model."),
                };
                model(tr!("The model server is limiting requests."), hint)
            }
            LlmError::Refused { status: 404, message } => model(
                tr!("The model server does not know this model or address."),
                tr!("Check the model's name and the server's address in the settings."),
            )
            .with_detail(message),
            LlmError::Refused { status, message } => {
                let what = match status {
                    0 => tr!("The model server refused the request."),
                    status => tr!("The model server answered with status {status}.", status),
                };
                model(what, tr!("Try again; if the error persists, check the server's log.")).with_detail(message)
            }
            LlmError::BadReply { message, .. } => model(
                tr!("The model's reply cannot be used."),
                tr!("Ask again, simplify the question, or choose a larger model."),
            )
            .with_detail(message),
            LlmError::ContextExceeded { needed, available } => model(
                tr!("The prompt needs {needed} tokens, but the model has room for {available}.", needed, available),
                tr!(
                    "Choose a model with a longer context, let the schema come in smaller parts, or shorten the question."
                ),
            ),
            LlmError::WorkerCrashed { message } => {
                model(tr!("The model process stopped."), tr!("Ask again: the process is restarted."))
                    .with_detail(message)
            }
            LlmError::OutOfMemory { message } => model(
                tr!("There is not enough memory for the model."),
                tr!("Close other programs, lower the context length in the settings, or choose a smaller model."),
            )
            .with_detail(message),
            LlmError::ModelFile { path, message } => app(
                if path.exists() { ErrorCode::Model } else { ErrorCode::ModelMissing },
                tr!("The model file {path} cannot be used.", path = path.display()),
                tr!("Pull the model again: vitrine models pull."),
            )
            .with_detail(message),
            LlmError::Cancelled => AppError::new(ErrorCode::Cancelled, tr!("Stopped.")),
            LlmError::Timeout { seconds } => model(
                tr!("The model did not answer within {seconds} s.", seconds),
                tr!("Try again, or choose a faster model."),
            ),
        }
    }
}

fn address_error(fault: &AddressFault) -> AppError {
    let whole = tr!("Write it whole, as in https://api.openai.com/v1 or http://localhost:11434/v1");
    let (message, hint) = match fault {
        AddressFault::Scheme => (tr!("The address of a model server needs http:// or https:// in front"), whole),
        AddressFault::Login => (
            tr!("The address of a model server holds a name or a password"),
            tr!("Remove it, and enter the key separately"),
        ),
        AddressFault::BehindPath => (
            tr!("After the path, the address of a model server may only contain an api-version"),
            tr!("Remove it, and enter the key separately"),
        ),
        AddressFault::Malformed { why } => {
            return AppError::new(ErrorCode::Usage, tr!("This is not the address of a model server"))
                .with_hint(whole)
                .with_detail(why.clone());
        }
    };
    AppError::new(ErrorCode::Usage, message).with_hint(hint)
}
