-- Dates whose delimiters are not the standard ones.
create table d (id int primary key auto_increment, a date, b datetime, ts timestamp null);
insert into d (b) values ('2024.02.03 04.05.06'), ('2024-02-03 04.05.06'), ('2024/02/03 04:05:06'), ('2024-02-03T04:05:06'), ('2024-02-03  04:05:06'), ('2024-2-3'), ('20240203'), ('2024-02-03 04:05:06.5'), (' 2024-02-03'), ('2024--02-03'), ('2024-02-03 04::05:06');
show warnings;
insert into d (a) values ('2024.02.03'), ('2024-02-03@'), ('2024_02_03');
show warnings;
insert into d (ts) values ('2024.02.03 04.05.06');
show warnings;
-- text
select cast('2024.02.03' as date), date('2024/02/03'), concat(year('2024^02^03')), '2024.02.03' + interval 1 day, datediff('2024.1.1', '2024/1/1');
show warnings;
-- text
select date'2024.02.03', timestamp'2024-02-03 04:05:06.5';
show warnings;
-- text
select timestamp'2024-02-03 04.05.06';
show warnings;
-- text
select count(*) from d where b = '2024.02.03';
-- text
select count(*) from d where b in ('2024.02.03', '2024-02-04');
show warnings;
update d set a = '2024.02.04' where id < 3;
show warnings;
select id, a, b, ts from d order by id;
