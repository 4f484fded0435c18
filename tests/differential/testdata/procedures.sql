-- Parameters and variables wherever an expression may stand.
create table t (id int primary key, x int, s varchar(10));
insert into t values (1,1,'a'),(2,2,'b'),(3,3,'c');
delimiter //
create procedure u(in v int) begin declare l int default 5; update t set x = v + l where id = 1; select * from t; end//
create procedure b(in v int) begin declare l int default 5; select id from t where id between l-3 and v; end//
create procedure o(in v int) begin declare l int default 1; select id, case when id = l then 'l' when id=v then 'v' else l end k, -v a, v is null b, not v c from t group by id having id >= l order by id=v desc; end//
create procedure j(in v int) begin declare l int default 1; select a.id, b.id from t a join t b on a.id = b.id + l where a.s like concat('%', v) or substring('abcdef', l, v) = 'abc'; end//
create procedure i(in v int) begin declare l int default 1; insert into t (id,x) values (v, l) on duplicate key update x = v + l; insert into t (id,x) select v+1, l on duplicate key update s = l; delete from t where id = (select max(id) from (select id from t where id > l) q) ; select * from t; end//
create procedure lo() begin declare i int default 0; declare z varchar(10); while i < 3 do set i = i + 1; update t set s = concat('n', i) where id = i; end while; select s into z from t where id = 2; select z, i; if z in ('N2') then select 'yes'; else select 'no'; end if; case z when 'N2' then select 'ci'; else select 'cs'; end case; end//
delimiter ;
call u(3);
call b(3);
call o(2);
call j(3);
call i(2);
call lo();

create table log (n int);
create procedure note(in p int) begin declare l int default 100; insert into log values (case when p > 1 then p + l else l end); insert into log select p from (select 1) d having p > 1; end;
create trigger noted after insert on t for each row call note(new.id);
insert into t (id) values (11), (1000), (12);
select * from log order by n;
