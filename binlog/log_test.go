package binlog

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-mysql-org/go-mysql/replication"
	"github.com/stretchr/testify/require"

	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// fakeRedo is a redo log in memory. A crash keeps what was flushed and a random part of the rest.
type fakeRedo struct {
	mu      sync.Mutex
	groups  []redoGroup
	end     base.LSN
	durable base.LSN
	err     error
}

type redoGroup struct {
	records [][]byte
	end     base.LSN
}

func (r *fakeRedo) Append(records ...[]byte) (base.LSN, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err != nil {
		return 0, r.err
	}
	g := redoGroup{}
	for _, b := range records {
		g.records = append(g.records, append([]byte(nil), b...))
		r.end += base.LSN(len(b))
	}
	g.end = r.end
	r.groups = append(r.groups, g)
	return r.end, nil
}

func (r *fakeRedo) FlushTo(lsn base.LSN) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.durable = max(r.durable, lsn)
	return r.err
}

func (r *fakeRedo) crash(rnd *rand.Rand) {
	n := len(r.groups)
	for n > 0 && r.groups[n-1].end > r.durable {
		n--
	}
	if more := len(r.groups) - n; more > 0 {
		n += rnd.IntN(more + 1)
	}
	r.groups = r.groups[:n]
	r.end = 0
	if n > 0 {
		r.end = r.groups[n-1].end
	}
	r.durable = r.end
}

var testUUID = UUID{0x3e, 0x11, 0xfa, 0x47, 0x71, 0xca, 0x11, 0xe1, 0x9e, 0x33, 0xc8, 0x0a, 0xa9, 0x42, 0x95, 0x62}

// testServer is what stands around a log: redo, checkpoints, and a memory of what was committed.
type testServer struct {
	t       *testing.T
	fs      *vfs.Mem
	redo    *fakeRedo
	o       Options
	log     *Log
	stored  []byte   // state of the last checkpoint
	lsn     base.LSN // of the last checkpoint
	commits []testCommit
	cleared base.LSN // resets: commits below count no more
	tagged  bool     // some commits have names with tags
	named   int64    // names given to commits, all lives together
}

type testCommit struct {
	gtid GTID
	text string
	lsn  base.LSN
}

func newServer(t *testing.T, fs *vfs.Mem, o Options) *testServer {
	require.NoError(t, fs.MkdirAll("/data"))
	o.Dir, o.Base, o.ServerID, o.ServerUUID, o.ServerVersion, o.VersionNumber = "/data", "binlog", 7, testUUID, "8.4.6-Ember", 80406
	return &testServer{t: t, fs: fs, redo: new(fakeRedo), o: o}
}

// open recovers and starts the log.
func (s *testServer) open() error {
	var state *State
	if s.stored != nil {
		var err error
		if state, err = ParseState(s.stored); err != nil {
			return err
		}
	}
	r, err := Open(s.fs, s.o, state)
	if err != nil {
		return err
	}
	for _, g := range s.redo.groups {
		if g.end <= s.lsn {
			continue
		}
		for _, b := range g.records {
			if err := r.Apply(b); err != nil {
				return err
			}
		}
	}
	if s.log, err = r.Finish(s.redo); err == nil && s.stored == nil {
		err = s.checkpoint()
	}
	return err
}

// commit runs a transaction. text marks it; flush is the sync of redo.
func (s *testServer) commit(c *Cache, text string, flush bool) error {
	h := Head{Time: 1, ServerID: s.o.ServerID}
	if err := c.Query(h, &Query{SQL: "BEGIN"}); err != nil {
		return err
	}
	for rest := text; ; {
		n := min(len(rest), 200)
		if err := c.Query(h, &Query{Database: "d", SQL: rest[:n]}); err != nil {
			return err
		}
		if rest = rest[n:]; rest == "" {
			break
		}
	}
	if err := c.Xid(h, 1); err != nil {
		return err
	}
	return s.finish(c, text, flush)
}

