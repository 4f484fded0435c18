-- ON DUPLICATE KEY UPDATE reads columns of the new row that the statement does not list: VALUES(column)
-- is their default, and an alias of the row does not have them.
create table o (id int primary key, a int, b int default 7, c int);
create table s (id int, a int, z int);
insert into s values (1, 1, 9), (1, 2, 8), (2, 5, null);
insert into o (id, a) select id, a from s on duplicate key update b = values(b) + 1, c = values(c);
select * from o;
insert into o (id, a) select id, a from s on duplicate key update c = values(b) + values(a), b = z;
select * from o;
insert into o (id, a) values (1, 5) on duplicate key update c = values(b);
insert into o (id, a) values (1, 5) as n on duplicate key update b = n.b;
insert into o (id, a) values (1, 5) as n on duplicate key update b = n.a + o.b;
insert into o (id, a) values (1, 5) as n on duplicate key update b = (select max(z) + n.c from s);
insert into o (id, a) values (1, 5) as n (x, y) on duplicate key update b = n.y;
insert into o values (1, 5, 6, 7) as n on duplicate key update b = n.b, c = n.c;
select * from o;
insert into o (id, a) values (1, 5) on duplicate key update b = (select max(b) from o);
insert into o (id, a) select id, a from s on duplicate key update b = (select max(b) from o) + 1;
select id, a, c from o;
