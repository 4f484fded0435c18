-- functions over geometries of the plane
create table g (id int primary key, a geometry not null srid 0, spatial key (a));
insert into g values (1, st_geomfromtext('POINT(1 1)')), (2, st_geomfromtext('POLYGON((0 0,4 0,4 4,0 4,0 0))')), (3, st_geomfromtext('POINT(9 9)')), (4, st_geomfromtext('LINESTRING(-1 2,5 2)'));
select id from g where st_within(a, st_geomfromtext('POLYGON((0 0,4 0,4 4,0 4,0 0))')) order by id;
select id from g where st_contains(st_geomfromtext('POLYGON((0 0,4 0,4 4,0 4,0 0))'), a) order by id;
select id from g where st_intersects(a, st_geomfromtext('POLYGON((0 0,4 0,4 4,0 4,0 0))')) order by id;
select id from g where st_crosses(a, st_geomfromtext('POLYGON((0 0,4 0,4 4,0 4,0 0))')) order by id;
select id from g where st_equals(a, st_geomfromtext('POINT(9 9)'));
select id from g where mbrwithin(a, st_geomfromtext('POLYGON((0 0,4 0,4 4,0 4,0 0))')) order by id;
select id from g where mbrcontains(st_geomfromtext('POLYGON((0 0,9 0,9 9,0 9,0 0))'), a) order by id;
-- differs: a column of a primary key stays one in a result that was joined
select x.id, y.id, st_disjoint(x.a, y.a), st_touches(x.a, y.a), st_overlaps(x.a, y.a), mbrdisjoint(x.a, y.a), mbroverlaps(x.a, y.a), st_distance(x.a, y.a) from g x, g y order by 1, 2;
select id, st_isvalid(a), st_issimple(a), st_length(a), st_astext(st_centroid(a)) from g order by id;
select st_isvalid(st_geomfromtext('POLYGON((0 0,4 4,4 0,0 4,0 0))')), st_astext(st_validate(st_geomfromtext('POLYGON((0 0,4 4,4 0,0 4,0 0))')));
select st_area(st_geomfromtext('POLYGON((0 0,4 0,4 4,0 4,0 0),(1 1,2 1,2 2,1 2,1 1))'));
select st_area(st_geomfromtext('POINT(0 0)'));
select st_astext(st_intersection(st_geomfromtext('LINESTRING(0 0,4 4)'), st_geomfromtext('LINESTRING(0 4,4 0)')));
select st_equals(st_union(st_geomfromtext('POLYGON((0 0,4 0,4 4,0 4,0 0))'), st_geomfromtext('POLYGON((2 2,6 2,6 6,2 6,2 2))')), st_geomfromtext('POLYGON((0 0,4 0,4 2,6 2,6 6,2 6,2 4,0 4,0 0))'));
select st_area(st_difference(st_geomfromtext('POLYGON((0 0,4 0,4 4,0 4,0 0))'), st_geomfromtext('POLYGON((2 2,6 2,6 6,2 6,2 2))')));
select st_astext(st_symdifference(st_geomfromtext('POINT(1 1)'), st_geomfromtext('POINT(1 1)')));
select st_contains(null, st_geomfromtext('POINT(0 0)')), st_distance(null, null);
select st_contains(st_geomfromtext('POINT(0 0)', 4326), st_geomfromtext('POINT(0 0)'));
select st_contains('abc', st_geomfromtext('POINT(0 0)'));
select st_union(st_geomfromtext('POINT(0 0)'), st_geomfromtext('POINT(1 0)', 4326));
select st_distance(point(0, 0), point(3, 4), 'metre');
select st_distance_sphere(point(0, 0), point(180, 0)), st_distance_sphere(point(0, 0), point(10, 20), 1000);
select st_distance_sphere(st_geomfromtext('MULTIPOINT(0 0,1 1)'), point(10, 20)) between 2328488.565 and 2328488.566;
select st_distance_sphere(st_geomfromtext('POINT(0 0)', 4326), st_geomfromtext('POINT(1 2)', 4326)) between 248629.657 and 248629.658;
select st_distance_sphere(point(0, 0), point(181, 1));
select st_distance_sphere(point(0, 0), point(1, 91));
select st_distance_sphere(point(0, 0), point(1, 9), 0);
select st_distance_sphere(point(0, 0), st_geomfromtext('LINESTRING(0 0,1 1)'));
select st_astext(st_makeenvelope(point(0, 0), point(3, 4))), st_astext(st_makeenvelope(point(0, 0), point(0, 0))), st_astext(st_makeenvelope(point(0, 0), point(0, 4)));
select st_makeenvelope(point(0, 0), st_geomfromtext('LINESTRING(0 0,1 1)'));
select mbrcontains(st_geomfromtext('POLYGON((0 0,0 10,10 10,10 0,0 0))', 4326), st_geomfromtext('POINT(5 5)', 4326));
-- differs: on the globe a straight line is another one
select st_contains(st_geomfromtext('POLYGON((0 0,0 10,10 10,10 0,0 0))', 4326), st_geomfromtext('POINT(5 5)', 4326));
select st_centroid(st_geomfromtext('POLYGON((0 0,0 1,1 1,0 0))', 4326));
-- a point that stands twice in a row
select st_issimple(st_geomfromtext('LINESTRING(0 0,-0.0 0)')), st_issimple(st_geomfromtext('LINESTRING(0 0,1 1,1 1)')), st_issimple(st_geomfromtext('LINESTRING(0 0,1 0,1 1,0 0)'));
select st_issimple(st_geomfromtext('MULTILINESTRING((0 0,0 0),(1 1,3 3))')), st_issimple(st_geomfromtext('MULTILINESTRING((0 0,0 1),(1 1,3 3))'));
select st_issimple(st_geomfromtext('POLYGON((0 0,0 0,0 5,5 5,0 0))')), st_issimple(st_geomfromtext('POLYGON((0 0,9 0,9 9,0 9,0 0),(1 1,2 1,2 1,2 2,1 1))'));
select st_issimple(st_geomfromtext('MULTIPOLYGON(((0 0,0 5,0 5,5 5,0 0)))')), st_issimple(st_geomfromtext('MULTIPOLYGON(((0 0,0 5,5 5,0 0)))'));
select st_issimple(st_geomfromtext('GEOMETRYCOLLECTION(POINT(7 7),LINESTRING(0 0,1 1,1 1))'));
select st_distance_sphere(point(-64, 67), st_geomfromtext('MULTIPOINT(-103 45,155 57,-166 85)')), st_distance_sphere(point(-157, -67), point(-92, -88));
select st_distance_sphere(st_geomfromtext('POINT(0 0)', 4326), st_geomfromtext('POINT(1 1)', 4326));
select st_distance_sphere(point(-50, -50), point(50, 50), 1.0e308);
