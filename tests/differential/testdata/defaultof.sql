-- DEFAULT(c), and DEFAULT where it may stand.
create table t(a int default 5, b varchar(10) not null, c datetime default current_timestamp, e enum('x','y') default 'y', f int as (a+1), s set('a','b') default 'a,b', d decimal(5,2) default 1.5, g int default (1+1), n int, u enum('k','l') not null, ai int auto_increment primary key, ts timestamp not null default current_timestamp on update current_timestamp, tm time default '10:00', dt date default '2020-01-02', j json, tx text, bi bit(3) default b'101', fl float default 1.25);
set sql_mode = '';
insert into t(b) values('q');
set sql_mode = default;
select default(a), default(t.a), default(t.a) + 0 from t;
select default(x.t.a) from t;
select default(b) from t;
select default(c) from t;
select concat(default(e)), concat(default(s)), default(d), default(n), default(tm), default(dt), concat(default(tx)), hex(default(bi)), default(fl) from t;
select default(f) from t;
select default(g) from t;
select default(u) from t;
select default(ai)+0 from t;
select default(ts)+0 from t;
select default(zz) from t;
select default(x.a) from t x;
-- differs: columns of derived tables have no default
select default(a) from (select * from t) q;
select default(a)+1 from t where default(a)=5 order by default(a);
select (select default(t.a) + 0 from dual) from t;
select default(a), count(*) from t group by default(a);
select default(a) from t, t t2;
insert into t(a,b,u) values(default(a), 'z', 'k'),(default(d)+1,'zz', 'k');
insert into t(a,b) values(default(b), 'z');
insert into t(b,a) values('k', default(zz));
insert into t set b='y', u='k', a=default(a)+3;
update t set a = default(a)+10 where default(a)=5 and b='q';
update t set n = default(a);
update t set b = default(b);
insert into t(ai,b,u) values(1,'dup','k') on duplicate key update a=default(a), b=concat(default(a),'x');
select ai, a, b, n from t;
delete from t where a = default(a)+1;
set @a = default(a);
delimiter //
create procedure p() begin declare x int default (3); declare y int default 4; select x, y, default(a) from t limit 1; update t set a=default(a)+x limit 1; end//
delimiter ;
call p();
select a from t order by ai limit 1;
create table v(c int default (2+1), a2 int default 5, d varchar(3) default('x'));
insert into v values(default, default(a2)+1, default);
select * from v;
alter table v alter column c set default (9);
insert into v values();
insert into v (a2, c) select default(a), default(t.a)+1 from t limit 1;
select * from v;
-- params: [2]
select default(a)+? from t limit 1;
select a from t where exists(select 1 from v where v.a2=default(t.a)) order by ai;