func (s *testServer) finish(c *Cache, text string, flush bool) error {
	o, err := s.log.Order(c, s.decision())
	if err != nil {
		return err
	}
	var bodies [][]byte
	for r := o.Records(1 << 10); r.More(); {
		head, data := r.Next()
		bodies = append(bodies, slices.Concat(head, data))
	}
	// Large units take several groups.
	for len(bodies) > 3 {
		if _, err := s.redo.Append(bodies[:3]...); err != nil {
			o.Abandon()
			return err
		}
		bodies = bodies[3:]
	}
	lsn, err := s.redo.Append(bodies...)
	if err != nil {
		o.Abandon()
		return err
	}
	s.commits = append(s.commits, testCommit{o.GTID(), text, lsn})
	o.Placed(lsn)
	if flush {
		if err := s.redo.FlushTo(lsn); err != nil {
			return err
		}
	}
	s.log.Durable(lsn)
	c.Reset()
	return nil
}

// decision names the next commit.
func (s *testServer) decision() *Decision {
	if !s.tagged {
		return nil
	}
	s.named++
	one, _ := ParseTag("one")
	other, _ := ParseTag("other_tag_of_" + strings.Repeat("x", 19))
	switch {
	case s.named%5 == 1:
		return &Decision{Tag: one}
	case s.named%5 == 3:
		return &Decision{Assigned: true, GTID: GTID{Source{UUID{15: 0xff}, other}, 1 << 40 * s.named}, OriginalTime: 1600000000000000, OriginalVersion: 90704}
	}
	return nil
}

func (s *testServer) checkpoint() error {
	s.redo.mu.Lock()
	lsn := s.redo.durable
	s.redo.mu.Unlock()
	state, err := s.log.SyncTo(lsn)
	if err != nil {
		return err
	}
	return s.store(state, lsn)
}

func (s *testServer) store(state *State, lsn base.LSN) error {
	if err := s.redo.FlushTo(state.LSN); err != nil {
		return err
	}
	s.stored, s.lsn = state.Append(nil), lsn
	return nil
}

// survivors are the commits redo still has.
func (s *testServer) survivors() (out []testCommit) {
	for _, c := range s.commits {
		if c.lsn <= s.redo.end && c.lsn > s.cleared {
			out = append(out, c)
		}
	}
	return out
}

// verify reads all files from outside and compares with what was committed.
func (s *testServer) verify() {
	t := s.t
	want := s.survivors()
	executed := new(Set)
	for _, c := range want {
		executed.Add(c.gtid)
	}
	require.Equal(t, executed.String(), s.log.Executed().String())
	require.NoError(t, s.log.waitWritten(Position{s.log.file, s.log.end}))
	first, last := s.log.Range()
	require.Equal(t, s.log.Written().File, last)
	var got []testCommit
	seen := s.log.Purged()
	for n := first; n <= last; n++ {
		f, err := OpenFile(s.fs, s.log.path(n))
		require.NoError(t, err)
		limit, err := f.Size()
		require.NoError(t, err)
		if n == last {
			limit = s.log.Written().Offset
		}
		sequence, transaction := int64(0), int64(0)
		for {
			e, err := f.Next(limit)
			if errors.Is(err, io.EOF) {
				break
			}
			require.NoError(t, err)
			require.Equal(t, uint32(e.End()), e.LogPos)
			if e.Type == EventXid {
				require.Equal(t, transaction, e.End(), "end of a transaction, as its first event tells")
			}
			b := e.Body()
			switch e.Type {
			case EventPreviousGTIDs:
				set, err := ParseBinary(b)
				require.NoError(t, err)
				require.Equal(t, seen.String(), set.String(), "previous GTIDs of file %d", n)
			case EventGTID, EventGTIDTagged:
				g, ok := parseGTID(e.Type, b)
				require.True(t, ok)
				seen.Add(g)
				got = append(got, testCommit{gtid: g})
				theirs := theirGTID(t, &e)
				require.Equal(t, g, GTID{Source{UUID(theirs.SID), tagOf(theirs.Tag)}, theirs.GNO})
				sequence++
				require.Equal(t, sequence, theirs.SequenceNumber, "sequence number in file %d", n)
				require.Less(t, theirs.LastCommitted, sequence)
				transaction = e.Pos + int64(theirs.TransactionLength)
			case EventQuery:
				if sql := string(b[bytesBeforeSQL(b):]); sql != "BEGIN" {
					got[len(got)-1].text += sql
				}
			}
		}
		require.Equal(t, limit, f.Pos(), "file %d ends in the middle of an event", n)
		require.NoError(t, f.Close())
	}
	skipped := len(want) - len(got)
	require.GreaterOrEqual(t, skipped, 0)
	for i, c := range want {
		if i < skipped {
			require.True(t, s.log.Purged().Contains(c.gtid), "%s is neither in a file nor purged; purged %s, files %d to %d hold %s", c.gtid,
				s.log.Purged(), first, last, seen)
			continue
		}
		require.Equal(t, c.gtid, got[i-skipped].gtid)
		require.Equal(t, c.text, got[i-skipped].text)
	}
	listedFirst, listedLast, err := readIndex(s.fs, &s.log.o)
	require.NoError(t, err)
	require.Equal(t, [2]uint32{first, last}, [2]uint32{listedFirst, listedLast})
}

