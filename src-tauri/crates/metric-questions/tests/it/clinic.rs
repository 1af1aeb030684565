//! Questions about a clinic, whose definitions have German labels.

use crate::support::Database;

const TABLES: &str = "
CREATE TABLE wards (id INTEGER PRIMARY KEY, title VARCHAR, building VARCHAR);
CREATE TABLE doctors (id INTEGER PRIMARY KEY, full_name VARCHAR, specialty VARCHAR, ward_id INTEGER);
CREATE TABLE patients (id INTEGER PRIMARY KEY, city VARCHAR, insurance VARCHAR, born DATE);
CREATE TABLE admissions (id INTEGER PRIMARY KEY, patient_id INTEGER, ward_id INTEGER, doctor_id INTEGER, admitted DATE,
  days INTEGER, kind VARCHAR, cost DECIMAL(12,2));
CREATE TABLE beds (ward_id INTEGER, day DATE, occupied INTEGER, total INTEGER);
";

const METRICS: &str = "
tables:
  - name: admissions
    time: admitted
    entities:
      - {name: admission, kind: primary, column: id}
      - {name: patient, kind: foreign, column: patient_id}
      - {name: ward, kind: foreign, column: ward_id}
      - {name: doctor, kind: foreign, column: doctor_id}
    dimensions:
      - {name: admitted, kind: time, label: Day of admission}
      - {name: kind, label: Kind of admission, synonyms: [Aufnahmeart, type d'admission], values: {E: [emergency, Notfall, urgence], P: [planned, geplant]}}
  - name: wards
    entities:
      - {name: ward, kind: primary, column: id}
    dimensions:
      - {name: title, label: Ward, synonyms: [Station, service]}
      - {name: building, label: Building, synonyms: [Gebäude, bâtiment]}
  - name: doctors
    entities:
      - {name: doctor, kind: primary, column: id, label: Arzt}
    dimensions:
      - {name: full_name, label: Doctor, synonyms: [physician, Arzt, médecin]}
      - {name: specialty, label: Specialty, synonyms: [Fachgebiet, spécialité]}
  - name: patients
    entities:
      - {name: patient, kind: primary, column: id}
    dimensions:
      - {name: city, label: Home city, synonyms: [Wohnort]}
      - {name: insurance, label: Insurance, synonyms: [Krankenkasse, assurance]}
  - name: beds
    time: day
    primary_entity: bed_count
    entities:
      - {name: ward, kind: foreign, column: ward_id}
    dimensions:
      - {name: day, kind: time}
metrics:
  - {name: admissions, label: Admissions, synonyms: [Aufnahmen, hospitalisations], owner: Controlling, aggregate: count, table: admissions, when_empty: 0}
  - {name: patients_treated, label: Patients treated, synonyms: [behandelte Patienten, patients traités], aggregate: count_distinct, of: patient_id, table: admissions}
  - {name: length_of_stay, label: Average length of stay, synonyms: [mittlere Verweildauer, durée moyenne de séjour], unit: days, aggregate: average, of: days, table: admissions}
  - {name: treatment_cost, label: Treatment cost, synonyms: [Behandlungskosten, coût des soins], unit: EUR, aggregate: sum, of: cost, table: admissions, when_empty: 0}
  - {name: emergency_admissions, label: Emergency admissions, synonyms: [Notaufnahmen], aggregate: count, table: admissions, filters: [\"admission__kind = 'E'\"], when_empty: 0}
  - {name: occupied_beds, label: Occupied beds, synonyms: [belegte Betten, lits occupés], aggregate: sum, of: occupied, table: beds, last_of: {over: day}}
";

fn clinic() -> Database {
    Database::new(
        TABLES,
        METRICS,
        &[
            ("wards", "title", &["Intensive Care", "Surgery", "Pediatrics"]),
            ("wards", "building", &["North", "South"]),
            ("doctors", "specialty", &["Surgery", "Cardiology"]),
            ("doctors", "full_name", &["Ann March", "Eva Lindt"]),
            ("patients", "city", &["Köln", "Bonn"]),
            ("patients", "insurance", &["AOK", "private", "monthly"]),
            ("admissions", "kind", &["E", "P"]),
        ],
    )
}

#[test]
fn questions_about_a_clinic_are_covered_in_three_languages() {
    clinic().assert_covered(&[
        ("How many admissions were there in 2024?", "admissions from 2024-01-01 to 2024-12-31"),
        ("How many patients were treated in May 2024?", "patients_treated from 2024-05-01 to 2024-05-31"),
        ("What is the average length of stay by ward?", "length_of_stay by ward__title"),
        ("Treatment cost per specialty and month", "treatment_cost by doctor__specialty,metric_time__month"),
        ("Emergency admissions by week", "emergency_admissions by metric_time__week"),
        ("Planned admissions in Bonn", "admissions where admission__kind = 'P' and patient__city = 'Bonn'"),
        ("Admissions of doctor Eva Lindt", "admissions where doctor__full_name = 'Eva Lindt'"),
        ("Treatment cost for ward Surgery", "treatment_cost where ward__title = 'Surgery'"),
        ("occupied beds by ward", "occupied_beds by ward__title"),
        (
            "top 3 wards by treatment cost",
            "treatment_cost by ward__title where ward__title IS NOT NULL order -treatment_cost limit 3",
        ),
        (
            "Which specialty has the highest average length of stay?",
            "length_of_stay by doctor__specialty where doctor__specialty IS NOT NULL order -length_of_stay limit 1",
        ),
        ("admissions by home city in the last 2 years", "admissions by patient__city from 2023-01-01 to 2024-12-31"),
        ("Wie viele Aufnahmen gab es im Mai 2024?", "admissions from 2024-05-01 to 2024-05-31"),
        ("Behandlungskosten nach Station", "treatment_cost by ward__title"),
        ("Mittlere Verweildauer je Fachgebiet", "length_of_stay by doctor__specialty"),
        ("Aufnahmen pro Woche seit Januar 2024", "admissions by metric_time__week from 2024-01-01"),
        ("Wie viele behandelte Patienten hatten wir letztes Jahr?", "patients_treated from 2024-01-01 to 2024-12-31"),
        ("Geplante Aufnahmen in Köln", "admissions where admission__kind = 'P' and patient__city = 'Köln'"),
        ("Belegte Betten nach Gebäude", "occupied_beds by ward__building"),
        (
            "Welche Station hatte die meisten Aufnahmen?",
            "admissions by ward__title where ward__title IS NOT NULL order -admissions limit 1",
        ),
        ("Coût des soins par service en 2024", "treatment_cost by ward__title from 2024-01-01 to 2024-12-31"),
        ("Hospitalisations par mois", "admissions by metric_time__month"),
        ("Durée moyenne de séjour par spécialité", "length_of_stay by doctor__specialty"),
        ("Combien d'hospitalisations au premier trimestre 2024 ?", "admissions from 2024-01-01 to 2024-03-31"),
        (
            "les 3 services avec le plus d'hospitalisations",
            "admissions by ward__title where ward__title IS NOT NULL order -admissions limit 3",
        ),
    ]);
}

#[test]
fn other_questions_about_a_clinic_are_not_covered() {
    clinic().assert_uncovered(&[
        // A ward and a specialty.
        "Treatment cost in Surgery",
        // The metric has its own condition on the kind.
        "planned emergency admissions",
        "emergency admissions by kind of admission",
        // Beds have no doctor.
        "occupied beds by specialty",
        "occupied beds for doctor Eva Lindt",
        // By month, or of patients who pay monthly.
        "monthly admissions",
        // A month without its year.
        "admissions in May",
        "Aufnahmen im Mai",
        "hospitalisations en mai",
        "How many patients do we have?",
        "How many doctors are there?",
        "patients without admissions",
        "admissions longer than 5 days",
        "admissions per doctor per patient",
        "average treatment cost",
        "treatment cost per admission",
        "readmissions in 2024",
        "most expensive ward",
        "cheapest ward by treatment cost",
        "best wards by treatment cost",
        "wards with more than 10 admissions",
        "admissions at night",
        "admissions except emergency",
        "Wie viele Ärzte haben wir?",
        "Aufnahmen ohne Notfälle",
        "Aufnahmen über 5 Tage",
        "Behandlungskosten je Aufnahme",
        "durchschnittliche Behandlungskosten",
        "Aufnahmen außer Köln",
        "Stationen mit mehr als 10 Aufnahmen",
        "Combien de médecins avons-nous ?",
        "Hospitalisations sans urgences",
        "Coût moyen des soins",
        "Hospitalisations de plus de 5 jours",
        "Services ayant moins de 10 hospitalisations",
        "admissions in Köln or Bonn",
        "admissions in Köln and Bonn",
    ]);
}
