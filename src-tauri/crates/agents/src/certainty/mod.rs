//! How sure an answer is, as a measured number: what the events of a run say for and against it (`evidence`), as features
//! of a logistic model (`features`), weighed as earlier runs of the same model went (`calibration`). Everything here is a
//! pure function of events, so that a finished run can be weighed again and a model calibrated without being asked.

mod calibration;
mod evidence;
mod features;
mod fitted;
mod logistic;
mod reasons;

pub use calibration::Calibration;
pub use evidence::{ENOUGH, Evidence};
pub use features::{Feature, Stage, feature_values};
pub use fitted::{Fitted, Weight};
pub use logistic::{Example, fit_examples};