// theirGTID is what another implementation reads in the event.
func theirGTID(t *testing.T, e *Event) *replication.GTIDEvent {
	t.Helper()
	if e.Type == EventGTIDTagged {
		var x replication.GtidTaggedLogEvent
		require.NoError(t, x.Decode(e.Body()))
		return &x.GTIDEvent
	}
	x := new(replication.GTIDEvent)
	require.NoError(t, x.Decode(e.Body()))
	return x
}

func tagOf(name string) Tag {
	t, _ := ParseTag(name)
	return t
}

func bytesBeforeSQL(b []byte) int {
	return 13 + int(binary.LittleEndian.Uint16(b[11:])) + int(b[8]) + 1
}

// smallLimits make every path short.
func smallLimits() Options {
	return Options{MaxSize: 4000, CacheSize: 500, Threshold: 6000, Now: func() time.Time { return time.Unix(1700000000, 0) }}
}

// script is a life of a server: small and large transactions, rotations, checkpoints, purges,
// resets, files with and without checksums.
func (s *testServer) script(rnd *rand.Rand) error {
	s.o.NoChecksum, s.tagged = rnd.IntN(3) == 0, rnd.IntN(2) == 0
	if rnd.IntN(2) == 0 {
		s.o.DirectAfter, s.o.MaxSize = []int64{1, 700}[rnd.IntN(2)], 30000 // files of several blocks; all past the page cache, or some
	}
	if err := s.open(); err != nil {
		return err
	}
	c := s.log.NewCache()
	for i := range 14 {
		size := []int{10, 300, 1500, 9000}[rnd.IntN(4)]
		text := fmt.Sprintf("%d:", i) + strings.Repeat(string(rune('a'+i)), size)
		if err := s.commit(c, text, rnd.IntN(3) > 0); err != nil {
			return err
		}
		switch rnd.IntN(6) {
		case 0:
			if err := s.checkpoint(); err != nil {
				return err
			}
		case 1:
			if err := s.log.Rotate(); err != nil {
				return err
			}
		case 2:
			first, last := s.log.Range()
			if last > first {
				if err := s.log.PurgeTo(s.log.Name(first + 1)); err != nil {
					return err
				}
			}
		case 3:
			if i == 7 {
				if err := s.log.Reset(0); err != nil {
					return err
				}
				s.cleared = s.redo.end
			}
		case 4:
			if s.log.SetChecksums(rnd.IntN(2) == 0) && rnd.IntN(4) > 0 {
				if err := s.log.Rotate(); err != nil {
					return err
				}
			}
		}
	}
	if err := c.Close(); err != nil {
		return err
	}
	state, err := s.log.Close()
	if err != nil {
		return err
	}
	return s.store(state, s.redo.end)
}

