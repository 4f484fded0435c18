package binlog

// The events of one transaction until it commits: in memory up to binlog_cache_size, then in a
// file.
//
//	file   [0, reserve)  free for the head of a binlog file   [reserve, reserve+spilled)  whole events, placed for this very position
//	buf    the events behind
//
// The file is the next binlog file if the transaction turns out to be large, see doc.go. It is made
// when first needed and used again by the next transaction of the session.

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"emberdb/engine/row"
	"emberdb/internal/vfs"
)

const (
	// DefaultCacheSize is binlog_cache_size.
	DefaultCacheSize = 32 << 10
	// spillDir is the folder of cache files, beside the binlog files so that a rename reaches it.
	spillDir = "#binlog_cache"
	// spillSlack is room in the head for GTIDs to come.
	spillSlack = 16 << 10
	keepBuffer = 1 << 20 // buffers beyond are given back
)

// ErrCacheFull says that a transaction has outgrown max_binlog_cache_size (MySQL's error 1197).
var ErrCacheFull = errors.New("multi-statement transaction required more than 'max_binlog_cache_size' bytes of storage; increase this mysqld variable and try again")

// Cache gathers the events of a transaction. It belongs to one session.
type Cache struct {
	log     *Log
	buf     []byte
	file    vfs.File
	name    string
	reserve int64
	spilled int64
	pending Pending // its memory

	statements bool // a Query event other than BEGIN and COMMIT is in it
	compress   int  // binlog_transaction_compression_level_zstd; 0: not at all
	writes     writeSet
}

// NewCache makes the cache of a session.
func (l *Log) NewCache() *Cache { return &Cache{log: l} }

// Len is the size of the events.
func (c *Cache) Len() int64 { return c.spilled + int64(len(c.buf)) }

// IsEmpty tells whether nothing was logged.
func (c *Cache) IsEmpty() bool { return c.Len() == 0 }

// HasFile tells whether it has a file, if only an empty one.
func (c *Cache) HasFile() bool { return c.file != nil }

// Begin appends BEGIN. session, which is never changed, is the session's, without SQL.
func (c *Cache) Begin(h Head, session *Query, s *Start) error {
	if s.session != session {
		c.log.starts.find(s, session)
	}
	at := len(c.buf)
	c.buf = append(c.buf, s.event...)
	s.put(c.buf[at:], h)
	return c.maybeSpill()
}

// Compress has the transaction compressed, at a level of zstd; 0: not at all.
func (c *Cache) Compress(level int) { c.compress = level }

// write notes a row that is changed.
func (c *Cache) write(t *Table, before, after []row.Value) {
	c.writes.row(&c.log.history, &t.unique, before, after)
}

// Query appends a statement.
func (c *Cache) Query(h Head, q *Query) error {
	if !isBracket(q.SQL) && q.SQL != "COMMIT" {
		c.statements = true
	}
	c.buf = AppendQuery(c.buf, h, q)
	return c.maybeSpill()
}

// Xid appends the commit.
func (c *Cache) Xid(h Head, xid uint64) error {
	c.buf = AppendXid(c.buf, h, xid)
	return c.maybeSpill()
}

// XAPrepare appends the end of a branch's rows.
func (c *Cache) XAPrepare(h Head, onePhase bool, format int64, gtrid, bqual string) error {
	c.writes.block()
	c.buf = AppendXAPrepare(c.buf, h, onePhase, format, gtrid, bqual)
	return c.maybeSpill()
}

// Append appends whole events as another server wrote them, such as those a replica got from its
// source. Positions and checksums are made anew.
func (c *Cache) Append(events []byte) error {
	if err := checkEvents(events); err != nil {
		return err
	}
	c.writes.block()
	c.buf = append(c.buf, events...)
	return c.maybeSpill()
}

// Mark is the position to truncate to, for savepoints and statements.
// REQUIRES: no statement is open.
func (c *Cache) Mark() int64 { return c.Len() }

// Truncate forgets the events behind a mark.
func (c *Cache) Truncate(mark int64) error {
	if mark >= c.spilled {
		c.buf = c.buf[:mark-c.spilled]
		return nil
	}
	c.buf, c.spilled = c.buf[:0], mark
	if err := c.file.Truncate(c.reserve + mark); err != nil {
		return fmt.Errorf("binlog cache: %w", err)
	}
	return nil
}

// unspill forgets what stands behind end and brings what stands behind from back into memory.
func (c *Cache) unspill(from, end int64) error {
	tail := make([]byte, min(end, c.spilled)-from, end-from)
	if _, err := c.file.ReadAt(tail, c.reserve+from); err != nil {
		return fmt.Errorf("binlog cache: %w", err)
	}
	if end > c.spilled {
		tail = append(tail, c.buf[:end-c.spilled]...)
	}
	c.buf, c.spilled = tail, from
	if err := c.file.Truncate(c.reserve + from); err != nil {
		return fmt.Errorf("binlog cache: %w", err)
	}
	return nil
}

