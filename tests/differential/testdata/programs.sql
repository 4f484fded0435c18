-- Stored programs as applications write them.
create table accounts (id int primary key, owner varchar(20), balance decimal(12,2) not null, check (balance >= 0));
create table audit (id int auto_increment primary key, what varchar(60), amount decimal(12,2), code int, state char(5));
create table jobs (id int primary key, state varchar(10), tries int default 0);
create table orders (id int auto_increment primary key, customer varchar(20) not null, total decimal(10,2), placed date);
create table items (order_id int, pos int, qty int, price decimal(10,2), primary key (order_id, pos));
insert into accounts values (1, 'ann', 100), (2, 'bob', 50), (3, 'cid', 0);
insert into jobs values (1, 'new', 0), (2, 'new', 2), (3, 'done', 1), (4, 'new', 3);
delimiter //
create procedure transfer(in a int, in b int, in amount decimal(12,2), out result varchar(20))
begin
  declare had decimal(12,2);
  declare exit handler for sqlexception
  begin
    get diagnostics condition 1 @code = mysql_errno, @state = returned_sqlstate;
    rollback;
    insert into audit (what, amount, code, state) values ('failed', amount, @code, @state);
    set result = 'failed';
  end;
  declare exit handler for not found begin rollback; set result = 'no account'; end;
  start transaction;
  select balance into had from accounts where id = a for update;
  update accounts set balance = balance - amount where id = a;
  update accounts set balance = balance + amount where id = b;
  if row_count() = 0 then
    signal sqlstate '45000' set message_text = 'nobody to give to', mysql_errno = 5555;
  end if;
  insert into audit (what, amount) values (concat(a, ' to ', b), amount);
  commit;
  set result = 'done';
end//
create procedure batch_delete(in size int, out deleted int, out rounds int)
begin
  declare n int default 1;
  set deleted = 0, rounds = 0;
  while n > 0 do
    delete from items where qty < 5 limit size;
    set n = row_count();
    set deleted = deleted + n, rounds = rounds + 1;
  end while;
end//
create procedure fill(in n int)
begin
  declare i int default 0;
  repeat
    insert into items values (i div 4 + 1, i mod 4, i mod 10, i * 1.25);
    set i = i + 1;
  until i >= n end repeat;
end//
create procedure retry(in fails int, out tried int)
begin
  declare done bool default false;
  set tried = 0;
  again: loop
    begin
      declare exit handler for 1213, 1205
      begin
        rollback;
        insert into audit (what) values ('again');
      end;
      set tried = tried + 1;
      start transaction;
      update jobs set tries = tries + 1 where id = 1;
      if tried <= fails then
        signal sqlstate '40001' set message_text = 'Deadlock found when trying to get lock; try restarting transaction', mysql_errno = 1213;
      end if;
      commit;
      set done = true;
    end;
    if done or tried >= 5 then leave again; end if;
  end loop again;
end//
create procedure walk()
begin
  declare finished int default false;
  declare j, n int;
  declare st varchar(10);
  declare c cursor for select id, state, tries from jobs order by id;
  declare continue handler for not found set finished = true;
  open c;
  read_loop: loop
    fetch c into j, st, n;
    if finished then leave read_loop; end if;
    case st
      when 'new' then
        if n >= 3 then update jobs set state = 'dead' where id = j;
        else update jobs set state = 'run', tries = n + 1 where id = j; end if;
      else insert into audit (what) values (concat('left ', j));
    end case;
  end loop;
  close c;
  select * from jobs order by id;
end//
create procedure nested_cursors()
begin
  declare o, l, p, found int default 0;
  declare total decimal(12,2) default 0;
  declare done bool default false;
  declare c1 cursor for select distinct order_id from items order by 1;
  declare continue handler for not found set done = true;
  open c1;
  outer_loop: loop
    fetch c1 into o;
    if done then leave outer_loop; end if;
    begin
      declare inner_done bool default false;
      declare q int;
      declare pr decimal(10,2);
      declare c2 cursor for select qty, price from items where order_id = o;
      declare continue handler for not found set inner_done = true;
      open c2;
      inner_loop: loop
        fetch c2 into q, pr;
        if inner_done then leave inner_loop; end if;
        set total = total + q * pr, found = found + 1;
      end loop;
      close c2;
    end;
  end loop;
  close c1;
  select o, found, total;
