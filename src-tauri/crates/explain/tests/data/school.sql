-- A school: who takes which course, and is in which club.
CREATE TABLE teachers (id INTEGER PRIMARY KEY, name TEXT, subject TEXT, salary INTEGER);
CREATE TABLE courses (id INTEGER PRIMARY KEY, title TEXT, teacher_id INTEGER REFERENCES teachers(id), credits INTEGER, room TEXT);
CREATE TABLE students (id INTEGER PRIMARY KEY, name TEXT, house TEXT, born DATE, tutor_id INTEGER REFERENCES teachers(id));
CREATE TABLE enrolments (student_id INTEGER REFERENCES students(id), course_id INTEGER REFERENCES courses(id), mark INTEGER,
  PRIMARY KEY (student_id, course_id));
CREATE TABLE memberships (student_id INTEGER REFERENCES students(id), club TEXT, fee INTEGER, PRIMARY KEY (student_id, club));

INSERT INTO teachers SELECT i, 'Teacher ' || i, CASE i % 3 WHEN 0 THEN 'maths' WHEN 1 THEN 'art' ELSE 'music' END, 3000 + 50 * (i % 11)
FROM number WHERE i <= 25;
INSERT INTO courses SELECT i, 'Course ' || i, CASE WHEN i % 12 = 0 THEN NULL ELSE 1 + i % 20 END, 2 + i % 4, '' || (8 + i % 7) FROM number WHERE i <= 36;
INSERT INTO students SELECT i, 'Student ' || i, CASE i % 3 WHEN 0 THEN 'Red' WHEN 1 THEN 'Blue' ELSE 'Green' END,
  '200' || (5 + i % 4) || '-' || substr('0' || (1 + i % 12), -2) || '-03', CASE WHEN i % 4 = 0 THEN NULL ELSE 1 + i % 25 END
FROM number WHERE i <= 200;
INSERT INTO enrolments SELECT s.i, 1 + (s.i * 5 + c.i * 7) % 35, CASE WHEN s.i % 9 = 0 THEN NULL ELSE 40 + (s.i * c.i) % 60 END
FROM number s JOIN number c ON c.i <= 2 + s.i % 4 WHERE s.i <= 170;
INSERT INTO memberships SELECT s.i, 'Club ' || (1 + (s.i + c.i * 3) % 9), 10 + s.i % 5 FROM number s JOIN number c ON c.i <= s.i % 3 WHERE s.i <= 200;
