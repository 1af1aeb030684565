//! Numbers that known facts put otherwise.

/// Whether one of the definitions in `knowledge` says a number of the question in another way, which the query uses: "less than
/// 10000 refers to num_sales < 0.1". `numbers` reads the numbers of a definition; `uses` says whether the query has one.
pub fn is_restated(
    number: &str,
    knowledge: &str,
    numbers: impl Fn(&str) -> Vec<String>,
    uses: impl Fn(&str) -> bool,
) -> bool {
    knowledge.split([';', '\n']).map(numbers).any(|defined| {
        // All of them: of "2023 and 2024 are complete" a query of 2024 alone has lost 2023.
        let mut others = defined.iter().filter(|one| *one != number).peekable();
        defined.iter().any(|one| one == number) && others.peek().is_some() && others.all(|other| uses(other))
    })
}