func TestLifeWithoutCrash(t *testing.T) {
	for seed := range uint64(20) {
		s := newServer(t, vfs.NewMem(seed), smallLimits())
		rnd := rand.New(rand.NewPCG(seed, 1))
		require.NoError(t, s.script(rnd), "seed %d", seed)
		require.NoError(t, s.open(), "seed %d", seed)
		s.verify()
		_, err := s.log.Close()
		require.NoError(t, err)
	}
}

// shutdown ends the goroutine of a log whose disk is gone.
func (s *testServer) shutdown() {
	if s.log != nil {
		s.redo.err = errors.New("gone")
		s.log.fail(errors.New("gone"))
		s.log.Close()
		s.redo.err = nil
		s.log = nil
	}
}

func TestPowerCut(t *testing.T) {
	const seeds = 3
	for seed := range uint64(seeds) {
		for k := int64(0); ; k++ {
			fs := vfs.NewMem(seed*1000 + uint64(k))
			s := newServer(t, fs, smallLimits())
			fs.CrashAt(k)
			err := s.script(rand.New(rand.NewPCG(seed, 2)))
			if !fs.Crashed() {
				require.NoError(t, err)
				break
			}
			t.Logf("seed %d, cut at %d", seed, k)
			s.shutdown()
			rnd := rand.New(rand.NewPCG(seed, uint64(k)))
			s.recoverAfterCut(rnd)
			// Two more lives, in which the redo of the first is still there, unfinished units and
			// all.
			for range 2 {
				s.fs.CrashAt(rnd.Int64N(60))
				err := s.script(rnd)
				if !s.fs.Crashed() {
					require.NoError(t, err)
					break
				}
				s.shutdown()
				s.recoverAfterCut(rnd)
			}
		}
	}
}

// recoverAfterCut recovers, once with another power cut in between, looks at what is there, and
// stops.
func (s *testServer) recoverAfterCut(rnd *rand.Rand) {
	s.redo.crash(rnd)
	s.cleared = 0
	for _, g := range s.redo.groups {
		if g.records[0][0] == recordReset {
			s.cleared = g.end
		}
	}
	s.commits = s.survivors()
	for cut := rnd.Int64N(12); ; cut = -1 {
		s.fs = s.fs.Reboot(rnd.Uint64())
		s.fs.CrashAt(cut)
		err := s.open()
		if s.fs.Crashed() {
			s.shutdown()
			continue
		}
		require.NoError(s.t, err)
		s.fs.CrashAt(-1)
		break
	}
	s.verify()
	c := s.log.NewCache()
	require.NoError(s.t, s.commit(c, "after", true))
	require.NoError(s.t, c.Close())
	s.verify()
	if rnd.IntN(2) == 0 {
		s.shutdown()
		s.fs.Crash()
		s.fs = s.fs.Reboot(rnd.Uint64())
		return
	}
	_, err := s.log.Close()
	require.NoError(s.t, err)
	s.log = nil
}

func TestReaderFollows(t *testing.T) {
	s := newServer(t, vfs.NewMem(1), smallLimits())
	require.NoError(t, s.open())
	r, err := s.log.NewReader(Position{File: 1})
	require.NoError(t, err)
	var texts []string
	done := make(chan error, 1)
	go func() {
		for {
			e, err := r.Next(context.Background())
			if err != nil {
				done <- err
				return
			}
			if e.Type == EventGTID {
				texts = append(texts, "")
			}
			if e.Type == EventQuery {
				if sql := string(e.Body()[bytesBeforeSQL(e.Body()):]); sql != "BEGIN" {
					texts[len(texts)-1] += sql
				}
			}
		}
	}()
	c := s.log.NewCache()
	var want []string
	for i := range 60 {
		want = append(want, strings.Repeat(string(rune('a'+i%26)), 1+i*157))
		require.NoError(t, s.commit(c, want[i], true))
	}
	require.NoError(t, c.Close())
	require.ErrorIs(t, s.log.PurgeTo(s.log.Name(99)), ErrUnknownFile)
	_, err = s.log.Close()
	require.NoError(t, err)
	require.ErrorIs(t, <-done, io.EOF)
	require.Equal(t, want, texts)
	require.NoError(t, r.Close())
}

