-- Parts of dates without a month or a day.
select month('2024-00-10'), cast(year('2024-00-10') as signed) y, day('2024-01-00'), dayofmonth('2024-00-00'), quarter('2024-00-10'), month('0000-00-00');
select month('2024-13-01'), day('2024-02-30'), cast(year('2024-02-30') as signed) y, cast(year('2024-00-10 10:11:12') as signed) y, month('24-0-10'), day('2024-00-10x'), month('x');
select month(20240010), cast(year(20240010) as signed) y, day(20240100), quarter(20240000), month(0), day(240010);
create table p (id int primary key, c varchar(30), n int);
insert into p values (1, '2024-00-10', 20240010), (2, '2024-05-00', 20240500), (3, '2024-05-06', 20240506), (4, 'x', 1), (5, null, null), (6, '2024-11-31', 20241131);
select id, cast(year(c) as signed) y, quarter(c), month(c), day(c) from p order by id;
select id, cast(year(n) as signed) y, quarter(n), month(n), day(n) from p order by id;
select id from p where month(c) = 0 order by id;
select month(c) m, count(*) from p where id < 4 group by m order by m;
set @n = 0;
select month(concat(@n := @n + 1, '-00-00')), @n;
