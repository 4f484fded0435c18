create external table t (a int) file_format = (format csv header on) files = (uri = 'x')
create table t (a int) file_format 1
create table t (a int) file_format = 1
create table t (a int) file_format = (1)
create table t (a int) file_format = (format 1)
create table t (a int) file_format = (format csv 1)
create table t (a int) file_format = (format csv header 1)
create table t (a int) file_format = (format csv header on 1)
create table t (a int) files 1
create table t (a int) files = 1
create table t (a int) files = (1)
create table t (a int) files = (uri 1)
create table t (a int) files = (uri = 'x' 1)
create table t (a int) files = (uri = 'x', 1)
create table t (a int) files = (file_name = 'x' 1)
create table t (a int) verify_key_constraints 1
create table t (a int) auto_refresh 1
create table t (a int) auto_refresh_source 1
create table t (a int) strict_load 1
create table t (a int) allow_missing_files 1
create table t (a int) external_format 1
create table t (a int external_format 1)
create table t (a int external_format 'x')
create external table t (a int)
create external table if not exists t (a int) engine = lakehouse
create external t (a int)
create table t (a int) file_pattern = 'x'
create table t (a int) header = on
create table t (a int) uri = 'x'
create table t (a int) url = 'x'
create table t (a int) file_format = (fields terminated by ',') 
create table t (a int) file_format = (format avro)
create table t (a int) file_format = (format json lines terminated by 'x')
create table t (a int) file_format = (character set utf8mb4)
create table t (a int) file_format = (ignore 1 lines)
create table t (a int) file_format = (header off)
create table t (a int) file_format = (columns terminated by 'x' lines starting by 'y')
create table t (a int) file_format = (compression = 'x')
create table t (a int) file_format = ()
create table t (a int) files = (url 'x')
create table t (a int) files = (s3 'x')
create table t (a int) files = (url = 'x' file_pattern = 'y')
create table t (a int) files = (url = 'x' pattern 'y')
create table t (a int) files = (url = 'x' is_strict_mode = 1)
create table t (a int) files = (url = 'x' strict_load = on)
create table t (a int) files = (url = 'x' allow_missing_files = true)
create table t (a int) files = (bucket = 'x')
create table t (a int) files = (uri = 'x' file_prefix = 'y' file_name = 'z')
create table t (a int) files = (uri 'x'), engine = innodb
create table t (a int) file_format = (format foo)
create table t (a int) file_format = (format 'csv')
create table t (a int) file_format = (format = csv)
create table t (a int) file_format = (format csv format json)
create table t (a int) file_format = (format csv, header on)
create table t (a int) file_format = (header = on)
create table t (a int) file_format = (header on header off)
create table t (a int) file_format = (header 1)
create table t (a int) file_format = (header on format csv)
create table t (a int) file_format = (compression 'zip')
create table t (a int) file_format = (compression zip)
create table t (a int) file_format = (format csv compression 'zip' header on)
create table t (a int) file_format = (format csv character set utf8mb4 compression 'zip' header on fields terminated by ',' lines terminated by 'x' ignore 1 lines)
create table t (a int) file_format = (format csv header on character set utf8mb4)
create table t (a int) file_format = (format csv header on fields terminated by ',' ignore 1 rows)
create table t (a int) file_format = (ignore 1 lines header on)
create table t (a int) file_format = (lines terminated by 'x' fields terminated by ',')
create table t (a int) file_format = (fields terminated by ',' date format 'x')
create table t (a int) file_format = (rows identified by 'x')
create table t (a int) file_format = (charset utf8mb4)
create table t (a int) file_format (format csv)
create table t (a int) file_format := (format csv)
create table t (a int) file_format = (ignore 1)
create table t (a int) file_format = (compression = zip)
create table t (a int) files (uri 'x')
create table t (a int) files = ()
create table t (a int) files = (file_name 'x')
create table t (a int) files = (file_pattern = 'x')
create table t (a int) files = (file_prefix 'x')
create table t (a int) files = (uri = 'x' strict_load = 1)
create table t (a int) files = (uri = 'x' strict_load = default)
create table t (a int) files = (uri = 'x' strict_load = 2)
create table t (a int) files = (uri = 'x' allow_missing_files 0)
create table t (a int) files = (uri = 'x' auto_refresh 1)
create table t (a int) files = (uri = 'x' auto_refresh_source 'x')
create table t (a int) files = (strict_load 1 uri 'x')
create table t (a int) files = (uri 'x' uri 'y')
create table t (a int) files = (uri 'x', uri 'y' strict_load 1)
create table t (a int) files = (uri 'x') files = (uri 'y')
create table t (a int) strict_load default
create table t (a int) strict_load = 2
create table t (a int) strict_load 'x'
create table t (a int) auto_refresh default
create table t (a int) auto_refresh 2
create table t (a int) auto_refresh_source 'x'
create table t (a int) auto_refresh_source = none
create table t (a int) auto_refresh_source = null
create table t (a int) auto_refresh_source = default
create table t (a int) verify_key_constraints default
create table t (a int) verify_key_constraints = on
create table t (a int) allow_missing_files = default
alter table t file_format = (format csv)
alter table t strict_load = 1
create table t (a int) files = (uri = N'x')
create table t (a int) files = (uri = 'x' 'y')
load data infile 'x' into table t fields terminated by ',' date format 'x'
load data infile 'x' into table t fields date format 'x'
select 1 into outfile 'x' fields date format 'x'
create table t (a int) file_format = (fields date format 'x')
create table t (a int) file_format = (fields time format 'x')
create table t (a int) file_format = (fields null as 'x')
create table t (a int) file_format = (fields null 'x')
create table t (a int) file_format = (fields empty 'x')
create table t (a int) file_format = (fields date format 'x' terminated by ',')
create table t (a int) file_format = (fields date format 'x' date format 'x')
create table t (a int) file_format = (fields date 'x')
create table t (a int) file_format = (fields date format = 'x')
create table t (a int) file_format = (fields date format x)
create table t (a int) file_format = (fields not enclosed)
create table t (a int) file_format = (fields not enclosed by 'x')
create table t (a int) file_format = (fields foo)
create table t (a int) file_format = (fields datetime format 'x')
create table t (a int) file_format = (fields timestamp format 'x')
create table t (a int) file_format = (fields empty)
create table t (a int) file_format = (fields empty value 'x')
create table t (a int) file_format = (fields empty value as 'x')
create table t (a int) file_format = (fields empty as 'x')
create table t (a int) file_format = (fields empty value as null)
create table t (a int) file_format = (fields empty null)
create table t (a int) file_format = (fields empty default)
create table t (a int) file_format = (fields empty as null)
create table t (a int) file_format = (fields empty field as null)
create table t (a int) file_format = (fields empty values as null)
create table t (a int) file_format = (fields null as 'x' terminated by ',' not enclosed escaped by 'y')
create table t (a int) file_format = (fields null as 0x41)
create table t (a int) file_format = (fields date format 0x41)
create table t (a int) file_format = (fields trim spaces)
create table t (a int) file_format = (lines date format 'x')
create table t (a int) file_format = (fields year format 'x')
create table t (a int) file_format = (fields not optionally enclosed)
create table t (a int) auto_refresh_source = test.t
create table t (a int) auto_refresh_source = a@b
