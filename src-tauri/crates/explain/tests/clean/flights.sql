-- from where to where
SELECT o.country, d.country, COUNT(*) FROM flights f JOIN airports o ON o.code = f.origin JOIN airports d ON d.code = f.destination
GROUP BY o.country, d.country;

-- what a flight brought in
SELECT f.id, SUM(t.fare) AS fares FROM flights f JOIN tickets t ON t.flight_id = f.id GROUP BY f.id ORDER BY fares DESC LIMIT 5;

-- seats and tickets, each added up by itself
SELECT (SELECT COUNT(*) FROM tickets) * 1.0 / (SELECT SUM(seats) FROM flights) AS load;

-- the longest delay of a flight with a member of the crew
SELECT c.member, MAX(f.delay) FROM crew c JOIN flights f ON f.id = c.flight_id GROUP BY c.member;

-- hours of a member
SELECT member, SUM(hours) FROM crew GROUP BY member HAVING SUM(hours) > 20;

-- airlines without a flight
SELECT name FROM airlines l WHERE NOT EXISTS (SELECT * FROM flights f WHERE f.airline_id = l.id);

-- the average of what each flight brought in
SELECT AVG(total) FROM (SELECT flight_id, SUM(fare) AS total FROM tickets GROUP BY flight_id) AS each;

-- seats of flights that a member was on: each flight once for each member
SELECT c.member, SUM(f.seats) FROM crew c JOIN flights f ON f.id = c.flight_id GROUP BY c.member;
