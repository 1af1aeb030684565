//! Numbers of a question that a definition restates.

/// Returns true if a definition in `knowledge` restates a number of the question, and the query uses the restated form:
/// "less than 10000 refers to num_sales < 0.1". `numbers` extracts the numbers of a definition; `uses` returns true if
/// the query contains a number.
pub fn is_restated(
    number: &str,
    knowledge: &str,
    numbers: impl Fn(&str) -> Vec<String>,
    uses: impl Fn(&str) -> bool,
) -> bool {
    knowledge.split([';', '\n']).map(numbers).any(|defined| {
        // All other numbers are required: for "2023 and 2024 are complete", a query of only 2024 has lost 2023.
        let mut others = defined.iter().filter(|one| *one != number).peekable();
        defined.iter().any(|one| one == number) && others.peek().is_some() && others.all(|other| uses(other))
    })
}
