//! Certainty of an answer as a measured number: the evidence for and against it in the events of a run (`evidence`), its features for a
//! logistic model (`features`), and weights fitted to earlier runs of the same model (`calibration`). All functions are pure functions of
//! events, so that a finished run can be evaluated again and a model calibrated without new calls.

mod calibration;
mod evidence;
mod features;
mod fitted;
mod logistic;
mod reasons;
mod selector;

pub use calibration::Calibration;
pub use evidence::{ENOUGH, Evidence};
pub use features::{Feature, Stage, feature_values};
pub use fitted::{Fitted, Weight};
pub use logistic::{Example, fit_examples};
pub use selector::{ComparedQuestion, ResultSelector, choose_by_points, count_points};
