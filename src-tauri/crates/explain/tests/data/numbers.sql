-- Numbers from 1 to 100,000 that the rows of the other files are made from; taken away afterwards.
CREATE TABLE digit (d INTEGER);
INSERT INTO digit VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9);
CREATE TABLE number (i INTEGER);
INSERT INTO number SELECT 1 + a.d + 10 * b.d + 100 * c.d + 1000 * e.d + 10000 * f.d FROM digit a, digit b, digit c, digit e, digit f;
DROP TABLE digit;
