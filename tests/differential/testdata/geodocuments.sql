-- Geometries as parts of documents are GeoJSON with the name of their reference system.
select cast(st_geomfromtext('GEOMETRYCOLLECTION(POINT(1 2),LINESTRING(0 0,1e20 1.5))') as json), cast(st_geomfromtext('POLYGON((0 0,1 0,1 1,0 0))',3857) as json), cast(st_geomfromtext('MULTIPOINT(1 1,2 2)', 4326) as json), cast(st_geomfromtext('GEOMETRYCOLLECTION EMPTY') as json);
create table gj (j json);
insert into gj values (cast(point(1,2) as json)), (json_array(point(1,2)));
select * from gj;
create table gt (g geometry, p point srid 4326);
insert into gt values (point(1,2), st_geomfromtext('POINT(3 4)', 4326));
select cast(g as json), json_array(g, p), json_object('p', p), json_type(json_extract(cast(g as json), '$.coordinates[0]')) from gt;
select json_array_append('[]', '$', g), json_set('{}', '$.a', p) from gt;
select json_array_append('[]', '$', point(1,2)), json_set('{}', '$.a', point(1,2)), json_insert('{}', '$.b', st_geomfromtext('POINT(3 4)', 4326));
