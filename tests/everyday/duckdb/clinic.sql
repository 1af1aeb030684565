CREATE TABLE patient (id INTEGER PRIMARY KEY, name VARCHAR, born DATE, chart VARCHAR);
CREATE TABLE appointment (id INTEGER PRIMARY KEY, patient_id INTEGER REFERENCES patient (id), day DATE, starts TIMESTAMP,
    arrived TIMESTAMP WITH TIME ZONE, symptoms_since VARCHAR);
COMMENT ON COLUMN patient.chart IS 'Number of the paper file: its series, a dash, its place';
COMMENT ON COLUMN appointment.symptoms_since IS 'As the patient says it: a day, a month, a year, or in words';
INSERT INTO patient VALUES
    (1, 'Ada', '1985-03-14', '2023-0001'),
    (2, 'Bert', '1992-11-03', '2023-03-7'),
    (3, 'Cleo', '2001-03-30', '2022-0117'),
    (4, 'Dan', '1978-06-13', '2024-0105'),
    (5, 'Eve', '1969-12-24', '2023-9903'),
    (6, 'Fay', NULL, '2022-0301');
INSERT INTO appointment VALUES
    (1, 1, '2022-12-31', '2022-12-31 08:30:00', '2022-12-31 08:21:00+00', '2022'),
    (2, 2, '2023-01-01', '2023-01-01 09:00:00', '2023-01-01 08:58:00+00', '2022-12-24'),
    (3, 3, '2023-03-05', '2023-03-05 08:30:00', '2023-03-05 08:40:00+00', '2023-03'),
    (4, 1, '2023-03-31', '2023-03-31 23:45:00', '2023-03-31 23:50:00+00', '2023-03-29'),
    (5, 4, '2023-04-03', '2023-04-03 10:15:00', NULL, 'since March 2023'),
    (6, 5, '2023-12-31', '2023-12-31 23:30:00', '2023-12-31 23:10:00+00', '2023'),
    (7, 2, '2024-01-01', '2024-01-01 00:00:00', '2024-01-01 00:00:00+00', NULL),
    (8, 3, '2024-02-29', '2024-02-29 08:30:00', '2024-02-29 08:29:00+00', '2024-02-03'),
    (9, 4, '2024-03-03', '2024-03-03 11:00:00', NULL, '2024-03-01'),
    (10, 6, NULL, NULL, NULL, '2023-11'),
    (11, 5, '2024-11-13', '2024-11-13 14:00:00', '2024-11-13 13:59:00+00', 'last week');
