-- rows-multiplied: fees of clubs count once per course
SELECT s.house, SUM(m.fee) FROM students s JOIN memberships m ON m.student_id = s.id JOIN enrolments e ON e.student_id = s.id GROUP BY s.house;

-- rows-multiplied: students are counted once per course
SELECT s.house, COUNT(s.id) FROM students s JOIN enrolments e ON e.student_id = s.id GROUP BY s.house;

-- rows-multiplied: a teacher's salary counts once per course
SELECT SUM(t.salary) FROM teachers t JOIN courses c ON c.teacher_id = t.id;

-- left-join-undone: students who are in no club are to be listed, too
SELECT s.name, m.club FROM students s LEFT JOIN memberships m ON m.student_id = s.id WHERE m.fee > 12;

-- not-in-empty: a student without a tutor makes the list of teachers without one empty
SELECT name FROM teachers WHERE id NOT IN (SELECT tutor_id FROM students);

-- left-join-counted: a student without a course is said to take one
SELECT s.house, s.name, COUNT(*) FROM students s LEFT JOIN enrolments e ON e.student_id = s.id GROUP BY s.id, s.house, s.name;

-- empty-keys: courses without a teacher are not in the total
SELECT SUM(c.credits) FROM courses c JOIN teachers t ON t.id = c.teacher_id;

-- text-number: room 10 comes before room 9
SELECT title FROM courses WHERE room >= '10' AND room <= '12';

-- rows-repeated: a student is listed once per course
SELECT s.name FROM students s JOIN enrolments e ON e.student_id = s.id JOIN courses c ON c.id = e.course_id WHERE c.credits > 0;

-- rows-repeated: a house is listed once per member of a club
SELECT s.house FROM students s JOIN memberships m ON m.student_id = s.id ORDER BY s.house;