end//
create procedure dyn(in tbl varchar(64), in lim int, out n bigint)
begin
  set @q = concat('select count(*) into @dyn_n from ', tbl, ' where id <= ?');
  prepare st from @q;
  set @lim = lim;
  execute st using @lim;
  deallocate prepare st;
  set n = @dyn_n;
end//
create procedure dyn_safe(in tbl varchar(64))
begin
  declare exit handler for 1146 select concat('no table ', tbl) as r;
  set @q = concat('select count(*) as c from ', tbl);
  prepare st from @q;
  execute st;
  deallocate prepare st;
end//
create procedure validate(in c varchar(20), in total decimal(10,2))
begin
  declare bad_total condition for sqlstate '45010';
  if c is null or c = '' then signal sqlstate '45011' set message_text = 'customer missing'; end if;
  if total < 0 then
    set @text = concat('bad total ', total);
    signal bad_total set message_text = @text, table_name = 'orders', column_name = 'total', mysql_errno = 4510;
  end if;
  insert into orders (customer, total, placed) values (c, total, '2024-05-06');
end//
create procedure place(in c varchar(20), in total decimal(10,2), out outcome varchar(100))
begin
  declare exit handler for sqlstate '45010', sqlstate '45011'
  begin
    get stacked diagnostics condition 1 @m = message_text, @t = table_name, @k = column_name, @e = mysql_errno;
    set outcome = concat(@m, '/', @t, '/', @k, '/', @e);
  end;
  call validate(c, total);
  set outcome = concat('placed ', last_insert_id());
end//
create procedure two_results(in p int) begin select p as first; select p * 2 as second, 'x' as s; update jobs set tries = p where id = 3; end//
create procedure logs_and_rethrows()
begin
  declare exit handler for sqlexception
  begin
    get diagnostics @n = number;
    get diagnostics condition 1 @e = mysql_errno, @m = message_text;
    insert into audit (what, code) values (left(@m, 60), @e);
    resignal;
  end;
  insert into accounts values (1, 'again', 1);
end//
create procedure partial()
begin
  declare n int default 0;
  declare continue handler for 1062 set n = n + 1;
  insert into jobs (id, state) values (10, 'a');
  insert into jobs (id, state) values (11, 'b'), (10, 'dup'), (12, 'c');
  insert into jobs (id, state) values (12, 'd');
  select n, (select count(*) from jobs where id >= 10) as rows_there;
end//
create procedure in_transaction()
begin
  declare continue handler for sqlexception begin end;
  start transaction;
  insert into jobs (id, state) values (20, 'a');
  savepoint s1;
  insert into jobs (id, state) values (21, 'b');
  insert into jobs (id, state) values (20, 'dup');
  rollback to s1;
  insert into jobs (id, state) values (22, 'c');
  commit;
  select id from jobs where id >= 20 order by id;
