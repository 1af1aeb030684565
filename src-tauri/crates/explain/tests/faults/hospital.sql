-- rows-multiplied: each treatment's cost counts once per diagnosis of the stay
SELECT p.name, SUM(t.cost) AS cost FROM patients p JOIN stays s ON s.patient_id = p.id JOIN treatments t ON t.stay_id = s.id
JOIN diagnoses d ON d.stay_id = s.id GROUP BY p.id, p.name ORDER BY cost DESC LIMIT 10;

-- rows-multiplied: beds of a ward are added once per stay
SELECT SUM(w.beds) FROM wards w JOIN stays s ON s.ward_id = w.id WHERE s.admitted >= '2023-06-01';

-- rows-multiplied: average salary weighed by stays
SELECT AVG(d.salary) FROM doctors d JOIN stays s ON s.doctor_id = d.id;

-- left-join-undone: wards without an admission in March are to be shown with none
SELECT w.name, COUNT(s.id) FROM wards w LEFT JOIN stays s ON s.ward_id = w.id WHERE s.admitted BETWEEN '2023-03-01' AND '2023-03-31'
GROUP BY w.id, w.name;

-- left-join-counted: the ward without stays gets one
SELECT w.name, COUNT(*) FROM wards w LEFT JOIN stays s ON s.ward_id = w.id GROUP BY w.id, w.name ORDER BY 2;

-- not-in-empty: stays without a doctor make the list of idle doctors empty
SELECT COUNT(*) FROM doctors WHERE id NOT IN (SELECT doctor_id FROM stays WHERE ward_id = 3);

-- empty-keys: half of the stays have no doctor and are not counted
SELECT COUNT(*) FROM stays s JOIN doctors d ON d.id = s.doctor_id;

-- share-of-filter: all that is left is surgery
SELECT s.ward_id, SUM(CASE WHEN t.kind = 'surgery' THEN t.cost ELSE 0 END) * 1.0 / SUM(t.cost) FROM stays s
JOIN treatments t ON t.stay_id = s.id AND t.kind = 'surgery' GROUP BY s.ward_id;

-- beyond-data: stays are known for 2023 only
SELECT COUNT(*) / 5.0 AS per_year FROM stays WHERE admitted >= '2019-01-01' AND admitted <= '2023-12-31';

-- unknown-value: sex is stored as a letter
SELECT COUNT(CASE WHEN sex = 'Female' THEN 1 END) * 1.0 / COUNT(*) FROM patients;
