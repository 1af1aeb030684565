//! Calibrations, which weigh evidence for a model: made on this computer or shipped with the program.

use crate::app::App;
use crate::state::work::{current_timestamp, run_blocking};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use vitrine_agents::certainty::Calibration;
use vitrine_domain::{AppError, ErrorCode};
use vitrine_eval::{Calibrated, Run};
use vitrine_words::tr;

impl App {
    /// Loads the calibration of a model: the one made on this computer, else the one that ships with the program, else a cautious default.
    pub(crate) async fn load_calibration(&self, model: &str) -> Result<Arc<Calibration>, AppError> {
        let (path, model) = (self.calibration_file(model), model.to_owned());
        run_blocking(move || {
            let own = std::fs::read_to_string(&path).ok().and_then(|text| match serde_json::from_str(&text) {
                Ok(calibration) => Some(calibration),
                Err(error) => {
                    tracing::warn!(path = %path.display(), %error, "a calibration cannot be read");
                    None
                }
            });
            Ok(Arc::new(own.unwrap_or_else(|| Calibration::for_model(&model))))
        })
        .await
    }

    /// Calibrates a model from the folders of finished runs, and writes the weights to `out`, or else to the file from which they are used
    /// from now on. Returns the path.
    pub async fn calibrate_model(
        &self,
        folders: Vec<PathBuf>,
        out: Option<PathBuf>,
    ) -> Result<(Calibrated, PathBuf), AppError> {
        let calibrated = run_blocking(move || {
            let runs: Vec<Run> =
                folders.iter().map(|folder| Run::load("run", folder)).collect::<Result<_, AppError>>()?;
            vitrine_eval::calibrate_weights(&runs, &current_timestamp())
        })
        .await?;
        let path = out.unwrap_or_else(|| self.calibration_file(&calibrated.calibration.model));
        let text = serde_json::to_string_pretty(&calibrated.calibration).unwrap_or_default() + "\n";
        write_file(&path, &text)?;
        Ok((calibrated, path))
    }

    fn calibration_file(&self, model: &str) -> PathBuf {
        self.inner.options.folders.calibration_file(model)
    }
}

fn write_file(path: &Path, text: &str) -> Result<(), AppError> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.map_or(Ok(()), std::fs::create_dir_all).and_then(|()| std::fs::write(path, text)).map_err(|error| {
        AppError::new(ErrorCode::Usage, tr!("{path} cannot be written", path = path.display())).with_detail(error)
    })
}
