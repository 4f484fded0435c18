# The proper term is pseudo_replica_mode, but we use this compatibility alias
# to make the statement usable on server versions 8.0.24 and older.
/*!50530 SET @@SESSION.PSEUDO_SLAVE_MODE=1*/;
/*!50003 SET @OLD_COMPLETION_TYPE=@@COMPLETION_TYPE,COMPLETION_TYPE=0*/;
DELIMITER /*!*/;
# at 4
#261125 20:13:59 server id 3399  end_log_pos 127 CRC32 0x45808f90 	Start: binlog v 4, server v 9.7.4-2 created 261125 20:13:59 at startup
# Warning: this binlog is either in use or was not closed properly.
ROLLBACK/*!*/;
BINLOG '
h0EHaw9HDQAAewAAAH8AAAABAAQAOS43LjQtMgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
AAAAAAAAAAAAAAAAAACHQQdrEwANAAgAAAAABAAEAAAAYwAEGggAAAAAAAACAAAACgoKKioAEjQA
CigAAAGQj4BF
'/*!*/;
# at 127
#261125 20:13:59 server id 3399  end_log_pos 158 CRC32 0x8ad23915 	Previous-GTIDs
# [empty]
# at 158
#261125 20:13:59 server id 3399  end_log_pos 235 CRC32 0x069a2696 	GTID	last_committed=0	sequence_number=1	rbr_only=no	original_committed_timestamp=1795637639397021	immediate_commit_timestamp=1795637639397021	transaction_length=176
# original_commit_timestamp=1795637639397021 (2026-11-25 20:13:59.397021 UTC)
# immediate_commit_timestamp=1795637639397021 (2026-11-25 20:13:59.397021 UTC)
/*!80001 SET @@session.original_commit_timestamp=1795637639397021*//*!*/;
/*!80014 SET @@session.original_server_version=90704*//*!*/;
/*!80014 SET @@session.immediate_server_version=90704*//*!*/;
SET @@SESSION.GTID_NEXT= 'c973a638-e909-11f1-92b1-02fc00000001:1'/*!*/;
# at 235
#261125 20:13:59 server id 3399  end_log_pos 334 CRC32 0x1fc04451 	Query	thread_id=238	exec_time=0	error_code=0	Xid = 1416
SET TIMESTAMP=1795637639/*!*/;
SET @@session.pseudo_thread_id=238/*!*/;
SET @@session.foreign_key_checks=1, @@session.sql_auto_is_null=0, @@session.unique_checks=1, @@session.autocommit=1/*!*/;
SET @@session.sql_mode=1168113696/*!*/;
SET @@session.auto_increment_increment=1, @@session.auto_increment_offset=1/*!*/;
/*!\C utf8mb3 *//*!*/;
SET @@session.character_set_client=33,@@session.collation_connection=33,@@session.collation_server=255/*!*/;
SET @@session.lc_time_names=0/*!*/;
SET @@session.collation_database=DEFAULT/*!*/;
/*!80011 SET @@session.default_collation_for_utf8mb4=255*//*!*/;
/*!80016 SET @@session.default_table_encryption=0*//*!*/;
CREATE DATABASE d
/*!*/;
# at 334
#261125 20:13:59 server id 3399  end_log_pos 413 CRC32 0x4a9c8135 	GTID	last_committed=1	sequence_number=2	rbr_only=no	original_committed_timestamp=1795637639410436	immediate_commit_timestamp=1795637639410436	transaction_length=324
# original_commit_timestamp=1795637639410436 (2026-11-25 20:13:59.410436 UTC)
# immediate_commit_timestamp=1795637639410436 (2026-11-25 20:13:59.410436 UTC)
/*!80001 SET @@session.original_commit_timestamp=1795637639410436*//*!*/;
/*!80014 SET @@session.original_server_version=90704*//*!*/;
/*!80014 SET @@session.immediate_server_version=90704*//*!*/;
SET @@SESSION.GTID_NEXT= 'c973a638-e909-11f1-92b1-02fc00000001:2'/*!*/;
# at 413
#261125 20:13:59 server id 3399  end_log_pos 658 CRC32 0xd16de2f0 	Query	thread_id=238	exec_time=0	error_code=0	Xid = 1419
use `d`/*!*/;
SET TIMESTAMP=1795637639/*!*/;
SET @@session.explicit_defaults_for_timestamp=1/*!*/;
/*!80013 SET @@session.sql_require_primary_key=0*//*!*/;
CREATE TABLE c (id INT PRIMARY KEY AUTO_INCREMENT, e ENUM('a','b'), b BLOB, g GEOMETRY, bt BIT(5), n DECIMAL(10,2), ts TIMESTAMP(6) NULL, y YEAR, s SET('x','y'))
/*!*/;
# at 658
#261125 20:13:59 server id 3399  end_log_pos 737 CRC32 0x9ca38eb0 	GTID	last_committed=2	sequence_number=3	rbr_only=yes	original_committed_timestamp=1795637639413152	immediate_commit_timestamp=1795637639413152	transaction_length=351
/*!50718 SET TRANSACTION ISOLATION LEVEL READ COMMITTED*//*!*/;
# original_commit_timestamp=1795637639413152 (2026-11-25 20:13:59.413152 UTC)
# immediate_commit_timestamp=1795637639413152 (2026-11-25 20:13:59.413152 UTC)
/*!80001 SET @@session.original_commit_timestamp=1795637639413152*//*!*/;
/*!80014 SET @@session.original_server_version=90704*//*!*/;
/*!80014 SET @@session.immediate_server_version=90704*//*!*/;
SET @@SESSION.GTID_NEXT= 'c973a638-e909-11f1-92b1-02fc00000001:3'/*!*/;
# at 737
#261125 20:13:59 server id 3399  end_log_pos 817 CRC32 0x697ef747 	Query	thread_id=238	exec_time=0	error_code=0
SET TIMESTAMP=1795637639/*!*/;
SET @@session.time_zone='+03:00'/*!*/;
BEGIN
/*!*/;
# at 817
#261125 20:13:59 server id 3399  end_log_pos 887 CRC32 0x0f97c44f 	Table_map: `d`.`c` mapped to number 264
# has_generated_invisible_primary_key=0
# at 887
#261125 20:13:59 server id 3399  end_log_pos 978 CRC32 0x6ad252e8 	Write_rows: table id 264 flags: STMT_END_F USE_SQL_FOREIGN_KEY_F

