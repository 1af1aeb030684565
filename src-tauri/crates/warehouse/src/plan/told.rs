//! Plans as tests look at them.

use vitrine_domain::{PlanStep, QueryPlan};

/// A plan as lines, each further in than the step above it.
pub(crate) fn format_plan_lines(plan: &QueryPlan) -> Vec<String> {
    fn add(steps: &[PlanStep], depth: usize, lines: &mut Vec<String>) {
        for step in steps {
            lines.push(format!("{}{}", "  ".repeat(depth), step.label));
            add(&step.children, depth + 1, lines);
        }
    }
    let mut lines = Vec::new();
    add(&plan.steps, 0, &mut lines);
    lines
}

/// All steps of a plan.
pub(crate) fn collect_steps(plan: &QueryPlan) -> Vec<&PlanStep> {
    fn add<'p>(steps: &'p [PlanStep], all: &mut Vec<&'p PlanStep>) {
        for step in steps {
            all.push(step);
            add(&step.children, all);
        }
    }
    let mut found = Vec::new();
    add(&plan.steps, &mut found);
    found
}