// TestWrittenIsAnEventsEnd looks where readers may read to while nobody follows the log, which then
// is written in blocks: never into an event. A reader that comes at any time finds whole events.
func TestWrittenIsAnEventsEnd(t *testing.T) {
	s := newServer(t, vfs.NewMem(1), Options{DirectAfter: 1})
	require.NoError(t, s.open())
	c := s.log.NewCache()
	seen := map[Position]bool{}
	for i := range 60 {
		require.NoError(t, s.commit(c, strings.Repeat("x", 1+i*1237%9000), true))
		for range 10 {
			seen[s.log.Written()] = true
			time.Sleep(50 * time.Microsecond)
		}
		if i%20 == 0 {
			r, err := s.log.NewReader(Position{1, 4})
			require.NoError(t, err)
			for ok := true; ok; {
				_, ok, err = r.TryNext()
				require.NoError(t, err)
			}
			require.NoError(t, r.Close())
		}
	}
	require.NoError(t, s.log.Settle())
	ends := map[int64]bool{0: true}
	f, err := OpenFile(s.fs, "/data/binlog.000001")
	require.NoError(t, err)
	size, err := f.Size()
	require.NoError(t, err)
	for err = nil; err == nil; {
		var e Event
		if e, err = f.Next(size); err == nil {
			ends[e.End()] = true
		}
	}
	require.ErrorIs(t, err, io.EOF)
	require.NoError(t, f.Close())
	for at := range seen {
		require.True(t, ends[at.Offset], "readers may read to %d, within an event", at.Offset)
	}
	_, err = s.log.Close()
	require.NoError(t, err)
}

func TestPurgeKeepsWhatAReaderHolds(t *testing.T) {
	s := newServer(t, vfs.NewMem(1), smallLimits())
	require.NoError(t, s.open())
	c := s.log.NewCache()
	for range 5 {
		require.NoError(t, s.commit(c, "x", true))
		require.NoError(t, s.log.Rotate())
	}
	r, err := s.log.NewReader(Position{File: 3})
	require.NoError(t, err)
	require.ErrorIs(t, s.log.PurgeTo("binlog.000005"), ErrFileInUse)
	first, last := s.log.Range()
	require.EqualValues(t, 3, first)
	require.EqualValues(t, 6, last)
	require.NoError(t, r.Close())
	require.NoError(t, s.log.PurgeTo("binlog.000005"))
	require.Equal(t, testUUID.String()+":1-4", s.log.Purged().String())
	_, err = s.log.FindStart(new(Set))
	require.ErrorIs(t, err, ErrPurged)
	have, err := ParseSet(testUUID.String() + ":1-4")
	require.NoError(t, err)
	pos, err := s.log.FindStart(have)
	require.NoError(t, err)
	require.Equal(t, Position{5, 4}, pos)
	s.verify()
	_, err = s.log.Close()
	require.NoError(t, err)
}

// TestStartOpensOneFile counts what a start touches with many files: after a clean stop, and after
// a crash with all of them behind the checkpoint.
func TestStartOpensOneFile(t *testing.T) {
	for _, clean := range []bool{true, false} {
		s := newServer(t, vfs.NewMem(1), smallLimits())
		require.NoError(t, s.open())
		c := s.log.NewCache()
		for range 300 {
			require.NoError(t, s.commit(c, "x", true))
			require.NoError(t, s.log.Rotate())
		}
		require.NoError(t, c.Close())
		if clean {
			require.NoError(t, s.checkpoint())
		}
		s.shutdown()
		opened, bytesRead := map[string]bool{}, 0
		s.fs.Trace(func(e vfs.Event) {
			if strings.Contains(e.Name, "/binlog.0") {
				opened[e.Name] = true
				if e.Op == vfs.OpRead {
					bytesRead += e.Len
				}
			}
		})
		require.NoError(t, s.open())
		s.fs.Trace(nil)
		require.Len(t, opened, 2, "the newest file and the new one: %v", opened)
		require.LessOrEqual(t, bytesRead, 2*readWindow)
		s.verify()
		_, err := s.log.Close()
		require.NoError(t, err)
	}
}

