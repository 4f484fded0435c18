set sql_mode='';
create table m (ti tinyint, tu tinyint unsigned, si smallint, mi mediumint, i int, iu int unsigned, bi bigint, bu bigint unsigned, nn int not null, f float, d double, dc decimal(10,2), dw decimal(30,10),
 c char(6), v varchar(20), x varchar(200) not null, t text, vb varbinary(10), bl blob, da date, dt datetime, dt3 datetime(3), ts timestamp null, tm time, y year, e enum('a','bcd'), st set('x','yz'), b bit(8), j json);
insert into m values (1,2,3,4,5,6,7,8,9,1.5,2.5,3.25,4.125,'ch','va','xx','text','vb','bl','2024-01-02','2024-01-02 03:04:05','2024-01-02 03:04:05.678','2024-01-02 03:04:05','10:11:12',2024,'a','x',b'101','[1]');
insert into m values (-3,200,-300,4,-5,6,-7,8,-9,-1.25,1e10,-3.25,4.125,'','Ärger','x''y','long text','\\x',NULL,'1999-12-31','2000-02-29 23:59:59','2001-01-01 00:00:00.999','2010-06-15 12:00:00','-01:02:03',1999,'bcd','x,yz',b'1','{}');
insert into m values (NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,'',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
insert into m values (1,1,1,1,2,2,2,2,1,2.5,0.1,0.50,12345678901234567890.1234567890,'12','12',' 7 ','3.5','a','b','2024-02-29','2024-02-29 10:00:00','2024-02-29 10:00:00.5','2024-02-29 10:00:00','100:00:00',2000,'','',b'0','"s"');
set sql_mode=default;