BINLOG '
h0EHaxNHDQAARgAAAHcDAAAAAAgBAAAAAAEAAWQAAWMACQP+/P8Q9hEN/gv3AQIEBQAKAgb4Af4B
AQEgAgE/BwEAT8SXDw==
h0EHax5HDQAAWwAAANIDAAAAAAgBAAAAABEAAgAJ//8AAAEAAAABAgAA/xkAAAAAAAAAAQEAAAAA
AAAAAADwPwAAAAAAAABABYAAAAEZXjdxwgHiQHgD6FLSag==
'/*!*/;
# at 978
#261125 20:13:59 server id 3399  end_log_pos 1009 CRC32 0xe4206b40 	Xid = 1421
COMMIT/*!*/;
# at 1009
#261125 20:13:59 server id 3399  end_log_pos 1088 CRC32 0x340eeae5 	GTID	last_committed=3	sequence_number=4	rbr_only=yes	original_committed_timestamp=1795637639415054	immediate_commit_timestamp=1795637639415054	transaction_length=522
/*!50718 SET TRANSACTION ISOLATION LEVEL READ COMMITTED*//*!*/;
# original_commit_timestamp=1795637639415054 (2026-11-25 20:13:59.415054 UTC)
# immediate_commit_timestamp=1795637639415054 (2026-11-25 20:13:59.415054 UTC)
/*!80001 SET @@session.original_commit_timestamp=1795637639415054*//*!*/;
/*!80014 SET @@session.original_server_version=90704*//*!*/;
/*!80014 SET @@session.immediate_server_version=90704*//*!*/;
SET @@SESSION.GTID_NEXT= 'c973a638-e909-11f1-92b1-02fc00000001:4'/*!*/;
# at 1088
#261125 20:13:59 server id 3399  end_log_pos 1169 CRC32 0x47d527b9 	Query	thread_id=238	exec_time=0	error_code=0
SET TIMESTAMP=1795637639/*!*/;
BEGIN
/*!*/;
# at 1169
#261125 20:13:59 server id 3399  end_log_pos 1239 CRC32 0xcb31f762 	Table_map: `d`.`c` mapped to number 264
# has_generated_invisible_primary_key=0
# at 1239
#261125 20:13:59 server id 3399  end_log_pos 1387 CRC32 0xb9bc8175 	Update_rows: table id 264 flags: STMT_END_F USE_SQL_FOREIGN_KEY_F

BINLOG '
h0EHaxNHDQAARgAAANcEAAAAAAgBAAAAAAEAAWQAAWMACQP+/P8Q9hEN/gv3AQIEBQAKAgb4Af4B
AQEgAgE/BwEAYvcxyw==
h0EHax9HDQAAlAAAAGsFAAAAAAgBAAAAABEAAgAJ/////wAAAQAAAAECAAD/GQAAAAAAAAABAQAA
AAAAAAAAAPA/AAAAAAAAAEAFgAAAARleN3HCAeJAeAMAAAEAAAACAgAA/xkAAAAAAAAAAQEAAAAA
AAAAAADwPwAAAAAAAABABYAAAAEZXjdxwgHiQHgDdYG8uQ==
'/*!*/;
# at 1387
#261125 20:13:59 server id 3399  end_log_pos 1457 CRC32 0xc81fee52 	Table_map: `d`.`c` mapped to number 264
# has_generated_invisible_primary_key=0
# at 1457
#261125 20:13:59 server id 3399  end_log_pos 1500 CRC32 0x428e7eab 	Write_rows: table id 264 flags: STMT_END_F USE_SQL_FOREIGN_KEY_F

BINLOG '
h0EHaxNHDQAARgAAALEFAAAAAAgBAAAAAAEAAWQAAWMACQP+/P8Q9hEN/gv3AQIEBQAKAgb4Af4B
AQEgAgE/BwEAUu4fyA==
h0EHax5HDQAAKwAAANwFAAAAAAgBAAAAABEAAgAJ///8AQIAAAABq36OQg==
'/*!*/;
# at 1500
#261125 20:13:59 server id 3399  end_log_pos 1531 CRC32 0xd4d7697b 	Xid = 1423
COMMIT/*!*/;
# at 1531
#261125 20:13:59 server id 3399  end_log_pos 1608 CRC32 0xde329c68 	GTID	last_committed=4	sequence_number=5	rbr_only=no	original_committed_timestamp=1795637639422349	immediate_commit_timestamp=1795637639422349	transaction_length=227
# original_commit_timestamp=1795637639422349 (2026-11-25 20:13:59.422349 UTC)
# immediate_commit_timestamp=1795637639422349 (2026-11-25 20:13:59.422349 UTC)
/*!80001 SET @@session.original_commit_timestamp=1795637639422349*//*!*/;
/*!80014 SET @@session.original_server_version=90704*//*!*/;
/*!80014 SET @@session.immediate_server_version=90704*//*!*/;
SET @@SESSION.GTID_NEXT= 'c973a638-e909-11f1-92b1-02fc00000001:5'/*!*/;
# at 1608
#261125 20:13:59 server id 3399  end_log_pos 1758 CRC32 0x1f8b7009 	Query	thread_id=238	exec_time=0	error_code=0	Xid = 1426
SET TIMESTAMP=1795637639/*!*/;
/*!80013 SET @@session.sql_require_primary_key=0*//*!*/;
CREATE TABLE nopk (a INT, b VARCHAR(10), f FLOAT, dd DOUBLE, j JSON)
/*!*/;
# at 1758
#261125 20:13:59 server id 3399  end_log_pos 1837 CRC32 0x7528847d 	GTID	last_committed=5	sequence_number=6	rbr_only=yes	original_committed_timestamp=1795637639424729	immediate_commit_timestamp=1795637639424729	transaction_length=401
/*!50718 SET TRANSACTION ISOLATION LEVEL READ COMMITTED*//*!*/;
# original_commit_timestamp=1795637639424729 (2026-11-25 20:13:59.424729 UTC)
# immediate_commit_timestamp=1795637639424729 (2026-11-25 20:13:59.424729 UTC)
/*!80001 SET @@session.original_commit_timestamp=1795637639424729*//*!*/;
/*!80014 SET @@session.original_server_version=90704*//*!*/;
/*!80014 SET @@session.immediate_server_version=90704*//*!*/;
SET @@SESSION.GTID_NEXT= 'c973a638-e909-11f1-92b1-02fc00000001:6'/*!*/;
# at 1837
#261125 20:13:59 server id 3399  end_log_pos 1909 CRC32 0x0f3d4c08 	Query	thread_id=238	exec_time=0	error_code=0
SET TIMESTAMP=1795637639/*!*/;
BEGIN
/*!*/;
# at 1909
#261125 20:13:59 server id 3399  end_log_pos 1970 CRC32 0xa0042ca0 	Table_map: `d`.`nopk` mapped to number 266
# has_generated_invisible_primary_key=0
# at 1970
#261125 20:13:59 server id 3399  end_log_pos 2128 CRC32 0x64914646 	Write_rows: table id 266 flags: STMT_END_F USE_SQL_FOREIGN_KEY_F