func TestConcurrentCommits(t *testing.T) {
	s := newServer(t, vfs.NewMem(1), smallLimits())
	require.NoError(t, s.open())
	var mu sync.Mutex // of testServer.commits: Order holds the log's own order, but the slice is ours
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			c := s.log.NewCache()
			defer c.Close()
			for i := range 40 {
				h := Head{Time: 1}
				text := fmt.Sprintf("%d/%d", g, i) + strings.Repeat("z", i*20)
				if c.Query(h, &Query{SQL: "BEGIN"}) != nil || c.Query(h, &Query{SQL: text}) != nil || c.Xid(h, 1) != nil {
					panic("cache")
				}
				if err := s.finish(c, text, i%2 == 0); err != nil {
					panic(err)
				}
				if i%10 == 0 {
					mu.Lock()
					err := s.checkpoint()
					mu.Unlock()
					if err != nil {
						panic(err)
					}
				}
			}
		})
	}
	wg.Wait()
	require.Len(t, s.survivors(), 320)
	s.verify()
	_, err := s.log.Close()
	require.NoError(t, err)
}

func TestBadFilesAreNamed(t *testing.T) {
	setup := func() *testServer {
		s := newServer(t, vfs.NewMem(1), smallLimits())
		require.NoError(t, s.open())
		c := s.log.NewCache()
		require.NoError(t, s.commit(c, "x", true))
		state, err := s.log.Close()
		require.NoError(t, err)
		require.NoError(t, s.store(state, s.redo.end))
		return s
	}
	fails := func(s *testServer, text string) {
		err := s.open()
		require.ErrorIs(t, err, base.ErrCorrupt)
		require.ErrorContains(t, err, text)
	}
	s := setup()
	require.NoError(t, s.fs.Remove("/data/binlog.000001"))
	fails(s, "missing")

	s = setup()
	f, err := s.fs.Open("/data/binlog.000001", vfs.Options{})
	require.NoError(t, err)
	require.NoError(t, f.Truncate(100))
	fails(s, "the file ends here")

	s = setup()
	require.NoError(t, s.fs.FlipBit("/data/binlog.000001", 0))
	fails(s, "not a binary log")

	s = setup()
	require.NoError(t, s.fs.FlipBit("/data/binlog.000001", 8*30))
	fails(s, "checksum")

	s = setup()
	require.NoError(t, vfs.WriteFile(s.fs, "/data/binlog.index", []byte("./binlog.000001\n./other.000002\n")))
	fails(s, `/data/binlog.index`)

	s = setup()
	require.NoError(t, s.fs.Remove("/data/binlog.index"))
	require.NoError(t, s.open(), "a missing index is made again")
	s.verify()
	_, err = s.log.Close()
	require.NoError(t, err)
}

// TestBeginAnew loses the newest file, or its bytes: a start that is told to goes on with a new
// log. What was executed is purged; the numbers of files and transactions go on. The next start
// needs no telling, whatever became of its checkpoint.
func TestBeginAnew(t *testing.T) {
	for name, lose := range map[string]func(s *testServer){
		"missing": func(s *testServer) { require.NoError(t, s.fs.Remove("/data/binlog.000002")) },
		"short": func(s *testServer) {
			f, err := s.fs.Open("/data/binlog.000002", vfs.Options{})
			require.NoError(t, err)
			require.NoError(t, f.Truncate(50))
			require.NoError(t, f.Close())
		},
		"foreign": func(s *testServer) { require.NoError(t, s.fs.FlipBit("/data/binlog.000002", 0)) },
		"all": func(s *testServer) {
			for _, name := range []string{"binlog.000001", "binlog.000002", "binlog.index"} {
				require.NoError(t, s.fs.Remove("/data/"+name))
			}
		},
	} {
		for _, clean := range []bool{true, false} {
			t.Run(fmt.Sprint(name, clean), func(t *testing.T) {
				s := newServer(t, vfs.NewMem(1), Options{})
				require.NoError(t, s.open())
				c := s.log.NewCache()
				require.NoError(t, s.commit(c, "in the first file", true))
				require.NoError(t, s.log.Rotate())
				require.NoError(t, s.checkpoint())
				require.NoError(t, s.commit(c, "in the second", true))
				if clean {
					require.NoError(t, s.checkpoint())
				}
				before := s.log.Executed().String()
				s.shutdown()
				lose(s)
				err := s.open()
				require.ErrorIs(t, err, base.ErrCorrupt)
				require.ErrorContains(t, err, "--ember-binlog-begin-anew")
				s.o.BeginAnew = true
				require.NoError(t, s.open())
				s.o.BeginAnew = false
				for range 2 {
					require.Equal(t, before, s.log.Executed().String())
					require.Equal(t, before, s.log.Purged().String())
					first, _ := s.log.Range()
					require.Equal(t, uint32(3), first)
					s.shutdown()
					require.NoError(t, s.open())
				}
				c = s.log.NewCache()
				require.NoError(t, s.commit(c, "in the new log", true))
				require.Equal(t, int64(3), s.commits[2].gtid.N)
				s.verify()
				_, err = s.log.Close()
				require.NoError(t, err)
			})
		}
	}
}

