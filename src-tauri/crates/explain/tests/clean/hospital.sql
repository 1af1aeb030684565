-- costs of each patient
SELECT p.name, SUM(t.cost) AS cost FROM patients p JOIN stays s ON s.patient_id = p.id JOIN treatments t ON t.stay_id = s.id
GROUP BY p.id, p.name ORDER BY cost DESC LIMIT 10;

-- costs of stays with a diagnosis, each once
SELECT SUM(t.cost) FROM treatments t WHERE t.stay_id IN (SELECT stay_id FROM diagnoses WHERE code = 'D3');

-- average stay of a doctor's ward
SELECT w.name, AVG(d.salary) FROM wards w JOIN doctors d ON d.ward_id = w.id GROUP BY w.id, w.name;

-- wards with their stays, those without one too
SELECT w.name, COUNT(s.id) FROM wards w LEFT JOIN stays s ON s.ward_id = w.id GROUP BY w.id, w.name;

-- patients who are still there
SELECT COUNT(*) FROM stays WHERE discharged IS NULL;

-- patients who were never there
SELECT p.name FROM patients p LEFT JOIN stays s ON s.patient_id = p.id WHERE s.id IS NULL;

-- the share of surgery in what was spent
SELECT SUM(CASE WHEN kind = 'surgery' THEN cost ELSE 0 END) * 1.0 / SUM(cost) FROM treatments;

-- women among the patients
SELECT AVG(CASE WHEN sex = 'F' THEN 1.0 ELSE 0 END) FROM patients WHERE born >= '1950-01-01';

-- patients by decade of a whole life: nobody is to be older
SELECT COUNT(*) FROM patients WHERE born BETWEEN '1940-01-01' AND '1959-12-31';

-- doctors of stays
SELECT d.name, COUNT(*) FROM stays s JOIN doctors d ON d.id = s.doctor_id GROUP BY d.id, d.name ORDER BY 2 DESC LIMIT 3;

-- everybody born before the war ended: nobody known is older than 1940
SELECT COUNT(*) FROM patients WHERE born BETWEEN '1900-01-01' AND '1945-05-08';