BINLOG '
h0EHaxNHDQAAPQAAALIHAAAAAAoBAAAAAAEAAWQABG5vcGsABQMPBAX1BSgABAgEHwEBAAID/P8A
oCwEoA==
h0EHax5HDQAAngAAAFAIAAAAAAoBAAAAABEAAgAF/wABAAAAAWEAAMA/AAAAAAAABEAkAAAAAAEA
IwALAAEAAgwAYQMAFwAFAQALDQAMFQAAAAAAAAAEQAF4AAEAAAABYQAAwD8AAAAAAAAEQCQAAAAA
AQAjAAsAAQACDABhAwAXAAUBAAsNAAwVAAAAAAAAAARAAXgeAgAAAEZGkWQ=
'/*!*/;
# at 2128
#261125 20:13:59 server id 3399  end_log_pos 2159 CRC32 0x448271f4 	Xid = 1427
COMMIT/*!*/;
# at 2159
#261125 20:13:59 server id 3399  end_log_pos 2238 CRC32 0xa88072b1 	GTID	last_committed=6	sequence_number=7	rbr_only=yes	original_committed_timestamp=1795637639426149	immediate_commit_timestamp=1795637639426149	transaction_length=407
/*!50718 SET TRANSACTION ISOLATION LEVEL READ COMMITTED*//*!*/;
# original_commit_timestamp=1795637639426149 (2026-11-25 20:13:59.426149 UTC)
# immediate_commit_timestamp=1795637639426149 (2026-11-25 20:13:59.426149 UTC)
/*!80001 SET @@session.original_commit_timestamp=1795637639426149*//*!*/;
/*!80014 SET @@session.original_server_version=90704*//*!*/;
/*!80014 SET @@session.immediate_server_version=90704*//*!*/;
SET @@SESSION.GTID_NEXT= 'c973a638-e909-11f1-92b1-02fc00000001:7'/*!*/;
# at 2238
#261125 20:13:59 server id 3399  end_log_pos 2319 CRC32 0xe63765d6 	Query	thread_id=238	exec_time=0	error_code=0
SET TIMESTAMP=1795637639/*!*/;
BEGIN
/*!*/;
# at 2319
#261125 20:13:59 server id 3399  end_log_pos 2380 CRC32 0x040021ca 	Table_map: `d`.`nopk` mapped to number 266
# has_generated_invisible_primary_key=0
# at 2380
#261125 20:13:59 server id 3399  end_log_pos 2535 CRC32 0xe7a7c472 	Update_rows: table id 266 flags: STMT_END_F USE_SQL_FOREIGN_KEY_F

BINLOG '
h0EHaxNHDQAAPQAAAEwJAAAAAAoBAAAAAAEAAWQABG5vcGsABQMPBAX1BSgABAgEHwEBAAID/P8A
yiEABA==
h0EHax9HDQAAmwAAAOcJAAAAAAoBAAAAABEAAgAF//8AAQAAAAFhAADAPwAAAAAAAARAJAAAAAAB
ACMACwABAAIMAGEDABcABQEACw0ADBUAAAAAAAAABEABeAABAAAAAnp6AADAPwAAAAAAAARAJAAA
AAABACMACwABAAIMAGEDABcABQEACw0ADBUAAAAAAAAABEABeHLEp+c=
'/*!*/;
# at 2535
#261125 20:13:59 server id 3399  end_log_pos 2566 CRC32 0x0c90bdcf 	Xid = 1428
COMMIT/*!*/;
# at 2566
#261125 20:13:59 server id 3399  end_log_pos 2645 CRC32 0x7052693e 	GTID	last_committed=7	sequence_number=8	rbr_only=yes	original_committed_timestamp=1795637639426984	immediate_commit_timestamp=1795637639426984	transaction_length=283
/*!50718 SET TRANSACTION ISOLATION LEVEL READ COMMITTED*//*!*/;
# original_commit_timestamp=1795637639426984 (2026-11-25 20:13:59.426984 UTC)
# immediate_commit_timestamp=1795637639426984 (2026-11-25 20:13:59.426984 UTC)
/*!80001 SET @@session.original_commit_timestamp=1795637639426984*//*!*/;
/*!80014 SET @@session.original_server_version=90704*//*!*/;
/*!80014 SET @@session.immediate_server_version=90704*//*!*/;
SET @@SESSION.GTID_NEXT= 'c973a638-e909-11f1-92b1-02fc00000001:8'/*!*/;
# at 2645
#261125 20:13:59 server id 3399  end_log_pos 2717 CRC32 0xb81cda07 	Query	thread_id=238	exec_time=0	error_code=0
SET TIMESTAMP=1795637639/*!*/;
BEGIN
/*!*/;
# at 2717
#261125 20:13:59 server id 3399  end_log_pos 2778 CRC32 0x30e55f35 	Table_map: `d`.`nopk` mapped to number 266
# has_generated_invisible_primary_key=0
# at 2778
#261125 20:13:59 server id 3399  end_log_pos 2818 CRC32 0xee3ad01d 	Delete_rows: table id 266 flags: STMT_END_F USE_SQL_FOREIGN_KEY_F

