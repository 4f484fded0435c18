-- Lengths and distances on the ellipsoid, and their units.
SELECT ST_Distance(ST_GeomFromText('POINT(0 0)', 4326), ST_GeomFromText('POINT(1 1)', 4326)), ST_Distance(ST_GeomFromText('POINT(40 -70)', 4326), ST_GeomFromText('POINT(50 10)', 4326));
SELECT ST_Distance(ST_GeomFromText('POINT(0 0)', 4326), ST_GeomFromText('POINT(0 180)', 4326)), ST_Distance(ST_GeomFromText('POINT(90 0)', 4326), ST_GeomFromText('POINT(-90 0)', 4326));
SELECT ST_Distance(ST_GeomFromText('POINT(3 3)', 4326), ST_GeomFromText('POINT(3.0000001 3.0000001)', 4326)), ST_Distance(ST_GeomFromText('POINT(10 0)', 4326), ST_GeomFromText('POINT(10.0000001 0)', 4326));
SELECT ST_Distance(ST_GeomFromText('POINT(5 179)', 4326), ST_GeomFromText('POINT(5 -179)', 4326)), ST_Distance(ST_GeomFromText('POINT(5 5)', 4326), ST_GeomFromText('POINT(5 5)', 4326));
SELECT ST_Distance(ST_GeomFromText('POINT(0 0)', 4807), ST_GeomFromText('POINT(50 50)', 4807)), ST_Distance(ST_GeomFromText('POINT(0 0)', 4326), ST_GeomFromText('POINT(1 1)', 4326), 'US survey mile');
SELECT ST_Distance(ST_GeomFromText('MULTIPOINT(0 0,10 10)', 4326), ST_GeomFromText('GEOMETRYCOLLECTION(POINT(50 50),MULTIPOINT(11 11))', 4326));
SELECT ST_Distance(ST_GeomFromText('GEOMETRYCOLLECTION()', 4326), ST_GeomFromText('LINESTRING(1 1,1 2)', 4326)), ST_Distance(NULL, ST_GeomFromText('POINT(1 1)', 4326));
SELECT ST_Distance(ST_GeomFromText('POINT(0 0)', 0), ST_GeomFromText('POINT(1 1)', 0), 'foot');
SELECT ST_Distance(ST_GeomFromText('POINT(0 0)', 2965), ST_GeomFromText('POINT(1 1)', 2965), 'metre'), ST_Distance(ST_GeomFromText('POINT(0 0)', 3857), ST_GeomFromText('POINT(1 1)', 3857), 'metre');
SELECT ST_Length(ST_GeomFromText('LINESTRING(10 0,20 0,20 30,-89 170,90 5,3 5,3 -170)', 4326)), ST_Length(ST_GeomFromText('MULTILINESTRING((0 0,1 1,2 5),(3 3,4 4))', 4326));
SELECT ST_Length(ST_GeomFromText('LINESTRING(0 0,1 1,2 5)', 4326), 'foot'), ST_Length(ST_GeomFromText('LINESTRING(0 0,1 1,2 5)', 3857), 'FOOT'), ST_Length(ST_GeomFromText('LINESTRING(0 0,1 1,2 5)', 2965), 'metre');
SELECT ST_Length(ST_GeomFromText('POINT(1 1)', 4326)), ST_Length(ST_GeomFromText('POINT(1 1)', 4326), 'furlong'), ST_Length(ST_GeomFromText('LINESTRING(1 1,1 1)', 4326), NULL);
SELECT ST_Length(ST_GeomFromText('LINESTRING(0 0,1 1)', 3857), 'furlong');
SELECT ST_Length(ST_GeomFromText('LINESTRING(0 0,1 1)', 0), 'furlong');
SELECT ST_Length(ST_GeomFromText('LINESTRING(0 0,1e300 1e300)', 3857), 'millimetre');
SELECT ST_HausdorffDistance(ST_GeomFromText('LINESTRING(0 0,1 1)', 3857), ST_GeomFromText('LINESTRING(0 0,3 1)', 3857), 'foot');
SELECT UNIT_NAME, UNIT_TYPE, CONVERSION_FACTOR, DESCRIPTION FROM information_schema.ST_UNITS_OF_MEASURE ORDER BY UNIT_NAME;
-- Other names of functions, and geometries that become documents.
SELECT ST_AsText(ST_GeomCollFromTxt('GEOMETRYCOLLECTION(GEOMETRYCOLLECTION())'));
SELECT ST_GeomCollFromTxt('x');
CREATE TABLE t (j JSON);
INSERT INTO t VALUES (ST_GeomFromText('POINT(1 1)'));
