//! Names of months, in the languages in which they are told apart.

/// English, German, French, Spanish, Italian, Portuguese, Dutch and Swedish, long and short, without accents.
const MONTHS: [&str; 12] = [
    "jan januar january janner janvier janv enero ene gennaio gen janeiro januari",
    "feb februar february fevrier fevr fev febrero febbraio fevereiro februari",
    "mar marz mrz march mars marzo marco maart mrt",
    "apr april avril avr abril abr aprile",
    "mai may mayo maggio mag maio mei maj",
    "jun juni june juin junio giugno giu junho",
    "jul juli july juillet juil julio luglio lug julho",
    "aug august aout agosto ago augustus augusti",
    "sep sept september septembre septiembre settembre set setembro",
    "oct okt october oktober octobre octubre ottobre ott outubro out",
    "nov november novembre noviembre novembro",
    "dec dez december dezember decembre diciembre dic dicembre dezembro",
];

/// The number of a month's name in two digits, as an expression; NULL where it is none.
pub(super) fn month_of(name: &str) -> String {
    let cases: String = MONTHS
        .iter()
        .enumerate()
        .map(|(at, names)| {
            let names: Vec<String> = names.split(' ').map(|name| format!("'{name}'")).collect();
            format!(" WHEN strip_accents(lower({name})) IN ({}) THEN '{:02}'", names.join(", "), at + 1)
        })
        .collect();
    format!("CASE{cases} END")
}

#[cfg(test)]
mod tests {
    use super::MONTHS;

    #[test]
    fn no_name_stands_for_two_months() {
        let mut names: Vec<&str> = MONTHS.iter().flat_map(|names| names.split(' ')).collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
        assert!(names.iter().all(|name| name.is_ascii()));
    }
}
