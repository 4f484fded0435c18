-- A document that is a condition is compared with the number 0; IF and CASE make a double of it.
create table jt (i int, j json);
insert into jt values (1,'{"k":true}'),(2,'{"k":false}'),(3,'{"k":null}'),(4,'{"k":0}'),(5,'{"k":0.0}'),(6,'{"k":1}'),(7,'{"k":"0"}'),(8,'{"k":""}'),(9,'{}'),(10,'{"k":[]}'),(11,'{"k":{}}'),(12,'{"k":-0.0}'),(13,'{"k":1e-5}');
-- text
select i from jt where j->'$.k';
-- text
select i from jt where not j->'$.k';
-- text
select i from jt where j->'$.k' is true;
-- text
select i from jt where j->'$.k' is false;
-- text
select i from jt where j->'$.k' is not true;
-- text
select i from jt where j->'$.k' is not false;
select i from jt where j->'$.k' is unknown;
-- text
select i from jt where j->'$.k' and i > 3;
-- text
select i from jt where j->'$.k' or i < 3;
-- text
select i, !(j->'$.k'), j->'$.k' xor 1, j->'$.k' && 1 from jt;
select i from jt having max(i) or i;
-- text
select i, j->'$.k' as x from jt having x;
-- text
select a.i from jt a join jt b on a.i=b.i and b.j->'$.k';
-- text
select a.i, b.i from jt a left join jt b on a.i=b.i and b.j->'$.k';
-- text
select i from jt where json_extract(j,'$.k');
-- text
select i from jt where cast(i as json);
-- text
select cast(0 as json) is true, cast('false' as json) is true, cast('null' as json) is true, cast('"ab"' as json) is false, cast('0.0' as json) is true;
-- text
select not cast(0 as json), not cast('false' as json), cast(0 as json) or 0, cast('"a"' as json) and 1;
-- text
select sum(j->'$.k' is true) from jt;
update jt set i=i+100 where j->'$.k';
select group_concat(i) from jt;
delete from jt where j->'$.k' is false;
-- text
select i from jt where json_value(j,'$.k' returning json);
-- text
select i from jt where j;
-- text
select i from jt where (select j->'$.k' from jt b where b.i=jt.i);
select ifnull(cast('0' as json),1), nullif(cast('0' as json),0);
