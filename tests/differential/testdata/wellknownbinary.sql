-- Functions of geometries name themselves as they are written when arguments are missing; well-known binary has an order of axes.
select St_AsGeoJSON();
select Abs();
select st_Distance(1);
select St_AsText();
select Concat();
select St_X();
select ST_aswkb(null,null), st_asbinary(null,null);
select st_aswkb(point(1,2),'axis-order=lat-long'), hex(st_aswkb(st_geomfromtext('point(1 2)',4326),'axis-order=long-lat')),hex(st_aswkb(st_geomfromtext('point(1 2)',4326)));
select st_aswkb(point(1,2),'axis'), 1;
select st_aswkb(point(1,2),1);
select st_asbinary(1);
select st_aswkb(x'00');
select st_aswkb(point(1,2),'');
