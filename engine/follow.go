package engine

import (
	"context"
	"maps"
	"slices"

	"emberdb/engine/catalog"
	"emberdb/engine/lock"
	"emberdb/engine/row"
	"emberdb/engine/table"
	"emberdb/engine/txn"
)

// An online rebuild.
//
//  1. exclusive lock, which waits for every transaction that has used the table: the log of changes
//     begins, and a view is opened
//  2. upgradable lock: others work. What the view sees is copied, and the indexes are built
//  3. A newer view is opened, and the rows that it sees otherwise, which the log tells, are brought
//     from what the one view sees to what the other does. The new table is then what the newer view
//     sees; and so on, until few rows are left.
//  4. exclusive lock; the last such step, and the new table takes the old one's place
//
// All rows of a step go before any comes in, so equal unique keys meet only if one view sees them
// both. Aborted transactions whose rows are not restored yet are seen by no view. Changes of the new
// table are the DDL transaction's; undo finds no table of that id until its commit, and leaves them
// with the file. They are not in the binary log.

// Online is what an online rebuild needs.
type Online struct {
	LogBytes int // the log of changes may take about so many bytes: innodb_online_alter_log_max_size
	// Convert makes the new table's row of a row of the old one. It may use vals.
	Convert func(vals []row.Value) ([]row.Value, error)
}

const (
	fewChanges  = 1000 // rows that the exclusive lock may wait for
	mostFollows = 50   // steps before writers have to wait
)

// followable tells whether the rebuild into new can let writers go on: rows are found by their
// primary key.
func (r *Rebuild) followable(new *catalog.Table) bool {
	old := r.old.Def()
	return r.old.Parts() == nil && new.Partitioning == nil && len(old.Indexes[0].Parts) > 0 && len(new.Indexes[0].Parts) > 0 &&
		!r.e.dict.Pending(r.tx, old.Schema, old.Name)
}

func (r *Rebuild) beginOnline(ctx context.Context) error {
	def := r.old.Def()
	name := lock.MetaName(def.Schema, def.Name)
	if err := r.e.locks.LockMeta(ctx, &r.tx.Owner, name, lock.MetaExclusive, lock.Statement, metaWait(ctx)); err != nil {
		return err
	}
	r.log = r.old.StartOnlineLog(r.online.LogBytes)
	r.copied = r.view()
	r.e.locks.UnlockMeta(&r.tx.Owner, name, lock.Statement)
	return nil
}

// view is a transaction that sees the rows of now.
func (r *Rebuild) view() *txn.Trx {
	tx := r.e.txns.Begin(txn.RepeatableRead, true)
	tx.View()
	return tx
}

func (r *Rebuild) endOnline() error {
	if r.copied == nil {
		return nil
	}
	r.old.EndOnlineLog()
	tx := r.copied
	r.copied = nil
	return r.e.Rollback(tx)
}

// follow makes the new table what the old one is, and keeps others out of both.
func (r *Rebuild) follow(ctx context.Context) error {
	log := r.tx.Journal
	r.tx.Journal = nil
	defer func() { r.tx.Journal = log }()
	for last, n := 0, 0; n < mostFollows; n++ {
		changed, err := r.step(ctx)
		if err != nil {
			return err
		}
		if changed < fewChanges || n > 2 && changed > last {
			break
		}
		last = changed
	}
	if err := r.exclusive(ctx); err != nil {
		return err
	}
	_, err := r.step(ctx)
	return err
}

// step brings the new table to what a view of now sees.
func (r *Rebuild) step(ctx context.Context) (changed int, err error) {
	to := r.view()
	keys, err := r.log.Take(to.View())
	sorted := slices.Sorted(maps.Keys(keys))
	if err == nil {
		err = r.each(ctx, r.copied, sorted, r.new.Delete)
	}
	if err == nil {
		err = r.each(ctx, to, sorted, r.new.Insert)
	}
	if err != nil {
		_ = r.e.Rollback(to) // it has done nothing
		return 0, err
	}
	from := r.copied
	r.copied = to
	return len(keys), r.e.Rollback(from)
}

// each calls fn with the new table's row of each row that tx sees under these keys.
func (r *Rebuild) each(ctx context.Context, tx *txn.Trx, keys []string, fn func(ctx context.Context, tx *txn.Trx, vals []row.Value) error) error {
	clustered := r.old.Def().Indexes[0]
	for _, key := range keys {
		vals, ok, err := r.old.Get(ctx, tx, clustered, []byte(key), table.None, table.Wait)
		if err == nil && ok {
			if vals, err = r.online.Convert(vals); err == nil {
				err = fn(ctx, r.tx, vals)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}
