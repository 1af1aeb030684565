-- step other-key: flights that leave from Spain, not those that arrive there
SELECT COUNT(*) FROM flights f JOIN airports a ON a.code = f.origin WHERE a.country = 'Spain';

-- rows-multiplied: seats of a flight count once per ticket
SELECT l.name, SUM(f.seats) FROM airlines l JOIN flights f ON f.airline_id = l.id JOIN tickets t ON t.flight_id = f.id GROUP BY l.id, l.name;

-- rows-multiplied: fares count once per member of the crew
SELECT f.origin, SUM(t.fare) FROM flights f JOIN tickets t ON t.flight_id = f.id JOIN crew c ON c.flight_id = f.id GROUP BY f.origin;

-- rows-multiplied: average delay weighed by tickets
SELECT AVG(f.delay) FROM flights f JOIN tickets t ON t.flight_id = f.id WHERE t.class = 'business';

-- left-join-counted: the airline without flights gets one
SELECT l.name, COUNT(*) AS flights FROM airlines l LEFT JOIN flights f ON f.airline_id = l.id GROUP BY l.id, l.name;

-- last-day: all but midnight of 29 February is missing
SELECT COUNT(*) FROM flights WHERE departed >= '2024-02-01' AND departed <= '2024-02-29';

-- text-number: gate '9' is the last by text
SELECT MAX(gate) FROM flights;

-- keeps-none: classes are written in lower case
SELECT SUM(fare) FROM tickets WHERE class = 'Business';

-- nothing-joined: an airline's number is no airport
SELECT a.city, COUNT(*) FROM airlines l JOIN airports a ON a.city = l.name GROUP BY a.city;