// TestLostIndexAndFiles: what stood in files that went with the index counts as purged, for no
// reader gets it.
func TestLostIndexAndFiles(t *testing.T) {
	s := newServer(t, vfs.NewMem(1), Options{})
	require.NoError(t, s.open())
	c := s.log.NewCache()
	require.NoError(t, s.commit(c, "in the first file", true))
	purged := s.log.Executed().String()
	require.NoError(t, s.log.Rotate())
	require.NoError(t, s.commit(c, "in the second", true))
	s.shutdown()
	require.NoError(t, s.fs.Remove("/data/binlog.index"))
	require.NoError(t, s.fs.Remove("/data/binlog.000001"))
	require.NoError(t, s.open())
	require.Equal(t, purged, s.log.Purged().String())
	s.verify()
	_, err := s.log.Close()
	require.NoError(t, err)
}

func TestAbandonAndAssigned(t *testing.T) {
	s := newServer(t, vfs.NewMem(1), smallLimits())
	require.NoError(t, s.open())
	c := s.log.NewCache()
	require.NoError(t, s.commit(c, "one", true))
	s.redo.err = errors.New("full")
	require.Error(t, s.commit(c, strings.Repeat("long", 1000), true))
	c.Reset()
	s.redo.err = nil
	require.NoError(t, s.commit(c, "two", true))
	require.Equal(t, testUUID.String()+":1-2", s.log.Executed().String())
	require.NoError(t, c.Query(Head{}, &Query{SQL: "BEGIN"}))
	_, err := s.log.Order(c, &Decision{Assigned: true, GTID: GTID{Source{Server: testUUID}, 2}})
	require.ErrorIs(t, err, ErrGTIDUsed)
	o, err := s.log.Order(c, &Decision{Assigned: true, GTID: GTID{Source{Server: testUUID}, 9}})
	require.NoError(t, err)
	require.Equal(t, GTID{Source{Server: testUUID}, 9}, o.GTID())
	o.Abandon()
	s.verify()
	_, err = s.log.Close()
	require.NoError(t, err)
}

func TestCacheTruncates(t *testing.T) {
	s := newServer(t, vfs.NewMem(1), smallLimits())
	require.NoError(t, s.open())
	c := s.log.NewCache()
	h := Head{Time: 1}
	var marks []int64
	for i := range 30 {
		marks = append(marks, c.Mark())
		require.NoError(t, c.Query(h, &Query{SQL: fmt.Sprintf("s%d;", i)}))
	}
	require.Greater(t, c.spilled, int64(0))
	require.NoError(t, c.Truncate(marks[29]))
	require.NoError(t, c.Truncate(marks[3]))
	require.NoError(t, c.Query(h, &Query{SQL: "end"}))
	require.NoError(t, s.finish(c, "s0;s1;s2;end", true))
	s.verify()
	require.NoError(t, c.Close())
	_, err := s.log.Close()
	require.NoError(t, err)
}
