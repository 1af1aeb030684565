//! The share of each step in the total cost.

use vitrine_domain::PlanStep;

/// Sets each step's share of the total cost; `own` returns the step's own cost if it is known.
pub(super) fn assign_cost_shares(steps: &mut [PlanStep], own: &dyn Fn(&PlanStep) -> Option<f64>) {
    fn sum_costs(steps: &[PlanStep], own: &dyn Fn(&PlanStep) -> Option<f64>) -> f64 {
        steps.iter().map(|step| own(step).unwrap_or(0.0) + sum_costs(&step.children, own)).sum()
    }
    fn set_shares(steps: &mut [PlanStep], own: &dyn Fn(&PlanStep) -> Option<f64>, whole: f64) {
        for step in steps {
            step.share = own(step).map(|cost| cost / whole);
            set_shares(&mut step.children, own, whole);
        }
    }
    let whole = sum_costs(steps, own);
    if whole > 0.0 && whole.is_finite() {
        set_shares(steps, own, whole);
    }
}