BINLOG '
h0EHaxNHDQAAPQAAANoKAAAAAAoBAAAAAAEAAWQABG5vcGsABQMPBAX1BSgABAgEHwEBAAID/P8A
NV/lMA==
h0EHayBHDQAAKAAAAAILAAAAAAoBAAAAABEAAgAF/x4CAAAAHdA67g==
'/*!*/;
# at 2818
#261125 20:13:59 server id 3399  end_log_pos 2849 CRC32 0xb505b6cc 	Xid = 1429
COMMIT/*!*/;
# at 2849
#261125 20:13:59 server id 3399  end_log_pos 2926 CRC32 0x6a88fcd8 	GTID	last_committed=8	sequence_number=9	rbr_only=no	original_committed_timestamp=1795637639435589	immediate_commit_timestamp=1795637639435589	transaction_length=230
# original_commit_timestamp=1795637639435589 (2026-11-25 20:13:59.435589 UTC)
# immediate_commit_timestamp=1795637639435589 (2026-11-25 20:13:59.435589 UTC)
/*!80001 SET @@session.original_commit_timestamp=1795637639435589*//*!*/;
/*!80014 SET @@session.original_server_version=90704*//*!*/;
/*!80014 SET @@session.immediate_server_version=90704*//*!*/;
SET @@SESSION.GTID_NEXT= 'c973a638-e909-11f1-92b1-02fc00000001:9'/*!*/;
# at 2926
#261125 20:13:59 server id 3399  end_log_pos 3079 CRC32 0x65c30b48 	Query	thread_id=238	exec_time=0	error_code=0	Xid = 1430
SET TIMESTAMP=1795637639/*!*/;
/*!80013 SET @@session.sql_require_primary_key=0*//*!*/;
CREATE TABLE gen (a INT, b INT AS (a*2) STORED, v INT AS (a+1) VIRTUAL)
/*!*/;
# at 3079
#261125 20:13:59 server id 3399  end_log_pos 3158 CRC32 0x33963047 	GTID	last_committed=9	sequence_number=10	rbr_only=yes	original_committed_timestamp=1795637639437645	immediate_commit_timestamp=1795637639437645	transaction_length=291
/*!50718 SET TRANSACTION ISOLATION LEVEL READ COMMITTED*//*!*/;
# original_commit_timestamp=1795637639437645 (2026-11-25 20:13:59.437645 UTC)
# immediate_commit_timestamp=1795637639437645 (2026-11-25 20:13:59.437645 UTC)
/*!80001 SET @@session.original_commit_timestamp=1795637639437645*//*!*/;
/*!80014 SET @@session.original_server_version=90704*//*!*/;
/*!80014 SET @@session.immediate_server_version=90704*//*!*/;
SET @@SESSION.GTID_NEXT= 'c973a638-e909-11f1-92b1-02fc00000001:10'/*!*/;
# at 3158
#261125 20:13:59 server id 3399  end_log_pos 3230 CRC32 0xdbc5fa83 	Query	thread_id=238	exec_time=0	error_code=0
SET TIMESTAMP=1795637639/*!*/;
BEGIN
/*!*/;
# at 3230
#261125 20:13:59 server id 3399  end_log_pos 3278 CRC32 0x049fcb1a 	Table_map: `d`.`gen` mapped to number 267
# has_generated_invisible_primary_key=0
# at 3278
#261125 20:13:59 server id 3399  end_log_pos 3339 CRC32 0xba4e6314 	Write_rows: table id 267 flags: STMT_END_F USE_SQL_FOREIGN_KEY_F

BINLOG '
h0EHaxNHDQAAMAAAAM4MAAAAAAsBAAAAAAEAAWQAA2dlbgADAwMDAAcBAQAay58E
h0EHax5HDQAAPQAAAAsNAAAAAAsBAAAAABEAAgAD/wABAAAAAgAAAAIAAAAAAgAAAAQAAAADAAAA
FGNOug==
'/*!*/;
# at 3339
#261125 20:13:59 server id 3399  end_log_pos 3370 CRC32 0x18fd5581 	Xid = 1431
COMMIT/*!*/;
# at 3370
#261125 20:13:59 server id 3399  end_log_pos 3449 CRC32 0x7aba57f2 	GTID	last_committed=10	sequence_number=11	rbr_only=yes	original_committed_timestamp=1795637639438637	immediate_commit_timestamp=1795637639438637	transaction_length=327
/*!50718 SET TRANSACTION ISOLATION LEVEL READ COMMITTED*//*!*/;
# original_commit_timestamp=1795637639438637 (2026-11-25 20:13:59.438637 UTC)
# immediate_commit_timestamp=1795637639438637 (2026-11-25 20:13:59.438637 UTC)
/*!80001 SET @@session.original_commit_timestamp=1795637639438637*//*!*/;
/*!80014 SET @@session.original_server_version=90704*//*!*/;
/*!80014 SET @@session.immediate_server_version=90704*//*!*/;
SET @@SESSION.GTID_NEXT= 'c973a638-e909-11f1-92b1-02fc00000001:11'/*!*/;
# at 3449
#261125 20:13:59 server id 3399  end_log_pos 3530 CRC32 0x9d8c363c 	Query	thread_id=238	exec_time=0	error_code=0
SET TIMESTAMP=1795637639/*!*/;
BEGIN
/*!*/;
# at 3530
#261125 20:13:59 server id 3399  end_log_pos 3578 CRC32 0xea921a27 	Table_map: `d`.`gen` mapped to number 267
# has_generated_invisible_primary_key=0
# at 3578
#261125 20:13:59 server id 3399  end_log_pos 3666 CRC32 0x0b7593d0 	Update_rows: table id 267 flags: STMT_END_F USE_SQL_FOREIGN_KEY_F

