-- ALTER TABLE of partitions.
create table t (a int, b int) partition by range(a) (partition p0 values less than (10), partition p1 values less than (20));
insert into t values (5,1),(25,2);
insert into t values (30,1);
insert into t values (null,7);
-- sorted
select * from t partition (p0);
-- sorted
select * from t partition (p9);
insert into t partition (p0) values (15,1);
update t set a=35;
update t partition (p0) set a=15;
alter table t drop partition p9;
alter table t drop partition p0,p1;
alter table t add partition (partition p1 values less than (40));
alter table t add partition (partition p2 values less than (15));
alter table t add partition (partition p2 values less than (30));
alter table t add partition partitions 2;
alter table t coalesce partition 1;
alter table t truncate partition p7;
alter table t truncate partition p0;
-- sorted
select * from t;
alter table t reorganize partition p1 into (partition p1a values less than (15), partition p1b values less than (25));
alter table t reorganize partition p1,p2 into (partition p1a values less than (15), partition p1b values less than (30));
alter table t reorganize partition p0,p1b into (partition p7 values less than (15));
alter table t reorganize partition;
alter table t analyze partition p0;
alter table t check partition all;
alter table t optimize partition p0;
alter table t rebuild partition all;
alter table t repair partition p0;
alter table t add primary key (b);
alter table t remove partitioning;
alter table t remove partitioning;
alter table t drop partition p0;
alter table t partition by hash(a) partitions 3;
alter table t coalesce partition 3;
alter table t coalesce partition 1;
alter table t add partition partitions 3;
alter table t drop partition p0;
alter table t add partition (partition foo);
show create table t;
alter table t drop column a;
alter table t change a aa int;
create table x (a int, b int);
insert into x values (3,3);
alter table t exchange partition p0 with table x;
alter table t exchange partition p9 with table x;
alter table t exchange partition p1 with table x without validation;
create table y (a int);
alter table t exchange partition p0 with table y;
alter table x exchange partition p0 with table t;
alter table t exchange partition p0 with table t;
-- sorted
select * from t partition(p0,p1);
-- sorted
select * from x;
