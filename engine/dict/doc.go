// Package dict is the data dictionary: definitions of tables and other stored objects, and
// key-value rows, kept in two ordinary tables of the system space and cached.
//
//	objects  PRIMARY KEY (kind, schema, name), UNIQUE by_id (id)   one row per schema, table, view, trigger, procedure, event; data: JSON
//	                                                               and one of kind "spelling" per
//	                                                               table whose name has capitals:
//	                                                               name is in lower case, data the
//	                                                               name
//	kv       PRIMARY KEY (namespace, k)                            accounts, persisted variables, statistics, the DDL log, ...
//
// Invariants:
//
//	(1) Whoever uses a definition holds its metadata lock: shared to the end of its transaction,
//	    exclusive to change it. So a cached definition cannot change under its user, and reading
//	    the newest committed one is always right.
//	(2) A DDL transaction sees its own changes through an overlay; the cache is changed only when
//	    it has committed, before its metadata locks go.
//	(3) The DDL log (kv namespace "ddl_log", key = space id): a committed row names a tablespace
//	    file that must go. CREATE commits the row before the file exists and deletes it in the DDL
//	    transaction; DROP inserts it in the DDL transaction. So crash, rollback and commit all end
//	    in the same sweep.
//	(4) No two tables of a schema have names that differ only in case (Spelling finds the one
//	    there is), and metadata locks know no case.
//	(5) Ids of tables, indexes and spaces come from one counter (the auto-increment of the system
//	    space's header) and are never used twice.
//
//	(6) About as many tables are kept in memory as the cache's limit says; cache.go tells which
//	    may go.
//
// Latches: mu stands in docs/latches.md; it is never held across a row operation.
package dict
