package binlog

import (
	"context"
	"encoding/binary"
	"fmt"
	"log/slog"
	"path"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"emberdb/internal/base"
	"emberdb/internal/invariants"
	"emberdb/internal/vfs"
)

// Redo is what the log needs of the redo log for units that are no transaction: a new file, a
// purge.
type Redo interface {
	// Append appends records as one group and returns the group's end.
	Append(records ...[]byte) (base.LSN, error)
	// FlushTo makes redo durable up to lsn.
	FlushTo(lsn base.LSN) error
}

// Options of a log.
type Options struct {
	Dir           string // folder of the files
	Base          string // log_bin_basename without folder: "binlog" gives binlog.000001
	Index         string // name of the index file; "" is Base.index
	ServerID      uint32
	ServerUUID    UUID
	ServerVersion string // "8.4.6-Ember"
	VersionNumber uint32 // 80406
	MaxSize       int64  // max_binlog_size; 0: 1 GiB
	CacheSize     int    // binlog_cache_size; 0: DefaultCacheSize
	MaxCacheSize  int64  // max_binlog_cache_size; 0: no limit
	// Threshold is the size of a transaction that gets a file of its own. 0: 32 MiB.
	Threshold int64
	// DirectAfter is how much at once goes past the page cache. 0: nothing does.
	DirectAfter int64
	NoChecksum  bool // files begun have no checksums, until SetChecksums says otherwise
	// DependencyHistory is binlog_transaction_dependency_history_size; 0: mostKeys.
	DependencyHistory int64
	// Anonymous: transactions have no name until SetNaming says otherwise.
	Anonymous bool
	// BeginAnew: where the old log cannot be completed, its files are left out and a new one
	// begins.
	BeginAnew bool
	Logger    *slog.Logger
	Failure   *base.Failure    // the engine's; nil: one of its own
	Now       func() time.Time // for tests
}

const (
	defaultMaxSize   = 1 << 30
	defaultThreshold = 32 << 20
	maxFile          = 1<<31 - 1
	// maxQueued bounds the memory of units that are on their way to the file.
	maxQueued = 64 << 20
)