// Reset empties the cache for the next transaction. A file that cannot be emptied is left behind,
// for the next start to remove: what is no longer needed is no reason for an error.
func (c *Cache) Reset() {
	c.statements = false
	c.compress, c.pending.packed = 0, packed{}
	c.writes.reset()
	if cap(c.buf) > keepBuffer {
		c.buf = nil
	}
	if c.spilled == 0 {
		c.buf = c.buf[:0]
	} else if c.Truncate(0) != nil {
		_ = c.Close()
	}
}

// Close gives the file back.
func (c *Cache) Close() error {
	c.buf, c.spilled = nil, 0
	if c.file == nil {
		return nil
	}
	err := c.file.Close()
	c.file = nil
	if removeErr := c.log.fs.Remove(c.name); err == nil && !errors.Is(removeErr, fs.ErrNotExist) {
		err = removeErr
	}
	return err
}

// maybeSpill moves the events to the file when they outgrow their memory.
// REQUIRES: buf ends with a whole event.
func (c *Cache) maybeSpill() error {
	if c.log.maxCache > 0 && c.Len() > c.log.maxCache {
		return ErrCacheFull
	}
	if len(c.buf) <= c.log.cacheSize {
		return nil
	}
	return c.spill()
}

func (c *Cache) spill() error {
	if err := c.openFile(); err != nil {
		return fmt.Errorf("binlog cache: %w", err)
	}
	at := c.reserve + c.spilled
	Place(c.buf, at)
	if _, err := c.file.WriteAt(c.buf, at); err != nil {
		return fmt.Errorf("binlog cache: %w", err)
	}
	if c.spilled == 0 {
		c.log.stats.cacheDiskUse.Add(1)
	}
	c.spilled += int64(len(c.buf))
	c.buf = c.buf[:0]
	return nil
}

func (c *Cache) openFile() error {
	if c.file != nil {
		if c.spilled == 0 {
			c.reserve = c.log.headRoom()
		}
		return nil
	}
	name := path.Join(c.log.spillPath(), fmt.Sprintf("%s-%x", c.log.spillPrefix, c.log.spillNumber.Add(1)))
	f, err := c.log.fs.Open(name, vfs.Options{Create: true, Truncate: true})
	if err != nil {
		return err
	}
	c.file, c.name, c.reserve = f, name, c.log.headRoom()
	return nil
}

// load appends all events to dst.
func (c *Cache) load(dst []byte) ([]byte, error) {
	if c.spilled > 0 {
		at := len(dst)
		dst = append(dst, make([]byte, c.spilled)...)
		if _, err := c.file.ReadAt(dst[at:], c.reserve); err != nil {
			return dst, fmt.Errorf("binlog cache: %w", err)
		}
	}
	return append(dst, c.buf...), nil
}

// seal writes and syncs all events, so that the file can become a binlog file.
func (c *Cache) seal() error {
	if len(c.buf) > 0 {
		if err := c.spill(); err != nil {
			return err
		}
	}
	if err := c.file.Truncate(c.reserve + c.spilled); err != nil {
		return fmt.Errorf("binlog cache: %w", err)
	}
	err := c.file.SyncAll()
	if err == nil {
		err = c.log.fs.SyncDir(c.log.spillPath())
	}
	if err != nil && !noRoom(err) {
		return c.log.fail(fmt.Errorf("cache: %w", err)) // what the disk holds is in doubt
	}
	return err
}

// widen copies the events into a file that leaves at least need bytes free for the head, which is
// rare: the sets must have grown by spillSlack.
func (c *Cache) widen(need int64) error {
	old, oldName, from, size := c.file, c.name, c.reserve, c.spilled
	c.file = nil
	if err := c.openFile(); err != nil {
		c.file = old
		return fmt.Errorf("binlog cache: %w", err)
	}
	c.reserve = max(c.reserve, (need+spillSlack)/vfs.BlockSize*vfs.BlockSize)
	c.spilled = 0
	var events []byte
	var err error
	for off := int64(0); off < size && err == nil; {
		if events, err = readEvents(events, old, from+off, from+size); err == nil {
			off += int64(len(events))
			c.buf = append(c.buf, events...)
			err = c.spill()
		}
	}
	old.Close()
	if removeErr := c.log.fs.Remove(oldName); err == nil {
		err = removeErr
	}
	if err != nil {
		return fmt.Errorf("binlog cache: %w", err)
	}
	return c.seal()
}

// readEvents reads whole events, a megabyte or one event, of what stands in [off, end) of a file.
func readEvents(dst []byte, f vfs.File, off, end int64) ([]byte, error) {
	n := min(end-off, keepBuffer)
	for {
		dst = slices.Grow(dst[:0], int(n))[:n]
		if _, err := f.ReadAt(dst, off); err != nil {
			return dst, err
		}
		whole := 0
		for whole+headerSize <= len(dst) && whole+eventLength(dst[whole:]) <= len(dst) {
			whole += eventLength(dst[whole:])
		}
		if whole > 0 {
			return dst[:whole], nil
		}
		n = int64(eventLength(dst))
	}
}

// handOver closes the file, which now belongs to the log.
func (c *Cache) handOver() {
	c.file.Close() // synced; the writer opens it again under its name
	c.file, c.spilled, c.buf = nil, 0, c.buf[:0]
}
