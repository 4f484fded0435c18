package torture

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"emberdb/bench"
	"emberdb/tests/emberd"
)

const keysPerWriter = 150

// rowVersion is what a key holds: 0 means no row, another number tells its content.
type rowVersion uint64

// content is a byte string that only this version has: most fit a page, some need overflow pages,
// and a few are longer than what one group of redo holds.
func (v rowVersion) content() []byte {
	r := rand.New(rand.NewPCG(uint64(v), 1))
	n := r.IntN(300)
	switch k := r.IntN(1000); {
	case k < 100:
		n = r.IntN(40 << 10)
	case k < 200:
		n = r.IntN(6 << 10)
	case k < 202:
		n = r.IntN(6 << 20)
	}
	b := make([]byte, n, n+8)
	var word [8]byte
	for i := range b {
		if i%8 == 0 {
			binary.LittleEndian.PutUint64(word[:], r.Uint64())
		}
		b[i] = word[i%8]
	}
	return b
}

// tag is a value for the secondary index, changing with the version and shared by others.
func (v rowVersion) tag() int { return int(uint64(v) % 97) }

// writer owns keys no other writer touches, so it knows what each must hold.
type writer struct {
	id    int
	r     *rand.Rand
	state map[int]rowVersion // acknowledged
	doubt map[int]rowVersion // changes of a transaction whose COMMIT was not answered; nil: none
	count int
}

func (w *writer) key(i int) int { return w.id*keysPerWriter + i }

// work runs transactions until the connection breaks; any other failure is returned.
func (w *writer) work(ctx context.Context, db *sql.DB) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil // the server is gone already
	}
	defer conn.Close()
	for {
		err := w.transaction(ctx, conn)
		switch {
		case err == nil:
		case bench.IsConnectionLost(err):
			return nil
		case bench.IsRetriable(err):
			w.doubt = nil // a deadlock's victim is rolled back for certain
			if _, err := conn.ExecContext(ctx, "ROLLBACK"); err != nil {
				return nil
			}
		default:
			return err
		}
	}
}

func (w *writer) transaction(ctx context.Context, conn *sql.Conn) error {
	if _, err := conn.ExecContext(ctx, "START TRANSACTION"); err != nil {
		return err
	}
	changes := map[int]rowVersion{}
	for range 1 + w.r.IntN(10) {
		if err := w.change(ctx, conn, changes); err != nil {
			return err
		}
	}
	if w.r.IntN(10) == 0 {
		_, err := conn.ExecContext(ctx, "ROLLBACK")
		return err
	}
	w.doubt = changes
	if _, err := conn.ExecContext(ctx, "COMMIT"); err != nil {
		return err
	}
	w.accept(changes)
	return nil
}

func (w *writer) accept(changes map[int]rowVersion) {
	for k, v := range changes {
		w.state[k] = v
	}
	w.doubt = nil
}

// change inserts, updates or deletes one row within the transaction.
func (w *writer) change(ctx context.Context, conn *sql.Conn, changes map[int]rowVersion) error {
	k := w.key(w.r.IntN(keysPerWriter))
	old, changed := changes[k]
	if !changed {
		old = w.state[k]
	}
	next := rowVersion(0)
	if old == 0 || w.r.IntN(3) > 0 {
		w.count++
		next = rowVersion(uint64(w.id+1)<<40 | uint64(w.count))
	}
	changes[k] = next
	var res sql.Result
	var err error
	switch {
	case next == 0:
		res, err = conn.ExecContext(ctx, "DELETE FROM kept WHERE id = ?", k)
	case old == 0:
		res, err = conn.ExecContext(ctx, "INSERT INTO kept (id, version, tag, content) VALUES (?, ?, ?, ?)",
			k, uint64(next), next.tag(), next.content())
	default:
		res, err = conn.ExecContext(ctx, "UPDATE kept SET version = ?, tag = ?, content = ? WHERE id = ?",
			uint64(next), next.tag(), next.content(), k)
	}
	if err != nil {
		return err
	}
	if n, _ := res.RowsAffected(); n != 1 {
		return &mysql.MySQLError{Message: fmt.Sprintf("key %d, version %d to %d: %d rows affected", k, old, next, n)}
	}
	return nil
}

