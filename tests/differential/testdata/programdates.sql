-- What expressions within stored programs are made of: intervals, arithmetic, functions with words in their arguments.
create table log (id int primary key auto_increment, d date, n decimal(10,2));
delimiter //
create procedure dates(in d date, in n int) begin declare e datetime; select date_add(d, interval 1 day) as a, date_sub(d, interval n month) as b, d + interval n day as c, timestampadd(hour, n, d) as f; set e = date_sub(last_day(d), interval 1 year); select e as e, extract(year from e) as y, timestampdiff(day, e, d) as t; insert into log (d, n) values (date_add(d, interval n week), n / 3); end//
create procedure words(in t varchar(30)) begin select trim(leading 'x' from t) as a, substring(t from 2 for 2) as b, position('y' in t) as c, cast(t as char(2)) as f, convert(t using utf8mb4) as g, group_concat(t separator '-') as h, count(*) as n; select case t when 'xxyz' then 1 else 2 end as k, t in ('a', 'xxyz') as i, not t <=> 'b' as l, if(t like 'xx%', 'yes', 'no') as o; end//
create trigger stamp before insert on log for each row begin declare k int default 2; while k > 0 do set new.n = new.n + k / 2, k = k - 1; end while; set new.d = new.d + interval 1 day; end//
create function later(d date, n int) returns date deterministic return date_add(d, interval n day)//
delimiter ;
-- differs: TIMESTAMPADD with hours has six digits, and no note of digits cut
call dates('2024-01-31', 1);
-- differs: TIMESTAMPADD with hours has six digits
call dates('2023-12-15', 3);
call words('xxyz');
select id, d, n from log order by id;
select later('2024-02-28', 1) as a, later(null, 1) as b;
create table rounded (v int, w decimal(5,1), twice int as (v * 2) stored, text varchar(20) as (concat(w, '!')) stored);
insert into rounded (v, w) values (3.5, 1.25), ('4', '2.06'), (-0.5, 7);
select * from rounded;
create trigger r before insert on rounded for each row set new.v = new.v + 1;
insert into rounded (v, w) values (1.5, 1.25);
replace into rounded (v, w) select v + 0.5, w from rounded;
select * from rounded order by v, w;
create trigger u before update on rounded for each row set new.v = new.v + 1, new.w = new.w / 3;
update rounded set v = v + 0.5 where v > 3;
select * from rounded order by v, w;
create table needs (a int not null, b varchar(5) not null, c int as (a + 1) stored, k int primary key auto_increment);
create trigger n before insert on needs for each row begin if new.a is null then set new.a = 7; end if; set new.b = concat(new.b, length(new.b)); end;
insert into needs (a, b) values (null, 'x'), ('12', 'yy');
insert into needs (b) values ('abcde');
insert into needs (a, b) values (1, null);
select * from needs;
-- An aggregate of a subquery is its own, in a program as elsewhere.
create table own (a int, b int);
insert into own values (5, 1), (9, 3);
delimiter //
create procedure aggregates() begin declare m int; select max(a), (select max(a) from own where b < 2) + 0 as m from own; set m = (select min(a) from own having min(a) < (select avg(a) from own where b > 1)); select m; end//
delimiter ;
call aggregates();
