-- credits of a student: each course once
SELECT s.name, SUM(c.credits) FROM students s JOIN enrolments e ON e.student_id = s.id JOIN courses c ON c.id = e.course_id GROUP BY s.id, s.name;

-- students of a teacher, each once
SELECT t.name, COUNT(DISTINCT e.student_id) FROM teachers t JOIN courses c ON c.teacher_id = t.id JOIN enrolments e ON e.course_id = c.id
GROUP BY t.id, t.name;

-- enrolments of a house
SELECT s.house, COUNT(*) FROM students s JOIN enrolments e ON e.student_id = s.id GROUP BY s.house;

-- who is in no club
SELECT COUNT(*) FROM students WHERE id NOT IN (SELECT student_id FROM memberships);

-- courses with their teachers or without
SELECT c.title, t.name FROM courses c LEFT JOIN teachers t ON t.id = c.teacher_id ORDER BY c.title;

-- the average mark of a course: each enrolment once
SELECT c.title, AVG(e.mark) FROM courses c JOIN enrolments e ON e.course_id = c.id GROUP BY c.id, c.title HAVING COUNT(*) > 3;

-- students of a teacher, each listed once
SELECT DISTINCT s.name FROM students s JOIN enrolments e ON e.student_id = s.id JOIN courses c ON c.id = e.course_id WHERE c.teacher_id = 1;

-- each enrolment with its student
SELECT s.name, e.mark FROM students s JOIN enrolments e ON e.student_id = s.id;

-- the student of each of the best marks
SELECT s.name FROM students s JOIN enrolments e ON e.student_id = s.id ORDER BY e.mark DESC, e.course_id;

-- houses of students with a tutor: one row per student
SELECT s.house FROM students s JOIN teachers t ON t.id = s.tutor_id;

-- students who take a course
SELECT name FROM students WHERE id IN (SELECT student_id FROM enrolments);
