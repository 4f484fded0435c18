package txn

import (
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/binlog"
	"emberdb/engine/catalog"
	"emberdb/engine/redo"
	"emberdb/internal/base"
)

// openJournals begins a binary log beside the environment's redo.
func (e *env) openJournals() *Journals {
	r, err := binlog.Open(e.fs, binlog.Options{Dir: "binlog", Base: "binlog", ServerID: 7, ServerUUID: binlog.UUID{1}, ServerVersion: "8.4.0-ember",
		VersionNumber: 80400, Failure: e.log.Failure()}, nil)
	require.NoError(e.t, err)
	log, err := r.Finish(binlogRedo{e})
	require.NoError(e.t, err)
	e.t.Cleanup(func() { _, _ = log.Close() })
	js := new(Journals)
	js.Start(log)
	return js
}

type binlogRedo struct{ e *env }

func (r binlogRedo) Append(records ...[]byte) (base.LSN, error) {
	m := r.e.pool.BeginNested()
	for _, rec := range records {
		m.Log(redo.OpBinlog, rec)
	}
	return m.Commit()
}

func (r binlogRedo) FlushTo(lsn base.LSN) error { return r.e.log.FlushTo(lsn) }

// session is a session whose statements say nothing of themselves.
type session struct{}

var plainSession binlog.Query

func (session) Statement(i *StatementInfo) {
	*i = StatementInfo{Head: binlog.Head{Time: 1, ServerID: 7}, Session: &plainSession}
}

func (session) Unlogged(*catalog.Table) bool { return false }
func (session) Named(binlog.GTID)            {}

// logged gives t a journal with one statement.
func logged(js *Journals, t *Trx, text string) (*Journal, error) {
	j := js.New(session{})
	j.Attach(t)
	return j, j.Query(text, false, nil)
}

// TestEventsAreInTheCommitGroup: recovery finds both the commit and its events, or none of them.
func TestEventsAreInTheCommitGroup(t *testing.T) {
	e := newEnv(t, 256, 0)
	js := e.openJournals()
	from := e.log.Appended()
	w := e.begin(RepeatableRead)
	e.mustChange(w, 1, 1)
	j, err := logged(js, w, "a change")
	require.NoError(t, err)
	require.NoError(t, e.sys.Commit(w, SyncFlush))
	require.True(t, j.Logged())
	require.False(t, j.Attached())
	empty := e.begin(RepeatableRead)
	_, err = logged(js, empty, "no rows")
	require.NoError(t, err)
	require.NoError(t, e.sys.Commit(empty, SyncFlush))
	require.GreaterOrEqual(t, e.log.Durable(), e.log.Appended())
	require.EqualValues(t, 2, js.log.Executed().Count())
	var both, alone int
	for r := e.log.NewReader(from); ; {
		g, err := r.Next()
		if err != nil {
			break
		}
		var ops []redo.Op
		for rec, err := range redo.Records(g.Payload) {
			require.NoError(t, err)
			ops = append(ops, rec.Op)
		}
		switch {
		case slices.Equal(ops, []redo.Op{opLogState, redo.OpBinlog}):
			both++
		case slices.Equal(ops, []redo.Op{redo.OpBinlog}):
			alone++
		}
	}
	require.Equal(t, 1, both)
	require.Equal(t, 1, alone)
}

// TestUnloggedEndStaysPrepared: a prepared transaction whose end cannot be logged is prepared as
// before, as its coordinator was told.
func TestUnloggedEndStaysPrepared(t *testing.T) {
	e := newEnv(t, 256, 1000)
	js := e.openJournals()
	x := XID{Format: 1, Gtrid: "g", Bqual: "b"}
	w := e.begin(RepeatableRead)
	e.mustChange(w, 1, 5)
	j, err := logged(js, w, "a change")
	require.NoError(t, err)
	j.Branch = &x
	require.NoError(t, e.sys.Prepare(w, Branch{XID: x}, SyncFlush))
	require.True(t, w.Branch().Logged)
	used := binlog.GTID{Source: binlog.Source{Server: binlog.UUID{1}}, N: 1}
	for _, commit := range []bool{true, false} {
		j = js.New(session{})
		j.Next = &NextGTID{Decision: binlog.Decision{Assigned: true, GTID: used}}
		require.ErrorIs(t, e.sys.EndPrepared(w, commit, SyncFlush, j), binlog.ErrGTIDUsed)
		require.False(t, w.Ended())
		require.False(t, j.Attached())
		r := e.begin(ReadCommitted)
		require.Zero(t, e.mustRead(r.View(), 1))
		e.mustCommit(r)
	}
	require.NoError(t, e.sys.EndPrepared(w, true, SyncFlush, js.New(session{})))
	require.True(t, w.Ended())
	r := e.begin(ReadCommitted)
	require.EqualValues(t, 5, e.mustRead(r.View(), 1))
	e.mustCommit(r)
}

// sight is what a view saw: of which transactions, and how many replicas had confirmed by then.
type sight struct {
	seen      map[base.TrxID]bool // those that had begun
	confirmed int
}

// TestVisibleInLogOrder: what a view sees of the binary log is a prefix of it, and nothing that
// replicas have yet to confirm.
func TestVisibleInLogOrder(t *testing.T) {
	for _, acks := range []bool{false, true} {
		e := newEnv(t, 256, 0)
		js := e.openJournals()
		var mu sync.Mutex // guards what follows
		begun := map[base.TrxID]int64{}
		var confirmed []binlog.Position
		var sights []sight
		if acks {
			js.SetAcks(func(end binlog.Position) {
				runtime.Gosched()
				mu.Lock()
				defer mu.Unlock()
				confirmed = append(confirmed, end)
			})
		}
		done := make(chan struct{})
		var writers, readers sync.WaitGroup
		for w := range 8 {
			writers.Go(func() {
				for i := range 50 {
					trx := e.sys.Begin(RepeatableRead, false)
					err := e.change(trx, w*20+i%20, uint64(i+1), false)
					j, failed := logged(js, trx, "a change")
					if err != nil || failed != nil {
						t.Errorf("change: %v, %v", err, failed)
					}
					id := trx.ID()
					mu.Lock()
					begun[id] = 0
					mu.Unlock()
					if err := e.sys.Commit(trx, []SyncMode{SyncFlush, SyncNone, SyncWrite}[i%3]); err != nil {
						t.Errorf("commit: %v", err)
					}
					mu.Lock()
					begun[id] = int64(j.LastGTID().N)
					mu.Unlock()
				}
			})
		}
		readers.Go(func() {
			e.watch(done, func(view *ReadView) {
				mu.Lock()
				defer mu.Unlock()
				s := sight{seen: map[base.TrxID]bool{}, confirmed: len(confirmed)}
				for id := range begun {
					s.seen[id] = view.Sees(id)
				}
				sights = append(sights, s)
			})
		})
		writers.Wait()
		close(done)
		readers.Wait()
		require.Len(t, begun, 8*50)
		byPlace := slices.SortedFunc(slices.Values(confirmed), binlog.Position.Compare)
		for _, s := range sights {
			last, hidden := int64(0), int64(1<<62)
			for id, seen := range s.seen {
				if n := begun[id]; seen {
					last = max(last, n)
					if acks {
						require.Contains(t, confirmed[:s.confirmed], byPlace[n-1], "transaction %d was visible before it was confirmed", n)
					}
				} else {
					hidden = min(hidden, n)
				}
			}
			require.Less(t, last, hidden, "a transaction was visible, and one before it in the log was not")
		}
	}
}
