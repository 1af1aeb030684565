//! Plans in a form for tests.

use vitrine_domain::{PlanStep, QueryPlan};

/// Formats a plan as lines, each indented below its parent.
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

/// Returns all steps of a plan.
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
