alter table t
alter ignore table t add b int
alter tables t add b int
alter table a.t add b int first, add column c int after b, add column (d int, e int, key (e)), add (f int)
alter table t add column (d int) first
alter table t add column if not exists d int
alter table t add a.b int
alter table t add column constraint c check (a)
alter table t add column check (a)
alter table t change a b int first, change column a b bigint after c, modify a int, modify column a int not null first
alter table t modify t.a int
alter table t drop a, drop column b, drop primary key, drop key k, drop index i, drop foreign key f, drop check c, drop constraint c, drop a restrict, drop b cascade
alter table t drop column if exists a
alter table t drop foreign key
alter table t drop index primary
alter table t drop index `primary`
alter table t drop constraint primary
alter table t drop partition
alter table t drop partition p0, p1
alter table t drop partition p0, drop column b
alter table t add b int, drop partition p0
alter table t disable keys, enable keys
alter table t alter a set default 5, alter column a drop default, alter a set default (uuid()), alter column a set invisible, alter index i visible
alter table t alter key i invisible
alter table t alter column index i invisible
alter table t alter a set default now()
alter table t alter a set default 'x' 'y', alter a set default -5, alter a set default null
alter table t alter check c enforced, alter constraint d not enforced
alter table t rename u, rename to u, rename as u, rename = u, rename d.u
alter table t rename column a to b, rename index a to b, rename key a to b
alter table t rename column a as b
alter table t rename to
alter table t convert to character set utf8mb4, convert to charset default collate utf8mb4_bin
alter table t convert to character set = utf8mb4
alter table t convert to character set utf8mb4 collate = utf8mb4_bin
alter table t force, order by a, b desc, engine=innodb
alter table t force, order by a, t.b desc, b.t.c
alter table t order by a asc, add b int
alter table t order by a+1
alter table t order by 1
alter table t algorithm=instant, algorithm inplace, lock exclusive, lock=shared, without validation
alter table t add b int, algorithm=default
alter table t algorithm=copy engine=innodb
alter table t add b int algorithm=copy
alter table t lock=none, add b int, algorithm=copy, lock=shared
alter table t , add b int
alter table t add b int,
alter table t max_rows=4 add b int
alter table t comment 'x' comment 'y', engine innodb
alter table t default charset
alter table t data directory 'x', index directory='y', union (a,b)
alter table t discard tablespace
alter table t import tablespace
alter table t algorithm=copy, discard tablespace
alter table t discard tablespace, add b int
alter table t discard partition p0, p1 tablespace
alter table t import partition all tablespace
alter table t discard partition tablespace
alter table t add partition
alter table t add partition local (partition p0)
alter table t add partition no_write_to_binlog partitions 4
alter table t add partition partitions 1.5
alter table t add partition (partition p0 values in (1))
alter table t add partition (partition p0 values in (1)), algorithm=copy
alter table t rebuild partition all
alter table t optimize partition no_write_to_binlog p0
alter table t optimize partition local p0, p1 no_write_to_binlog
alter table t analyze partition all
alter table t check partition p0 for upgrade quick fast medium extended changed
alter table t repair partition local all quick extended use_frm
alter table t coalesce partition local 4
alter table t coalesce partition
alter table t truncate partition p0
alter table t reorganize partition
alter table t reorganize partition p0
alter table t reorganize partition p0, p1 into (partition p2)
alter table t reorganize partition into (partition p2)
alter table t reorganize partition local p0 into (partition p2 values less than (3))
alter table t exchange partition p0 with table u without validation
alter table t exchange partition p0, p1 with table u
alter table t exchange partition p0 with table d.u
alter table t remove partitioning
alter table t add b int remove partitioning
alter table t add b int, remove partitioning
alter table t add b int partition by hash (b) partitions 2
alter table t partition by hash(a)
alter table t partition by hash(a), add b int
alter table t algorithm=inplace partition by hash(a)
alter table t algorithm=inplace, partition by hash(a)
alter table t algorithm=inplace, drop partition p0
alter table t with validation partition by hash(a)
alter table t with validation, drop partition p0
alter table t secondary_load
alter table t secondary_unload
alter table t secondary_load guided
alter table t secondary_load guided on
alter table t secondary_load partition (p0, p1)
alter table t secondary_engine=null, secondary_engine rapid
alter table t add index i (a), add unique (a), add primary key (a), add constraint c check (a), add fulltext index f (a), add spatial (g), add foreign key (a) references x(a), add constraint c foreign key (a) references y(a)
alter table t add key using btree (a), add index i type btree (a), add check (a>1) not enforced
alter table t upgrade partitioning
alter table
alter table t foo