BINLOG '
h0EHaxNHDQAAMAAAAPoNAAAAAAsBAAAAAAEAAWQAA2dlbgADAwMDAAcBAQAnGpLq
h0EHax9HDQAAWAAAAFIOAAAAAAsBAAAAABEAAgAD//8AAQAAAAIAAAACAAAAAAYAAAAMAAAABwAA
AAACAAAABAAAAAMAAAAABwAAAA4AAAAIAAAA0JN1Cw==
'/*!*/;
# at 3666
#261125 20:13:59 server id 3399  end_log_pos 3697 CRC32 0x1424db93 	Xid = 1432
COMMIT/*!*/;
# at 3697
#261125 20:13:59 server id 3399  end_log_pos 3776 CRC32 0xc695e36d 	GTID	last_committed=11	sequence_number=12	rbr_only=no	original_committed_timestamp=1795637639448415	immediate_commit_timestamp=1795637639448415	transaction_length=256
# original_commit_timestamp=1795637639448415 (2026-11-25 20:13:59.448415 UTC)
# immediate_commit_timestamp=1795637639448415 (2026-11-25 20:13:59.448415 UTC)
/*!80001 SET @@session.original_commit_timestamp=1795637639448415*//*!*/;
/*!80014 SET @@session.original_server_version=90704*//*!*/;
/*!80014 SET @@session.immediate_server_version=90704*//*!*/;
SET @@SESSION.GTID_NEXT= 'c973a638-e909-11f1-92b1-02fc00000001:12'/*!*/;
# at 3776
#261125 20:13:59 server id 3399  end_log_pos 3953 CRC32 0x003c27eb 	Query	thread_id=238	exec_time=0	error_code=0	Xid = 1433
SET TIMESTAMP=1795637639/*!*/;
/*!80013 SET @@session.sql_require_primary_key=0*//*!*/;
CREATE TABLE fk (i INT PRIMARY KEY, c INT, FOREIGN KEY (c) REFERENCES c (id) ON DELETE CASCADE)
/*!*/;
# at 3953
#261125 20:13:59 server id 3399  end_log_pos 4032 CRC32 0x79892f4f 	GTID	last_committed=12	sequence_number=13	rbr_only=yes	original_committed_timestamp=1795637639452035	immediate_commit_timestamp=1795637639452035	transaction_length=283
/*!50718 SET TRANSACTION ISOLATION LEVEL READ COMMITTED*//*!*/;
# original_commit_timestamp=1795637639452035 (2026-11-25 20:13:59.452035 UTC)
# immediate_commit_timestamp=1795637639452035 (2026-11-25 20:13:59.452035 UTC)
/*!80001 SET @@session.original_commit_timestamp=1795637639452035*//*!*/;
/*!80014 SET @@session.original_server_version=90704*//*!*/;
/*!80014 SET @@session.immediate_server_version=90704*//*!*/;
SET @@SESSION.GTID_NEXT= 'c973a638-e909-11f1-92b1-02fc00000001:13'/*!*/;
# at 4032
#261125 20:13:59 server id 3399  end_log_pos 4106 CRC32 0xbb58407f 	Query	thread_id=238	exec_time=0	error_code=0
SET TIMESTAMP=1795637639/*!*/;
BEGIN
/*!*/;
# at 4106
#261125 20:13:59 server id 3399  end_log_pos 4152 CRC32 0x2a1dae0d 	Table_map: `d`.`fk` mapped to number 268
# has_generated_invisible_primary_key=0
# at 4152
#261125 20:13:59 server id 3399  end_log_pos 4205 CRC32 0xaab96088 	Write_rows: table id 268 flags: STMT_END_F USE_SQL_FOREIGN_KEY_F

BINLOG '
h0EHaxNHDQAALgAAADgQAAAAAAwBAAAAAAMAAWQAAmZrAAIDAwACAQEADa4dKg==
h0EHax5HDQAANQAAAG0QAAAAAAwBAAAAABEAAgAC/wABAAAAAQAAAAACAAAAAgAAAIhguao=
'/*!*/;
# at 4205
#261125 20:13:59 server id 3399  end_log_pos 4236 CRC32 0xc6065a78 	Xid = 1434
COMMIT/*!*/;
# at 4236
#261125 20:13:59 server id 3399  end_log_pos 4315 CRC32 0x9e09355b 	GTID	last_committed=13	sequence_number=14	rbr_only=yes	original_committed_timestamp=1795637639453217	immediate_commit_timestamp=1795637639453217	transaction_length=387
/*!50718 SET TRANSACTION ISOLATION LEVEL READ COMMITTED*//*!*/;
# original_commit_timestamp=1795637639453217 (2026-11-25 20:13:59.453217 UTC)
# immediate_commit_timestamp=1795637639453217 (2026-11-25 20:13:59.453217 UTC)
/*!80001 SET @@session.original_commit_timestamp=1795637639453217*//*!*/;
/*!80014 SET @@session.original_server_version=90704*//*!*/;
/*!80014 SET @@session.immediate_server_version=90704*//*!*/;
SET @@SESSION.GTID_NEXT= 'c973a638-e909-11f1-92b1-02fc00000001:14'/*!*/;
# at 4315
#261125 20:13:59 server id 3399  end_log_pos 4389 CRC32 0x197efb6e 	Query	thread_id=238	exec_time=0	error_code=0
SET TIMESTAMP=1795637639/*!*/;
SET @@session.foreign_key_checks=0/*!*/;
BEGIN
/*!*/;
# at 4389
#261125 20:13:59 server id 3399  end_log_pos 4459 CRC32 0x0abdb0a8 	Table_map: `d`.`c` mapped to number 269
# has_generated_invisible_primary_key=0
# at 4459
#261125 20:13:59 server id 3399  end_log_pos 4505 CRC32 0x732debd1 	Table_map: `d`.`fk` mapped to number 268
# has_generated_invisible_primary_key=0
# at 4505
#261125 20:13:59 server id 3399  end_log_pos 4549 CRC32 0x533b7c2b 	Delete_rows: table id 268 flags: NO_FOREIGN_KEY_CHECKS_F USE_SQL_FOREIGN_KEY_F
# at 4549
#261125 20:13:59 server id 3399  end_log_pos 4592 CRC32 0xec5adf59 	Delete_rows: table id 269 flags: STMT_END_F USE_SQL_FOREIGN_KEY_F

