-- Triggers whose bodies are empty.
create table t (id int primary key, a int);
delimiter //
create trigger bi before insert on t for each row begin end//
create trigger ai after insert on t for each row begin end//
create trigger bu before update on t for each row begin end//
create trigger au after update on t for each row begin begin end; end//
create trigger bd before delete on t for each row begin end//
create trigger ad after delete on t for each row begin end//
delimiter ;
insert into t values (1, 1), (2, 2);
update t set a = 3 where id = 2;
delete from t where id = 1;
replace into t values (2, 4);
insert into t values (2, 5) on duplicate key update a = 6;
select * from t;
