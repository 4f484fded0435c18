// Package tabledef describes tables, columns and indexes to go-mysql-server, and checks what
// definitions ask for: types, defaults, generated columns, functional keys, partitions. It also
// prints definitions as SHOW CREATE TABLE does.
//
// Invariant: a description belongs to one version of the engine's definition and never changes.
package tabledef
