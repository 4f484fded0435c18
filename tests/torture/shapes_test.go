package torture

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/bench"
	"emberdb/tests/emberd"
)

// Loads of every shape on one server: definitions that change, foreign keys that cascade over long
// values, transactions over whole tables, branches that stay prepared, views that hold purge back,
// sizes that are changed at work. After each kill everything must be as the actors know it.

// actor is one connection's load. It alone writes to what it looks after, so it knows what must be
// there.
type actor interface {
	schema() []string
	// step runs a transaction or a statement that commits by itself.
	step(ctx context.Context, db *sql.DB, conn *sql.Conn) error
	verify(t *testing.T, db *sql.DB)
}

// twin is what an actor knows of its rows: what was acknowledged, and what it would be had an
// unanswered COMMIT succeeded.
type twin struct {
	name  string
	sure  []string
	maybe []string
	doubt bool
}

// commit runs what makes the new state durable.
func (w *twin) commit(next []string, do func() error) error {
	w.maybe, w.doubt = next, true
	err := do()
	switch {
	case err == nil:
		w.sure, w.doubt = next, false
	case !bench.IsConnectionLost(err):
		w.doubt = false
	}
	return err
}

// settle compares with what was found, and takes it for sure from now on. changed: what was in
// doubt has happened.
func (w *twin) settle(t *testing.T, found []string) (changed bool) {
	t.Helper()
	slices.Sort(found)
	if w.doubt && slices.Equal(found, w.maybe) && !slices.Equal(found, w.sure) {
		w.sure, changed = w.maybe, true
	} else {
		require.Equal(t, append([]string{}, w.sure...), append([]string{}, found...), "%s (in doubt: %v %v)", w.name, w.doubt, w.maybe)
	}
	w.doubt = false
	return changed
}

// lines reads rows as sorted texts.
func lines(t *testing.T, db *sql.DB, query string, args ...any) (all []string) {
	t.Helper()
	rows, err := db.Query(query, args...)
	require.NoError(t, err, query)
	defer rows.Close()
	names, err := rows.Columns()
	require.NoError(t, err)
	for rows.Next() {
		vals, ptrs := make([]sql.NullString, len(names)), make([]any, len(names))
		for i := range vals {
			ptrs[i] = &vals[i]
		}
		require.NoError(t, rows.Scan(ptrs...))
		texts := make([]string, len(vals))
		for i := range vals {
			texts[i] = vals[i].String
		}
		all = append(all, strings.Join(texts, " "))
	}
	require.NoError(t, rows.Err(), query)
	slices.Sort(all)
	return all
}

func run(ctx context.Context, conn *sql.Conn, query string, args ...any) error {
	_, err := conn.ExecContext(ctx, query, args...)
	if err != nil && !bench.IsConnectionLost(err) && !bench.IsRetriable(err) {
		err = fmt.Errorf("%s %v: %w", query, args, err)
	}
	return err
}

// drive lets an actor work until the server is gone.
func drive(ctx context.Context, db *sql.DB, a actor) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil
	}
	defer conn.Close()
	for {
		err := a.step(ctx, db, conn)
		if err == nil {
			continue
		}
		if bench.IsConnectionLost(err) {
			return nil
		}
		if !bench.IsRetriable(err) {
			return err
		}
		if _, err := conn.ExecContext(ctx, "ROLLBACK"); err != nil {
			return nil
		}
	}
}

// sizes are options of a server that hardly fits its work.
func sizes(r *rand.Rand) []string {
	return []string{
		fmt.Sprintf("--innodb-buffer-pool-size=%dM", 5<<r.IntN(4)),
		fmt.Sprintf("--innodb-redo-log-capacity=%dM", 8<<r.IntN(4)),
		fmt.Sprintf("--innodb-max-undo-log-size=%dM", 10<<r.IntN(3)),
	}
}

// reviveAgain starts the server with other sizes, often killing it on the way up, also twice and
// more.
func (k *killer) reviveAgain() {
	k.t.Helper()
	for k.r.IntN(2) == 0 {
		k.s.Args = sizes(k.r)
		k.rise()
	}
	k.s.Args = sizes(k.r)
	k.revive()
}

