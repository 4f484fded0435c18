load data infile 'x' into table t
load data from infile 'x' into table t
load data local infile 'x' replace into table t partition (p0) character set utf8mb4 fields terminated by ',' lines terminated by 'x' ignore 1 lines (a, @b) set c = 1
load data from s3 'x' count 2 in primary key order into table t columns terminated by ',' ignore 1 rows parallel = 4 memory = 1M algorithm = bulk
load data infile 'x' into table t compression_algorithm = 'zstd'
load data infile 'x' into table t compression = 'zstd' parallel = 4
load data infile 'x' into table t parallel = 4 compression = 'zstd'
load data url 'x' into table t algorithm=bulk
load data from url 'x' count 3 into table t compression='zstd'
load data infile 'x' in primary key order count 2 into table t
load data infile 'x' into table t format = 'csv'
load data low_priority local infile 'x' ignore into table t
load data concurrent infile 'x' into table t ()
load xml infile 'x' into table t rows identified by '<row>' ignore 1 rows
load xml local infile 'x' into table t fields terminated by ','
load data infile 'x' into table t set a = default, b := 1
load data infile 'x' into table t memory = 1
load data infile 'x' into table t memory 512K
load data infile 'x' into table t parallel 2
load data infile 'x' into table t algorithm bulk
load data infile 'x' into table t (a, a.b)
load data infile 'x' into table t memory = 512K
load data infile 'x' into table t memory = 5x
load data infile 'x' into table t memory = 1.5
load data infile 'x' into table t memory = 0x10