func (o *Options) fill() error {
	if o.Base == "" || strings.ContainsAny(o.Base, "/\n") {
		return fmt.Errorf("log_bin: %q is no name for binary logs", o.Base)
	}
	if o.Index == "" {
		o.Index = o.Base + ".index"
	}
	if o.MaxSize <= 0 {
		o.MaxSize = defaultMaxSize
	}
	if o.CacheSize <= 0 {
		o.CacheSize = DefaultCacheSize
	}
	if o.DependencyHistory <= 0 {
		o.DependencyHistory = mostKeys
	}
	if o.Threshold <= 0 {
		o.Threshold = defaultThreshold
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Failure == nil {
		o.Failure = base.NewFailure()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return nil
}

// Position is a place in the log.
type Position struct {
	File   uint32
	Offset int64
}

// Compare orders positions.
func (p Position) Compare(o Position) int {
	switch {
	case p == o:
		return 0
	case p.File < o.File || p.File == o.File && p.Offset < o.Offset:
		return -1
	}
	return 1
}

// Log is the binary log of a server.
type Log struct {
	// What all commits read and hardly anything changes stands first, in lines of the processor's
	// caches apart from what each of them writes.
	fs        vfs.FS
	o         Options
	redo      Redo
	maxSize   atomic.Int64
	noSums    atomic.Bool // files to come have no checksums
	halts     atomic.Bool // the log is failed, waits for room, or has more than maxQueued to write: commits look under mu
	serverID  atomic.Uint32
	cacheSize int
	maxCache  int64
	gather    gather
	starts    starts
	// followers count those who want the log's news at once; pressed ends the writer's linger.
	followers atomic.Int32
	pressed   chan struct{}
	work      chan struct{} // tells the writer to look
	done      chan struct{} // closed when the writer has ended
	idle      *sync.Cond    // on mu: the writer has got on

	// fileMu guards the index: names, readers' claims.
	fileMu  invariants.Mutex[invariants.BinlogFiles]
	first   uint32 // oldest file
	last    uint32 // newest file that exists
	readers map[uint32]int
	heads   map[uint32]fileHead // heads of closed files, read when first needed

	// orderMu is held from Order to Placed, and guards where the next unit goes.
	orderMu      invariants.Mutex[invariants.BinlogOrder]
	file         uint32
	end          int64
	bare         bool  // the file has no checksums
	sequence     int64 // of the newest transaction, counted over the life of the server
	fileBase     int64 // sequence when the file began
	history      history
	compressions [2]Compression // of transactions that are not compressed, and of those that are
	packers      packers
	taken        *Set
	owned        map[GTID]*ownership // by sessions, see own.go
	unnamed      int                 // sessions that hold the right to an anonymous transaction
	anonymous    bool                // transactions without an assigned name have none
	order        Order

	mu struct {
		invariants.Mutex[invariants.BinlogState]
		given       given
		queue       []queued // in log order; those before first have become durable
		first       int
		ready       []queued // durable, for the writer: neighbours are one
		durable     base.LSN
		executed    *Set
		purged      *Set
		written     Position // readers see the log up to here: the end of an event, while the writer holds a part of the next one
		held        bool     // the writer has more of it, see blocks.go
		executedLSN base.LSN // of the newest unit in executed
		synced      Position // up to here files are synced
		syncedLSN   base.LSN // and these units are
		wantSync    base.LSN
		resets      uint64
		wake        chan struct{} // closed when written moves or the log ends
		full        error         // why the writer waits for room, see room.go
		queued      int64         // bytes of units that wait for the writer
		closing     bool
	}
	// What commits ask without mu. Changed under it.
	durable   atomic.Uint64 // units up to here have been counted; never above mu.durable
	committed atomic.Int64  // sequence of the newest durable transaction

	// Names of cache files are never used twice, for redo may name one of an earlier life: resets
	// so far, first file of this life, number.
	spillPrefix string
	spillNumber atomic.Uint64
	headSize    atomic.Int64
	stats       struct {
		cacheDiskUse, transactions, bytes, rotations, adopted, syncs atomic.Int64
	}
	w writer
	// Memory of units. Guarded by orderMu: chunk, which is being filled.
	chunk  *chunk
	chunks idleChunks
	larges sync.Pool // of *chunk with one unit
}

// unit is a run of bytes that enters the log whole.
type unit struct {
	pieces   []piece
	chunk    *chunk // the memory of one of them; nil: they have their own
	gtid     GTID
	sequence int64 // 0: no transaction
}

// queued is a piece on its way to the file. The last one of a unit carries what is to be done when
// it is durable, and written.
type queued struct {
	piece
	lsn      base.LSN // of the unit
	gtid     GTID
	sequence int64
	chunk    *chunk
	users    int32    // units that end in it
	since    base.LSN // of the first of them, once it is durable
}

// Name is the name of a file.
func (l *Log) Name(file uint32) string { return fileName(l.o.Base, file) }

func fileName(base string, file uint32) string { return fmt.Sprintf("%s.%06d", base, file) }

// ParseName gives the number of a file by its name, with or without a folder.
func (l *Log) ParseName(name string) (uint32, bool) { return parseName(l.o.Base, name) }

func parseName(base, name string) (uint32, bool) {
	digits, ok := strings.CutPrefix(path.Base(name), base+".")
	if !ok || len(digits) < 6 || len(digits) > 10 {
		return 0, false
	}
	n := uint64(0)
	for _, c := range []byte(digits) {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + uint64(c-'0')
	}
	return uint32(n), n > 0 && n <= maxFile && fileName(base, uint32(n)) == path.Base(name)
}

func (l *Log) path(file uint32) string { return path.Join(l.o.Dir, l.Name(file)) }
func (l *Log) spillPath() string       { return path.Join(l.o.Dir, spillDir) }
func (l *Log) seconds() uint32         { return uint32(l.o.Now().Unix()) }
func (l *Log) head() Head              { return l.headAt(l.seconds()) }
func (l *Log) headAt(at uint32) Head   { return Head{Time: at, ServerID: l.ServerID()} }

// ServerID is the number of this server in events.
func (l *Log) ServerID() uint32 { return l.serverID.Load() }

// SetServerID changes it.
func (l *Log) SetServerID(id uint32) { l.serverID.Store(id) }

// headRoom is what a cache file leaves free for its head: what a file begins with now and room for
// the sets to grow.
func (l *Log) headRoom() int64 {
	n := l.headSize.Load() + spillSlack
	return (n + vfs.BlockSize - 1) / vfs.BlockSize * vfs.BlockSize
}

// appendHead appends what a file begins with. created is the time of the server's start for the
// first file of its life, 0 for others.
func (l *Log) appendHead(dst []byte, previous *Set, created uint32, bare bool) []byte {
	start := len(dst)
	dst = append(dst, magic...)
	format, algorithm := len(dst), byte(checksumCRC32)
	if bare {
		algorithm = 0
	}
	dst = AppendFormatDescription(dst, l.head(), l.o.ServerVersion, created, algorithm)
	Place(dst[format:], int64(len(magic)))
	sets := len(dst)
	dst = AppendPreviousGTIDs(dst, l.head(), previous)
	if bare {
		dst = placeBare(dst[:sets], dst[sets:], int64(sets-start))
	} else {
		Place(dst[sets:], int64(sets-start))
	}
	l.headSize.Store(int64(len(dst) - start))
	return dst
}

// SetChecksums changes binlog_checksum for the files that are begun from now on, and tells whether
// it was another. The file of a large transaction has them always.
func (l *Log) SetChecksums(on bool) bool { return l.noSums.Swap(!on) == on }

// placed gives the events their positions, and checksums if the file has them.
// REQUIRES: orderMu held; they stand at pos of l.file.
func (l *Log) placed(events []byte, pos int64) []byte {
	if l.bare {
		return placeBare(events[:0], events, pos)
	}
	Place(events, pos)
	return events
}

// SetMaxSize changes max_binlog_size.
func (l *Log) SetMaxSize(n int64) { l.maxSize.Store(n) }

// Written is how far readers may read: the end of the log as SHOW BINARY LOG STATUS gives it.
func (l *Log) Written() Position {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.mu.written
}

// Executed is gtid_executed.
func (l *Log) Executed() *Set {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.mu.executed.Clone()
}

// Purged is gtid_purged.
func (l *Log) Purged() *Set {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.mu.purged.Clone()
}

// HasExecuted tells whether the set is part of gtid_executed.
func (l *Log) HasExecuted(set *Set) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.mu.executed.ContainsSet(set)
}

// ExecutedLSN is the end in redo of the newest transaction in gtid_executed.
func (l *Log) ExecutedLSN() base.LSN {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.mu.executedLSN
}

// WaitExecuted waits until the set is part of gtid_executed.
func (l *Log) WaitExecuted(ctx context.Context, set *Set) error {
	l.follow()
	defer l.unfollow()
	for {
		l.mu.Lock()
		has, wake, err := l.mu.executed.ContainsSet(set), l.mu.wake, l.Err()
		l.mu.Unlock()
		if has || err != nil {
			return err
		}
		select {
		case <-wake:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Err is why the engine has failed, and the log with it; nil if it has not.
func (l *Log) Err() error { return l.o.Failure.Err() }

// fail has the engine fail for a reason of the log. REQUIRES: l.mu is free.
func (l *Log) fail(err error) error { return l.o.Failure.Enter(fmt.Errorf("binary log: %w", err)) }

// failed is told when the engine has failed.
func (l *Log) failed() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.haltLocked()
	l.wakeLocked()
}

// wakeLocked wakes readers and those who wait for the writer. REQUIRES: l.mu held.
func (l *Log) wakeLocked() {
	close(l.mu.wake)
	l.mu.wake = make(chan struct{})
	l.idle.Broadcast()
}

// poke tells the writer to look.
func (l *Log) poke() {
	select {
	case l.work <- struct{}{}:
	default:
	}
}

// Stats of the log.
type Stats struct {
	Transactions, Bytes, Rotations int64
	CacheDiskUse                   int64 // times a cache went to disk
	Adopted                        int64 // transactions with a file of their own
	Syncs                          int64 // of binlog files
}

// Stats counts since the start.
func (l *Log) Stats() Stats {
	s := &l.stats
	return Stats{s.transactions.Load(), s.bytes.Load(), s.rotations.Load(), s.cacheDiskUse.Load(), s.adopted.Load(), s.syncs.Load()}
}

// eventLength reads the length of the event at the start of b.
func eventLength(b []byte) int { return int(binary.LittleEndian.Uint32(b[9:])) }
