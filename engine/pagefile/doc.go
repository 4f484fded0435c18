// Package pagefile reads and writes the pages of tablespace files: header, checksum, doublewrite,
// raw I/O.
//
// Every page starts with this header. On disk; fixed.
//
//	offset size
//	0      4   CRC-32C of bytes [4, 16384)
//	4      4   space id
//	8      4   page number
//	12     1   page type (PageType)
//	13     1   format version of the page type, now 1
//	14     2   reserved, zero
//	16     8   LSN: end of the mini-transaction that changed the page last
//	24     8   newest writer: highest transaction id that changed a secondary leaf (owned by btree/table)
//	32     ..  body, owned by the room of the page type
//
// Integers are little-endian everywhere on disk except inside keys.
//
// A tablespace is one file, <datadir>/spaces/<id as 8 hex digits>.ebs, opened lazily by id: no
// start ever walks the directory, and a rename of a table touches no file. At most
// Options.OpenFiles files are open at a time.
//
// Invariants:
//
//	(1) A page is checked (checksum, own id) after every read and stamped right before every
//	    write.
//	(2) A page reaches its place only after a copy of it is synced in the doublewrite area, unless
//	    Options.Doublewrite is off.
//	(3) A page is written only when redo is durable up to its LSN (the caller's duty: buffer).
//	(4) Space ids are never reused, so a missing file is a dropped table or damage, never another
//	    table.
//	(5) A failed write or sync enters base.Failure, after which every write fails with
//	    base.ErrFailed. An error of a sync is told to every later sync of the file.
//	(6) An all-zero page is one that was allocated and never written; Read returns it with
//	    ErrNeverWritten so that only redo (which starts it with an initialisation record) may use
//	    it.
//
// Files: page.go header and checks, files.go the tablespaces, table.go the open files, write.go and
// doublewrite.go the way to disk.
package pagefile
