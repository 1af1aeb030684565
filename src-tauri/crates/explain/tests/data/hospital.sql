-- A hospital: stays of patients, what was done and found in each.
CREATE TABLE wards (id INTEGER PRIMARY KEY, name TEXT, beds INTEGER);
CREATE TABLE doctors (id INTEGER PRIMARY KEY, name TEXT, ward_id INTEGER REFERENCES wards(id), salary INTEGER);
CREATE TABLE patients (id INTEGER PRIMARY KEY, name TEXT, sex TEXT, born DATE);
CREATE TABLE stays (id INTEGER PRIMARY KEY, patient_id INTEGER REFERENCES patients(id), ward_id INTEGER REFERENCES wards(id),
  admitted DATE, discharged DATE, doctor_id INTEGER REFERENCES doctors(id));
CREATE TABLE treatments (id INTEGER PRIMARY KEY, stay_id INTEGER REFERENCES stays(id), kind TEXT, cost INTEGER);
CREATE TABLE diagnoses (id INTEGER PRIMARY KEY, stay_id INTEGER REFERENCES stays(id), code TEXT, certain INTEGER);

INSERT INTO wards SELECT i, 'Ward ' || i, 10 + i FROM number WHERE i <= 7;
INSERT INTO doctors SELECT i, 'Doctor ' || i, 1 + i % 6, 5000 + 100 * (i % 17) FROM number WHERE i <= 40;
INSERT INTO patients SELECT i, 'Patient ' || i, CASE i % 2 WHEN 0 THEN 'F' ELSE 'M' END,
  '' || (1940 + i % 70) || '-' || substr('0' || (1 + i % 12), -2) || '-11' FROM number WHERE i <= 150;
-- In half of the stays no doctor is named.
INSERT INTO stays SELECT i, 1 + (i * 7) % 130, 1 + i % 6, '2023-' || substr('0' || (1 + i % 12), -2) || '-0' || (1 + i % 9),
  CASE WHEN i % 9 = 0 THEN NULL ELSE '2023-' || substr('0' || (1 + i % 12), -2) || '-' || (11 + i % 15) END,
  CASE WHEN i % 2 = 0 THEN NULL ELSE 1 + i % 40 END FROM number WHERE i <= 300;
INSERT INTO treatments SELECT i, 1 + (i * 11) % 280, CASE i % 4 WHEN 0 THEN 'surgery' WHEN 1 THEN 'scan' ELSE 'drug' END, 100 + i % 700
FROM number WHERE i <= 900;
INSERT INTO diagnoses SELECT i, 1 + (i * 3) % 290, 'D' || (i % 20), CASE WHEN i % 5 = 0 THEN 0 ELSE 1 END FROM number WHERE i <= 600;