// TestShapes is all of these loads at once.
func TestShapes(t *testing.T) {
	ctx := context.Background()
	r := newRand(t)
	emberd.Build(t, "ember")
	s := emberd.Start(t, sizes(r)...)
	another := func() *rand.Rand { return rand.New(rand.NewPCG(r.Uint64(), 0)) }
	huge := 12000
	if *whole > 0 {
		huge = 200000
	}
	actors := []actor{newFamily(1, another()), newFamily(2, another()), newSweeper("big", 3000, another()), newSweeper("huge", huge, another()), newDefiner(another()), newBranches(another())}
	setup := s.Open("")
	queries := []string{"CREATE DATABASE shapes", "USE shapes", "CREATE TABLE numbers (n INT PRIMARY KEY)"}
	for n := 0; n < huge; n += 1000 {
		queries = append(queries, fmt.Sprintf("INSERT INTO numbers WITH RECURSIVE r AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM r WHERE i < 1000) SELECT %d + i FROM r", n))
	}
	for _, a := range actors {
		queries = append(queries, a.schema()...)
	}
	setup.SetMaxOpenConns(1)
	for _, q := range queries {
		_, err := setup.Exec(q)
		require.NoError(t, err, q)
	}
	setup.Close()
	k := &killer{t, r, s}
	for i := range (*kills + 1) / 2 { // each takes longer than those of the other loads
		db := s.Open("shapes")
		errs := make([]error, len(actors)+2)
		var wg sync.WaitGroup
		for i, a := range actors {
			wg.Go(func() { errs[i] = drive(ctx, db, a) })
		}
		seed := r.Uint64()
		wg.Go(func() { errs[len(actors)] = lag(ctx, db, rand.New(rand.NewPCG(seed, 1))) })
		wg.Go(func() { errs[len(actors)+1] = resize(ctx, db, rand.New(rand.NewPCG(seed, 2))) })
		k.strike()
		wg.Wait()
		db.Close()
		require.NoError(t, errors.Join(errs...), "before kill %d", i+1)
		k.reviveAgain()
		db = s.Open("shapes")
		for _, a := range actors {
			a.verify(t, db)
		}
		db.Close()
		checkServer(t, s)
		t.Logf("kill %d, now with %v: all there", i+1, s.Args)
	}
	require.NoError(t, s.Stop())
	checkDirectory(t, s.Dir)
}

// lag holds a view open for long and looks twice.
func lag(ctx context.Context, db *sql.DB, r *rand.Rand) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil
	}
	defer conn.Close()
	for {
		if err := run(ctx, conn, "START TRANSACTION WITH CONSISTENT SNAPSHOT"); err != nil {
			return ignoreLoss(err)
		}
		var seen [3]string
		for i := range seen {
			// The last look walks the secondary index, whose entries purge must not have taken.
			query := "SELECT CONCAT_WS(' ', COUNT(*), SUM(v), SUM(tag)) FROM huge"
			if i == 2 {
				query += " FORCE INDEX (tag) WHERE tag >= 0"
			}
			if err := conn.QueryRowContext(ctx, query).Scan(&seen[i]); err != nil {
				return ignoreLoss(err)
			}
			if seen[i] != seen[0] {
				return fmt.Errorf("a view changed, look %d: %q was %q", i+1, seen[i], seen[0])
			}
			time.Sleep(time.Duration(r.IntN(1500)) * time.Millisecond)
		}
		if err := run(ctx, conn, "COMMIT"); err != nil {
			return ignoreLoss(err)
		}
	}
}

// resize changes the server's sizes at work.
func resize(ctx context.Context, db *sql.DB, r *rand.Rand) error {
	for {
		time.Sleep(time.Duration(r.IntN(700)) * time.Millisecond)
		q := fmt.Sprintf("SET GLOBAL innodb_redo_log_capacity = %d", 8<<20<<r.IntN(4))
		if r.IntN(3) == 0 {
			q = fmt.Sprintf("SET GLOBAL innodb_buffer_pool_size = %d", 5<<20<<r.IntN(4))
		}
		if _, err := db.ExecContext(ctx, q); err != nil {
			return ignoreLoss(err)
		}
	}
}

func ignoreLoss(err error) error {
	if bench.IsConnectionLost(err) {
		return nil
	}
	return err
}