BINLOG '
h0EHaxNHDQAARgAAAGsRAAAAAA0BAAAAAAMAAWQAAWMACQP+/P8Q9hEN/gv3AQIEBQAKAgb4Af4B
AQEgAgE/BwEAqLC9Cg==
h0EHaxNHDQAALgAAAJkRAAAAAAwBAAAAAAMAAWQAAmZrAAIDAwACAQEA0estcw==
h0EHayBHDQAALAAAAMURAAAAAAwBAAAAABIAAgAC/wACAAAAAgAAACt8O1M=
h0EHayBHDQAAKwAAAPARAAAAAA0BAAAAABEAAgAJ///8AQIAAAABWd9a7A==
'/*!*/;
# at 4592
#261125 20:13:59 server id 3399  end_log_pos 4623 CRC32 0x95e22594 	Xid = 1435
COMMIT/*!*/;
# at 4623
#261125 20:13:59 server id 3399  end_log_pos 4700 CRC32 0x11068f59 	GTID	last_committed=14	sequence_number=15	rbr_only=no	original_committed_timestamp=1795637639460019	immediate_commit_timestamp=1795637639460019	transaction_length=182
# original_commit_timestamp=1795637639460019 (2026-11-25 20:13:59.460019 UTC)
# immediate_commit_timestamp=1795637639460019 (2026-11-25 20:13:59.460019 UTC)
/*!80001 SET @@session.original_commit_timestamp=1795637639460019*//*!*/;
/*!80014 SET @@session.original_server_version=90704*//*!*/;
/*!80014 SET @@session.immediate_server_version=90704*//*!*/;
SET @@SESSION.GTID_NEXT= 'c973a638-e909-11f1-92b1-02fc00000001:15'/*!*/;
# at 4700
#261125 20:13:59 server id 3399  end_log_pos 4805 CRC32 0xa83c5c83 	Query	thread_id=238	exec_time=0	error_code=0	Xid = 1436
SET TIMESTAMP=1795637639/*!*/;
SET @@session.foreign_key_checks=1/*!*/;
/*!80013 SET @@session.sql_require_primary_key=0*//*!*/;
CREATE TABLE tr (a INT)
/*!*/;
# at 4805
#261125 20:13:59 server id 3399  end_log_pos 4884 CRC32 0x3fd67127 	GTID	last_committed=15	sequence_number=16	rbr_only=no	original_committed_timestamp=1795637639463036	immediate_commit_timestamp=1795637639463036	transaction_length=279
# original_commit_timestamp=1795637639463036 (2026-11-25 20:13:59.463036 UTC)
# immediate_commit_timestamp=1795637639463036 (2026-11-25 20:13:59.463036 UTC)
/*!80001 SET @@session.original_commit_timestamp=1795637639463036*//*!*/;
/*!80014 SET @@session.original_server_version=90704*//*!*/;
/*!80014 SET @@session.immediate_server_version=90704*//*!*/;
SET @@SESSION.GTID_NEXT= 'c973a638-e909-11f1-92b1-02fc00000001:16'/*!*/;
# at 4884
#261125 20:13:59 server id 3399  end_log_pos 5084 CRC32 0x72be187a 	Query	thread_id=238	exec_time=0	error_code=0	Xid = 1437
SET TIMESTAMP=1795637639.460719/*!*/;
CREATE DEFINER=`root`@`localhost` TRIGGER t BEFORE INSERT ON tr FOR EACH ROW SET NEW.a = NEW.a + 100
/*!*/;
# at 5084
#261125 20:13:59 server id 3399  end_log_pos 5163 CRC32 0x3b7b17a8 	GTID	last_committed=16	sequence_number=17	rbr_only=yes	original_committed_timestamp=1795637639464860	immediate_commit_timestamp=1795637639464860	transaction_length=267
/*!50718 SET TRANSACTION ISOLATION LEVEL READ COMMITTED*//*!*/;
# original_commit_timestamp=1795637639464860 (2026-11-25 20:13:59.464860 UTC)
# immediate_commit_timestamp=1795637639464860 (2026-11-25 20:13:59.464860 UTC)
/*!80001 SET @@session.original_commit_timestamp=1795637639464860*//*!*/;
/*!80014 SET @@session.original_server_version=90704*//*!*/;
/*!80014 SET @@session.immediate_server_version=90704*//*!*/;
SET @@SESSION.GTID_NEXT= 'c973a638-e909-11f1-92b1-02fc00000001:17'/*!*/;
# at 5163
#261125 20:13:59 server id 3399  end_log_pos 5235 CRC32 0xdb8087d2 	Query	thread_id=238	exec_time=0	error_code=0
SET TIMESTAMP=1795637639/*!*/;
BEGIN
/*!*/;
# at 5235
#261125 20:13:59 server id 3399  end_log_pos 5280 CRC32 0x3fea99a4 	Table_map: `d`.`tr` mapped to number 271
# has_generated_invisible_primary_key=0
# at 5280
#261125 20:13:59 server id 3399  end_log_pos 5320 CRC32 0x8c568715 	Write_rows: table id 271 flags: STMT_END_F USE_SQL_FOREIGN_KEY_F

