-- Geometries written as text, and their envelopes.
select st_astext(point(1e308,-1e308)), st_astext(point(0.000001,-0.0)), st_astext(point(1e20,1e15)), st_astext(point(123456.789e-10,1/3));
select st_astext(st_geomfromtext('MULTIPOINT(1 2,3 4)')), st_aswkt(st_geomfromtext('GEOMETRYCOLLECTION(POINT(1 2),GEOMETRYCOLLECTION(),MULTIPOLYGON(((0 0,1 0,1 1,0 0))),MULTILINESTRING((0 0,1 1),(2 2,3 3)),POLYGON((0 0,1 0,1 1,0 0)),LINESTRING(1 1,2 2))'));
select st_astext(st_geomfromtext('POINT(10 20)',4326)), st_astext(st_geomfromtext('POINT(10 20)',4326),'axis-order=long-lat'), st_astext(point(1,2),'axis-order=lat-long'), st_astext(st_geomfromtext('POINT(10 20)',4326),'axis-order=srid-defined');
select st_astext(point(1,2),'bad');
select st_astext(null), st_astext(point(1,2),null);
select st_astext(st_envelope(st_geomfromtext('LINESTRING(0 0,-0.00 0)'))), st_astext(st_envelope(st_geomfromtext('LINESTRING(0 0,5 0)'))), st_astext(st_envelope(st_geomfromtext('LINESTRING(5 0,0 0)'))), st_astext(st_envelope(st_geomfromtext('LINESTRING(5 7,0 0)'))), st_astext(st_envelope(st_geomfromtext('GEOMETRYCOLLECTION()'))), st_astext(st_envelope(st_geomfromtext('POINT(-0.0 1)')));
select st_astext(st_envelope(st_geomfromtext('POINT(0 1)',4326)));
select st_envelope(null);
