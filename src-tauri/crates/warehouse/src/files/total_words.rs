//! Words for totals in several languages. A known word only lowers the required evidence and proves nothing alone.

#[rustfmt::skip]
const WORDS: &[&str] = &[
    "total", "totals", "grand total", "overall", "sum", "sum total", "gesamt", "gesamtsumme", "gesamtbetrag",
    "summe", "summen", "insgesamt", "endsumme", "gesamtergebnis", "summe gesamt", "gesamt summe", "total gesamt",
    "zusammen", "totaux", "total général", "somme", "ensemble", "suma", "sumas", "suma total", "total general",
    "totales", "totale", "totali", "totale generale", "somma", "totale complessivo", "soma", "total geral", "totais",
    "totaal", "eindtotaal", "som", "totalt", "i alt", "summa", "yhteensä", "samtals", "kokku", "kopā", "iš viso",
    "celkem", "součet", "spolu", "súčet", "összesen", "végösszeg", "mindösszesen", "razem", "ogółem", "łącznie",
    "ukupno", "skupaj", "vsota", "итого", "всего", "сумма", "общо", "всичко", "разом", "усього", "σύνολο",
    "γενικό σύνολο", "toplam", "genel toplam", "jumlah", "total keseluruhan", "tổng", "tổng cộng", "รวม",
    "รวมทั้งสิ้น", "合计", "总计", "合計", "総計", "總計", "합계", "총계", "총합계", "المجموع", "الإجمالي", "إجمالي", "סה\"כ",
    "סך הכל", "कुल", "योग", "মোট",
];

/// Returns true if a label contains only a word for a total, unlike a region `Total Energies`. Signs, currencies and
/// years beside the word are ignored.
pub(super) fn is_total_word(label: &str) -> bool {
    WORDS.contains(&plain_words(label).as_str())
}

/// Returns true if a label denotes the total of a group.
pub(super) fn is_subtotal_word(label: &str) -> bool {
    const WORDS: &[&str] =
        &["subtotal", "sub total", "sous total", "zwischensumme", "teilsumme", "teilergebnis", "ergebnis", "subtotale"];
    WORDS.contains(&plain_words(label).as_str())
}

/// Returns true if a label denotes an average.
pub(super) fn is_average_word(label: &str) -> bool {
    #[rustfmt::skip]
    const WORDS: &[&str] = &[
        "average", "avg", "mean", "durchschnitt", "ø", "mittelwert", "mittel", "schnitt", "moyenne", "moy", "media", "promedio", "média",
        "gemiddelde", "gemiddeld", "medelvärde", "genomsnitt", "gennemsnit", "gjennomsnitt", "średnia", "průměr", "átlag", "keskiarvo",
        "среднее", "среднее значение", "ortalama", "μέσος όρος", "平均", "平均值", "평균",
    ];
    WORDS.contains(&plain_words(label).as_str())
}

/// Returns the words of a label in lower case, without a remark in brackets.
fn plain_words(label: &str) -> String {
    let lower = label.to_lowercase();
    let lower =
        lower.split_once('(').filter(|(_, rest)| rest.trim_end().ends_with(')')).map_or(&*lower, |(label, _)| label);
    let words: Vec<&str> = lower
        .split(|c: char| !(c.is_alphanumeric() || c == '"' || unicode_mark(c)))
        .filter(|word| !word.is_empty() && !word.chars().all(|c| c.is_numeric()))
        .filter(|word| !vitrine_domain::MONEY.iter().any(|money| money.to_lowercase() == *word))
        .collect();
    words.join(" ")
}

/// Returns true for marks above or below a letter in Devanagari, Thai and other scripts.
fn unicode_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{900}'..='\u{9ff}' | '\u{e31}'..='\u{e4e}')
}

#[cfg(test)]
mod tests {
    use super::is_total_word;

    #[test]
    fn a_total_says_so_and_no_more() {
        for label in [
            "Total",
            "SUMME:",
            "Gesamt (EUR)",
            "Grand Total (2 rows)",
            "= Total général",
            "Total 2024",
            "Итого",
            "合計",
            "รวม",
            "कुल",
            "*** Summe ***",
        ] {
            assert!(is_total_word(label), "{label}");
        }
        for label in
            ["", "Total Energies", "Summerfield", "Gesamtschule", "Total Fitness GmbH", "Totally", "2024", "EUR"]
        {
            assert!(!is_total_word(label), "{label}");
        }
    }
}