BINLOG '
h0EHaxNHDQAALQAAAKAUAAAAAA8BAAAAAAEAAWQAAnRyAAEDAAEBAQCkmeo/
h0EHax5HDQAAKAAAAMgUAAAAAA8BAAAAABEAAgAB/wBlAAAAFYdWjA==
'/*!*/;
# at 5320
#261125 20:13:59 server id 3399  end_log_pos 5351 CRC32 0x41108ad0 	Xid = 1438
COMMIT/*!*/;
# at 5351
#261125 20:13:59 server id 3399  end_log_pos 5428 CRC32 0xc3426334 	GTID	last_committed=17	sequence_number=18	rbr_only=no	original_committed_timestamp=1795637639472079	immediate_commit_timestamp=1795637639472079	transaction_length=206
# original_commit_timestamp=1795637639472079 (2026-11-25 20:13:59.472079 UTC)
# immediate_commit_timestamp=1795637639472079 (2026-11-25 20:13:59.472079 UTC)
/*!80001 SET @@session.original_commit_timestamp=1795637639472079*//*!*/;
/*!80014 SET @@session.original_server_version=90704*//*!*/;
/*!80014 SET @@session.immediate_server_version=90704*//*!*/;
SET @@SESSION.GTID_NEXT= 'c973a638-e909-11f1-92b1-02fc00000001:18'/*!*/;
# at 5428
#261125 20:13:59 server id 3399  end_log_pos 5557 CRC32 0xb81764b4 	Query	thread_id=238	exec_time=0	error_code=0	Xid = 1440
SET TIMESTAMP=1795637639/*!*/;
/*!80013 SET @@session.sql_require_primary_key=0*//*!*/;
CREATE TABLE lat (x VARCHAR(10) CHARSET latin1)
/*!*/;
# at 5557
#261125 20:13:59 server id 3399  end_log_pos 5636 CRC32 0x0d9957bd 	GTID	last_committed=18	sequence_number=19	rbr_only=yes	original_committed_timestamp=1795637639473935	immediate_commit_timestamp=1795637639473935	transaction_length=268
/*!50718 SET TRANSACTION ISOLATION LEVEL READ COMMITTED*//*!*/;
# original_commit_timestamp=1795637639473935 (2026-11-25 20:13:59.473935 UTC)
# immediate_commit_timestamp=1795637639473935 (2026-11-25 20:13:59.473935 UTC)
/*!80001 SET @@session.original_commit_timestamp=1795637639473935*//*!*/;
/*!80014 SET @@session.original_server_version=90704*//*!*/;
/*!80014 SET @@session.immediate_server_version=90704*//*!*/;
SET @@SESSION.GTID_NEXT= 'c973a638-e909-11f1-92b1-02fc00000001:19'/*!*/;
# at 5636
#261125 20:13:59 server id 3399  end_log_pos 5708 CRC32 0x2b551f4a 	Query	thread_id=238	exec_time=0	error_code=0
SET TIMESTAMP=1795637639/*!*/;
BEGIN
/*!*/;
# at 5708
#261125 20:13:59 server id 3399  end_log_pos 5756 CRC32 0xe6790a45 	Table_map: `d`.`lat` mapped to number 272
# has_generated_invisible_primary_key=0
# at 5756
#261125 20:13:59 server id 3399  end_log_pos 5794 CRC32 0x1c99a52f 	Write_rows: table id 272 flags: STMT_END_F USE_SQL_FOREIGN_KEY_F

BINLOG '
h0EHaxNHDQAAMAAAAHwWAAAAABABAAAAAAEAAWQAA2xhdAABDwIKAAECAQhFCnnm
h0EHax5HDQAAJgAAAKIWAAAAABABAAAAABEAAgAB/wAB6S+lmRw=
'/*!*/;
# at 5794
#261125 20:13:59 server id 3399  end_log_pos 5825 CRC32 0x48074d24 	Xid = 1441
COMMIT/*!*/;
# at 5825
#261125 20:13:59 server id 3399  end_log_pos 5904 CRC32 0x6024726c 	GTID	last_committed=19	sequence_number=20	rbr_only=yes	original_committed_timestamp=1795637639475368	immediate_commit_timestamp=1795637639475368	transaction_length=348
/*!50718 SET TRANSACTION ISOLATION LEVEL READ COMMITTED*//*!*/;
# original_commit_timestamp=1795637639475368 (2026-11-25 20:13:59.475368 UTC)
# immediate_commit_timestamp=1795637639475368 (2026-11-25 20:13:59.475368 UTC)
/*!80001 SET @@session.original_commit_timestamp=1795637639475368*//*!*/;
/*!80014 SET @@session.original_server_version=90704*//*!*/;
/*!80014 SET @@session.immediate_server_version=90704*//*!*/;
SET @@SESSION.GTID_NEXT= 'c973a638-e909-11f1-92b1-02fc00000001:20'/*!*/;
# at 5904
#261125 20:13:59 server id 3399  end_log_pos 5976 CRC32 0xef56417f 	Query	thread_id=238	exec_time=0	error_code=0
SET TIMESTAMP=1795637639/*!*/;
BEGIN
/*!*/;
# at 5976
#261125 20:13:59 server id 3399  end_log_pos 6024 CRC32 0x195c923e 	Table_map: `d`.`lat` mapped to number 272
# has_generated_invisible_primary_key=0
# at 6024
#261125 20:13:59 server id 3399  end_log_pos 6062 CRC32 0xad9698b6 	Write_rows: table id 272 flags: STMT_END_F USE_SQL_FOREIGN_KEY_F