// verify compares the table with what the writers know and settles what was in doubt.
func verify(t *testing.T, db *sql.DB, writers []*writer) {
	t.Helper()
	found := map[int]rowVersion{}
	rows, err := db.Query("SELECT id, version, tag, content FROM kept")
	require.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		var id, tag int
		var version uint64
		var content []byte
		require.NoError(t, rows.Scan(&id, &version, &tag, &content))
		v := rowVersion(version)
		require.NotZero(t, v)
		require.Equal(t, v.tag(), tag, "key %d", id)
		require.True(t, bytes.Equal(v.content(), content), "key %d holds other bytes than version %d", id, v)
		_, twice := found[id]
		require.False(t, twice, "key %d is there twice", id)
		found[id] = v
	}
	require.NoError(t, rows.Err())
	for _, w := range writers {
		w.verify(t, found)
	}
	verifyIndexes(t, db, found)
}

func (w *writer) verify(t *testing.T, found map[int]rowVersion) {
	t.Helper()
	applied, missing := 0, 0
	for i := range keysPerWriter {
		k := w.key(i)
		got := found[k]
		want := w.state[k]
		next, doubtful := w.doubt[k]
		switch {
		case !doubtful || next == want:
			require.Equal(t, want, got, "key %d", k)
		case got == next:
			applied++
		case got == want:
			missing++
		default:
			require.Fail(t, "neither old nor new", "key %d: %d, acknowledged %d, in doubt %d", k, got, want, next)
		}
	}
	require.False(t, applied > 0 && missing > 0, "writer %d: a transaction is there by half: %d changes there, %d missing",
		w.id, applied, missing)
	if applied > 0 {
		w.accept(w.doubt)
	}
	w.doubt = nil
}

// verifyIndexes reads the same rows through each secondary index.
func verifyIndexes(t *testing.T, db *sql.DB, found map[int]rowVersion) {
	t.Helper()
	n := 0
	for tag := range 97 {
		rows, err := db.Query("SELECT id FROM kept FORCE INDEX (tag) WHERE tag = ?", tag)
		require.NoError(t, err)
		for rows.Next() {
			var id int
			require.NoError(t, rows.Scan(&id))
			require.Equal(t, tag, found[id].tag(), "key %d by index tag", id)
			n++
		}
		require.NoError(t, rows.Err())
	}
	require.Len(t, found, n, "rows by index tag")
	for id, v := range found {
		var got int
		require.NoError(t, db.QueryRow("SELECT id FROM kept WHERE version = ?", uint64(v)).Scan(&got), "version %d", v)
		require.Equal(t, id, got)
	}
}

// TestRows is the load of rows whose writers know their content.
func TestRows(t *testing.T) {
	ctx := context.Background()
	r := newRand(t)
	s := emberd.Start(t, options...)
	setup := s.Open("")
	for _, q := range []string{
		"CREATE DATABASE torture",
		`CREATE TABLE torture.kept (id INT PRIMARY KEY, version BIGINT UNSIGNED NOT NULL, tag INT NOT NULL, content MEDIUMBLOB,
			UNIQUE KEY version (version), KEY tag (tag))`,
	} {
		_, err := setup.Exec(q)
		require.NoError(t, err, q)
	}
	setup.Close()
	var writers []*writer
	for i := range threads {
		writers = append(writers, &writer{id: i, r: rand.New(rand.NewPCG(r.Uint64(), 0)), state: map[int]rowVersion{}})
	}
	k := &killer{t, r, s}
	for i := range *kills {
		db := s.Open("torture")
		errs := make([]error, len(writers))
		var wg sync.WaitGroup
		for i, w := range writers {
			wg.Go(func() { errs[i] = w.work(ctx, db) })
		}
		k.strike()
		wg.Wait()
		db.Close()
		require.NoError(t, errors.Join(errs...), "before kill %d", i+1)
		k.revive()
		db = s.Open("torture")
		verify(t, db, writers)
		db.Close()
		total := 0
		for _, w := range writers {
			total += w.count
		}
		t.Logf("kill %d: %d changes so far", i+1, total)
	}
	require.NoError(t, s.Stop())
	checkDirectory(t, s.Dir)
}
