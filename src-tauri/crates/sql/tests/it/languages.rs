//! Rejections in the language of the window. The language is set for the whole process, so this test needs its own
//! process, as nextest provides.

use vitrine_domain::{AppError, Dialect};
use vitrine_sql::ReadOnlySql;
use vitrine_words::{Language, set_language};

#[test]
fn a_refused_statement_is_told_in_french_and_to_models_in_english() {
    set_language(Language::French, include_str!("../../../../../ui/locales/program/fr.po"));
    let refused = |sql: &str, dialect| ReadOnlySql::parse(sql, dialect).expect_err("it is refused");
    for (sql, dialect, told, english) in [
        (
            "DELETE FROM t",
            Dialect::Sqlite,
            "DELETE n’est pas permis\u{a0}: les requêtes ne peuvent que lire",
            "DELETE is not allowed: queries may only read",
        ),
        (
            "SELECT year(a) FROM t",
            Dialect::Sqlite,
            "la fonction year n’est pas disponible\u{a0}: elle n’existe pas ici ou ne peut pas être utilisée\u{a0}; \
             écrivez strftime('%Y', x)",
            "function year is not available: it does not exist here or may not be used; write strftime('%Y', x)",
        ),
        (
            "SELECT /*!50000 a */ FROM t",
            Dialect::Mysql,
            "l’instruction contient un commentaire que MySQL exécute",
            "the statement holds a comment that MySQL executes",
        ),
    ] {
        let rejection = refused(sql, dialect);
        assert_eq!(rejection.to_string(), english);
        assert_eq!(AppError::from(rejection).message, format!("Le SQL n’a pas été exécuté\u{a0}: {told}."));
    }
    let hint = AppError::from(refused("DELETE FROM t", Dialect::Sqlite)).hint.expect("a hint");
    assert!(hint.starts_with("Réécrivez-le"), "{hint}");
}