BINLOG '
h0EHaxNHDQAAMAAAAIgXAAAAABABAAAAAAEAAWQAA2xhdAABDwIKAAECAQg+klwZ
h0EHax5HDQAAJgAAAK4XAAAAABABAAAAABEAAgAB/wABYbaYlq0=
'/*!*/;
# at 6062
#261125 20:13:59 server id 3399  end_log_pos 6142 CRC32 0xfc18d981 	Query	thread_id=238	exec_time=0	error_code=0
SET TIMESTAMP=1795637639/*!*/;
SAVEPOINT `s`
/*!*/;
# at 6142
#261125 20:13:59 server id 3399  end_log_pos 6173 CRC32 0x7e49f3bb 	Xid = 1443
COMMIT/*!*/;
# at 6173
#261125 20:13:59 server id 3399  end_log_pos 6252 CRC32 0xc0a63b24 	GTID	last_committed=20	sequence_number=21	rbr_only=no	original_committed_timestamp=1795637639483355	immediate_commit_timestamp=1795637639483355	transaction_length=495
# original_commit_timestamp=1795637639483355 (2026-11-25 20:13:59.483355 UTC)
# immediate_commit_timestamp=1795637639483355 (2026-11-25 20:13:59.483355 UTC)
/*!80001 SET @@session.original_commit_timestamp=1795637639483355*//*!*/;
/*!80014 SET @@session.original_server_version=90704*//*!*/;
/*!80014 SET @@session.immediate_server_version=90704*//*!*/;
SET @@SESSION.GTID_NEXT= 'c973a638-e909-11f1-92b1-02fc00000001:21'/*!*/;
# at 6252
#261125 20:13:59 server id 3399  end_log_pos 6326 CRC32 0xe11b6ebf 	Query	thread_id=238	exec_time=0	error_code=0
SET TIMESTAMP=1795637639/*!*/;
BEGIN
/*!*/;
# at 6326
#261125 20:13:59 server id 3399  end_log_pos 6538 CRC32 0xa3de3c4c 	Query	thread_id=238	exec_time=0	error_code=0
SET TIMESTAMP=1795637639/*!*/;
/*!80013 SET @@session.sql_require_primary_key=0*//*!*/;
CREATE TABLE `made` (
  `id` int NOT NULL DEFAULT '0',
  `e` enum('a','b') DEFAULT NULL,
  `n` decimal(10,2) DEFAULT NULL
) START TRANSACTION
/*!*/;
# at 6538
#261125 20:13:59 server id 3399  end_log_pos 6591 CRC32 0x74dead12 	Table_map: `d`.`made` mapped to number 273
# has_generated_invisible_primary_key=0
# at 6591
#261125 20:13:59 server id 3399  end_log_pos 6637 CRC32 0x6c32e6cf 	Write_rows: table id 273 flags: STMT_END_F USE_SQL_FOREIGN_KEY_F

BINLOG '
h0EHaxNHDQAANQAAAL8ZAAAAABEBAAAAAAMAAWQABG1hZGUAAwP+9gT3AQoCBgEBABKt3nQ=
h0EHax5HDQAALgAAAO0ZAAAAABEBAAAAABEAAgAD/wABAAAAAoAAAAEZz+YybA==
'/*!*/;
# at 6637
#261125 20:13:59 server id 3399  end_log_pos 6668 CRC32 0xb8c287bc 	Xid = 1448
COMMIT/*!*/;
# at 6668
#261125 20:13:59 server id 3399  end_log_pos 6758 CRC32 0x50fb5af5 	GTID	last_committed=21	sequence_number=22	rbr_only=yes	original_committed_timestamp=1600000000000000	immediate_commit_timestamp=1795637639485928	transaction_length=278
/*!50718 SET TRANSACTION ISOLATION LEVEL READ COMMITTED*//*!*/;
# original_commit_timestamp=1600000000000000 (2020-09-13 12:26:40.000000 UTC)
# immediate_commit_timestamp=1795637639485928 (2026-11-25 20:13:59.485928 UTC)
/*!80001 SET @@session.original_commit_timestamp=1600000000000000*//*!*/;
/*!80014 SET @@session.original_server_version=80000*//*!*/;
/*!80014 SET @@session.immediate_server_version=90704*//*!*/;
SET @@SESSION.GTID_NEXT= 'c973a638-e909-11f1-92b1-02fc00000001:22'/*!*/;
# at 6758
#261125 20:13:59 server id 3399  end_log_pos 6830 CRC32 0x12bad812 	Query	thread_id=238	exec_time=0	error_code=0
SET TIMESTAMP=1795637639/*!*/;
BEGIN
/*!*/;
# at 6830
#261125 20:13:59 server id 3399  end_log_pos 6875 CRC32 0x0edfc816 	Table_map: `d`.`tr` mapped to number 271
# has_generated_invisible_primary_key=0
# at 6875
#261125 20:13:59 server id 3399  end_log_pos 6915 CRC32 0x3a7b61f0 	Write_rows: table id 271 flags: STMT_END_F USE_SQL_FOREIGN_KEY_F

BINLOG '
h0EHaxNHDQAALQAAANsaAAAAAA8BAAAAAAEAAWQAAnRyAAEDAAEBAQAWyN8O
h0EHax5HDQAAKAAAAAMbAAAAAA8BAAAAABEAAgAB/wBmAAAA8GF7Og==
'/*!*/;
# at 6915
#261125 20:13:59 server id 3399  end_log_pos 6946 CRC32 0xed247482 	Xid = 1451
COMMIT/*!*/;
SET @@SESSION.GTID_NEXT= 'AUTOMATIC' /* added by mysqlbinlog */ /*!*/;
DELIMITER ;
# End of log file
/*!50003 SET COMPLETION_TYPE=@OLD_COMPLETION_TYPE*/;
/*!50530 SET @@SESSION.PSEUDO_SLAVE_MODE=0*/;
