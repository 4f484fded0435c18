// Package pagefile reads and writes the pages of tablespace files: header, checksum, doublewrite, raw I/O.
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
// A tablespace is one file, <datadir>/spaces/<id as 8 hex digits>.ebs, opened lazily by id: no start ever walks the
// directory, and a rename of a table touches no file. At most Options.OpenFiles files are open at a time.
//
// Invariants:
//
//	(1) A page is checked (checksum, own id) after every read and stamped right before every write.
//	(2) A page reaches its place only after a copy of it is synced in the doublewrite area, unless Options.Doublewrite is off.
//	(3) A page is written only when redo is durable up to its LSN (the caller's duty: buffer).
//	(4) Space ids are never reused, so a missing file is a dropped table or damage, never another table.
//	(5) A failed write or sync enters base.Failure, after which every write fails with base.ErrFailed. An error of a sync is told to every
//	    later sync of the file.
//	(6) An all-zero page is one that was allocated and never written; Read returns it with ErrNeverWritten so that
//	    only redo (which starts it with an initialisation record) may use it.
//
// Files: page.go header and checks, files.go the tablespaces, table.go the open files, write.go and doublewrite.go the way to disk.
//
// Contract (the names other rooms build on):
//
//	type Options struct{ OpenFiles int; Direct, Doublewrite, ReadOnly bool; Failure *base.Failure }
//	func Open(fs vfs.FS, datadir string, o Options) (*Files, error)
//	func (*Files) Close() error
//	func (*Files) Create(space base.SpaceID, pages base.PageNo) error   // file + folder synced; base.ErrExists
//	func (*Files) Drop(spaces ...base.SpaceID) error                    // closes, unlinks, then syncs the folder; missing is no error
//	func (*Files) Exists(space base.SpaceID) bool
//	func (*Files) Extend(space base.SpaceID, pages base.PageNo) error   // fallocate up to that many pages, metadata synced; base.ErrDiskFull leaves all as it was
//	func (*Files) Shorten(space base.SpaceID, pages base.PageNo) error  // cuts the file; not synced
//	func (*Files) Pages(space base.SpaceID) (base.PageNo, error)
//	func (*Files) Read(id base.PageID, page []byte) error               // ErrNeverWritten, ErrNoSpace (no file), *base.CorruptError (damage), ErrBeyondEnd
//	func (*Files) ReadRun(first base.PageID, pages [][]byte, errs []error) error  // one preadv; a page's own damage in errs[i]; nil buffers allowed for gaps read through
//	func (*Files) WriteBatch(ids []base.PageID, pages [][]byte) error   // stamps, doublewrite+sync, in place (neighbours merged), sync of each file;
//	                                                                    // ErrNoSpace when a file is missing, the other pages are written then
//	func (*Files) RepairTorn() (Repaired, error)                        // at open: every page of the doublewrite area whose place is torn is rewritten
//	func (*Files) Path(space) string; Spaces() ([]base.SpaceID, error)  // Spaces walks the folder: for checkers
//	func Type/SetType/LSN/SetLSN/ID/Writer/SetWriter/Format/Body(page []byte) ...   // header access; func Init(page, id, type)
//	func PathIn(datadir, space), SpaceOf(name), SpacesIn(fs, datadir), Verify(page, id, path)    // for readers beside Files: inspectors
//	func Stamp(page); Checksum(page) uint32; Describe(page) string
//	func (*Files) Stats() Stats                                         // reads, writes, bytes, syncs, doublewrite pages, latency
//	func (*Files) ReadLatency() time.Duration                           // moving average of single-page reads
package pagefile
