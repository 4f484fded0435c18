package engine

import (
	"errors"
	"io"
	"maps"
	"strings"
	"testing"

	"emberdb/engine/table"
	"emberdb/engine/txn"
)

// changeMany is an UPDATE or a DELETE of the rows from lo to hi: change makes the new row, nil
// deletes.
func changeMany(tx *txn.Trx, t *table.Table, lo, hi int64, change func(i item) item) (err error) {
	var c table.Changes
	c.Begin(t, tx)
	defer c.End()
	s := t.NewScan(tx, table.ScanOptions{Lock: table.Exclusive, Target: true, Lower: itemKey(lo), Upper: itemKey(hi), UpperIncl: true, All: true})
	defer s.Close()
	for {
		vals, err := s.Next(ctx)
		switch {
		case errors.Is(err, io.EOF):
			return c.Flush(ctx)
		case err == nil && change == nil:
			err = c.Delete(ctx, vals)
		case err == nil:
			err = c.Update(ctx, vals, change(itemOf(vals)).vals())
		}
		if err != nil {
			return err
		}
	}
}

// applyMany is changeMany in a model.
func applyMany(rows map[int64]item, lo, hi int64, change func(i item) item) {
	for id, i := range rows {
		switch {
		case id < lo || id > hi:
		case change == nil:
			delete(rows, id)
		default:
			rows[id] = change(i)
		}
	}
}

// How the transaction of a step ends.
const (
	stays = iota
	takenBack
	statementTakenBack
)

// manyStep changes many rows of a table in one statement.
func manyStep(name string, lo, hi int64, change func(i item) item, end int) step {
	return step{name, func(e *Engine) error {
		tx := e.Begin(txn.RepeatableRead, false)
		follow(e, tx)
		t, err := e.Table(ctx, tx, "test", "a")
		mark := tx.StartStatement()
		if err == nil {
			err = changeMany(tx, t, lo, hi, change)
		}
		if err == nil && end == statementTakenBack {
			err = tx.RollbackTo(ctx, mark)
		}
		if err != nil || end == takenBack {
			return errors.Join(err, e.Rollback(tx))
		}
		return e.Commit(ctx, tx)
	}, func(m map[string]map[int64]item) {
		if end == stays {
			applyMany(m["a"], lo, hi, change)
		}
	}}
}

// manyScript changes hundreds of rows at once, on leaves that are split before and after, and
// merged when deleted rows are purged.
func manyScript() []step {
	same := func(i item) item { i.pad = strings.ToUpper(i.pad); return i }
	longer := func(i item) item { i.pad += strings.Repeat("l", int(i.id%50)); return i }
	shorter := func(i item) item { i.pad = i.pad[:len(i.pad)/2]; return i }
	keys := func(i item) item { i.k += 7 + i.id%3; return i }
	mixed := func(i item) item {
		if i.pad += "+"; i.id%9 == 0 {
			i.k++
		}
		if i.id%100 == 0 {
			i.pad = strings.Repeat("long", 3000)
		}
		return i
	}
	checkpoint := step{"checkpoint", func(e *Engine) error { return errors.Join(e.pool.Flusher().All(), e.Checkpoint()) }, func(map[string]map[int64]item) {}}
	even := func(rows []item) (out []item) {
		for _, i := range rows {
			if i.id%2 == 0 {
				i.pad = strings.Repeat("e", 60)
				out = append(out, i)
			}
		}
		return out
	}
	odd := func(rows []item) (out []item) {
		for _, i := range rows {
			if i.id%2 == 1 {
				out = append(out, i)
			}
		}
		return out
	}
	all := someItems(1, 700)
	return []step{
		ddlStep("create a", func(e *Engine, tx *txn.Trx) error { return e.CreateTable(ctx, tx, itemsDef("a")) },
			func(m map[string]map[int64]item) { m["a"] = map[int64]item{} }),
		insertStep("a", even(all)...),
		manyStep("all of one length", 1, 700, same, stays),
		insertStep("a", odd(all)...), // splits
		manyStep("all of one length, taken back", 1, 700, same, takenBack),
		manyStep("all longer", 1, 700, longer, stays),
		manyStep("keys, taken back", 1, 700, keys, takenBack),
		manyStep("keys", 1, 400, keys, stays),
		manyStep("keys, the statement taken back", 300, 700, keys, statementTakenBack),
		checkpoint,
		manyStep("some of one length", 100, 600, same, statementTakenBack),
		manyStep("some of one length, which stay", 90, 610, same, stays),
		manyStep("some deleted, taken back", 50, 450, nil, takenBack),
		manyStep("some deleted, the statement taken back", 60, 440, nil, statementTakenBack),
		manyStep("some deleted", 100, 520, nil, stays), // purge merges
		manyStep("the others, mixed", 1, 700, mixed, stays),
		manyStep("the others shorter", 1, 700, shorter, takenBack),
		insertStep("a", even(all[150:400])...),
		manyStep("all shorter", 1, 700, shorter, stays),
		manyStep("none left", 1, 700, nil, stays),
	}
}

// TestPowerCutOfMany cuts the power while many rows are changed together, and while that is taken
// back.
func TestPowerCutOfMany(t *testing.T) { cutScript(t, manyScript()) }

// changeMany changes or deletes the writer's rows of a range in one statement. One that fails is
// taken back.
func (w *modelWriter) changeMany(tx *txn.Trx, tb *table.Table, state map[int64]item) error {
	own := int64(w.n * ownRange)
	lo, n := own+1+w.rng.Int64N(60), w.rng.Int64N(60)
	pad, which := w.rng.IntN(200), w.rng.Int64N(20)
	keys := w.rng.Int64N(3)
	change := func(i item) item {
		i.pad = strings.Repeat("m", pad)
		i.k += keys
		if i.id%20 == which {
			i.k, i.u = i.k+1, i.u+1 // somebody else may have that
		}
		return i
	}
	if w.rng.IntN(3) == 0 {
		change = nil
	}
	mark := tx.StartStatement()
	err := changeMany(tx, tb, lo, min(lo+n, own+ownRange), change)
	w.note("trx %d: %d to %d together, deletes %v: %v", tx.ID(), lo, lo+n, change == nil, err)
	if err != nil {
		return errors.Join(err, tx.RollbackTo(ctx, mark))
	}
	now := maps.Clone(state)
	applyMany(now, lo, lo+n, change)
	clear(state)
	maps.Copy(state, now)
	return nil
}