end//
create procedure numbers(in n int) begin declare i int default 1; create temporary table if not exists seq (i int primary key); delete from seq; while i <= n do insert into seq values (i); set i = i + 1; end while; select count(*), sum(i) from seq; drop temporary table seq; end//
create procedure upsert(in k int, in s varchar(10)) begin declare continue handler for 1062 update jobs set state = s where id = k; insert into jobs (id, state) values (k, s); select state from jobs where id = k; end//
create procedure warned() begin declare w int default 0; declare continue handler for sqlwarning set w = w + 1; set @old = @@sql_mode; set sql_mode = ''; insert into jobs (id, state) values (30, 'far too long a state'); set sql_mode = @old; select w, (select state from jobs where id = 30) as s; end//
create procedure diag() begin declare exit handler for sqlexception begin get diagnostics @n = number, @rc = row_count; get diagnostics condition @n @a = returned_sqlstate, @b = mysql_errno, @c = message_text; select @n, @rc, @a, @b, @c; end; update nothere set a = 1; end//
create function fact(n int) returns bigint deterministic begin declare r bigint default 1; while n > 1 do set r = r * n; set n = n - 1; end while; return r; end//
create function grade(p int) returns varchar(10) deterministic begin case when p >= 90 then return 'A'; when p >= 80 then return 'B'; else begin if p < 0 then signal sqlstate '45000' set message_text = 'negative points'; end if; return 'C'; end; end case; end//
create function balance_of(k int) returns decimal(12,2) reads sql data begin declare b decimal(12,2); declare exit handler for not found return -1; select balance into b from accounts where id = k; return b; end//
create function safe_div(a int, b int) returns int deterministic begin declare continue handler for sqlexception return null; if b = 0 then signal sqlstate '22012'; end if; return a div b; end//
create function sum_lines(o int) returns decimal(12,2) reads sql data begin declare done bool default false; declare q int; declare p, s decimal(12,2) default 0; declare c cursor for select qty, price from items where order_id = o; declare continue handler for not found set done = true; open c; l: loop fetch c into q, p; if done then leave l; end if; set s = s + q * p; end loop; close c; return s; end//
create function gcd(a int, b int) returns int deterministic begin declare t int; while b <> 0 do set t = b, b = a mod b, a = t; end while; return a; end//
create function noreturn(a int) returns int deterministic begin if a > 0 then return a; end if; end//
delimiter ;
call transfer(1, 2, 30, @r);
select @r;
call transfer(1, 2, 3000, @r);
select @r, @code, @state;
call transfer(9, 2, 1, @r);
select @r;
call transfer(1, 9, 1, @r);
select @r, @code, @state;
select id, balance from accounts order by id;
select what, amount, code, state from audit order by id;
call fill(40);
select count(*), sum(qty), sum(price) from items;
call batch_delete(7, @d, @n);
select @d, @n, (select count(*) from items) as rest;
call retry(0, @t);
select @t;
call retry(2, @t);
select @t;
call retry(9, @t);
select @t, tries from jobs where id = 1;
select count(*) from audit where what = 'again';
call walk();
call nested_cursors();
call dyn('jobs', 3, @n);
select @n;
call dyn_safe('jobs');
call dyn_safe('nothere');
call place('ann', 12.5, @o);
select @o;
call place('ann', -1, @o);
select @o;
call place('', 1, @o);
select @o;
select * from orders;
call validate('x', -2);
call two_results(4);
call logs_and_rethrows();
select what, code from audit order by id desc limit 1;
call partial();
call in_transaction();
call numbers(5);
call upsert(1, 'one');
call upsert(40, 'forty');
call warned();
call diag();
select fact(0), fact(5), fact(20);
select grade(95), grade(80), grade(1);
select grade(-1);
select balance_of(1), balance_of(77);
select safe_div(7, 2), safe_div(1, 0);
select sum_lines(2), sum_lines(10), sum_lines(99);
select gcd(48, 36), gcd(17, 5);
select noreturn(1);
select noreturn(0);
create table src (id int primary key, v int, note varchar(30));
create table dst (id int primary key, v int, kind varchar(10));
create table hist (n int auto_increment primary key, what varchar(60));
delimiter //
create trigger src_bi before insert on src for each row begin
  if new.v is null then set new.v = 0; end if;
  if new.v < 0 then signal sqlstate '45000' set message_text = 'v must not be negative'; end if;
  set new.note = concat(ifnull(new.note, ''), '#', new.v);
end//
create trigger src_ai after insert on src for each row begin
  insert into dst values (new.id, new.v, 'ins');
  insert into hist (what) values (concat('ins ', new.id, ' ', new.note));
end//
create trigger src_bu before update on src for each row begin
  declare msg varchar(60);
  if new.v < old.v then
    set msg = concat('shrinks from ', old.v, ' to ', new.v);
    signal sqlstate '45001' set message_text = msg;
  end if;
end//
create trigger src_au after update on src for each row begin
  declare i int default old.v;
  while i < new.v and i < old.v + 3 do
    insert into hist (what) values (concat('step ', i));
    set i = i + 1;
  end while;
end//
create trigger src_ad after delete on src for each row begin
  declare continue handler for sqlexception insert into hist (what) values ('handled');
  delete from dst where id = old.id;
  insert into dst values (1, 1, 'dup');
  insert into dst values (1, 1, 'dup');
  insert into hist (what) values (concat('del ', old.id));
end//
delimiter ;
insert into src (id, v) values (1, 5), (2, null);
insert into src (id, v, note) values (3, 7, 'n');
insert into src (id, v) values (4, 1), (5, -1);
update src set v = 9 where id = 1;
update src set v = 1 where id = 1;
delete from src where id = 3;
delete from src where id = 1;
select * from src order by id;
select * from dst order by id;
select what from hist order by n;
