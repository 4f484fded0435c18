package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"emberdb/engine/catalog"
	"emberdb/engine/space"
	"emberdb/engine/table"
	"emberdb/engine/txn"
	"emberdb/internal/base"
)

// Report is what a check found.
type Report struct {
	Tables int
	Rows   int64
	Pages  int64 // reachable pages of all tablespaces checked
	Faults []error
}

// maxFaults bounds the memory of a check of a ruined directory.
const maxFaults = 1000

func (r *Report) fault(where string, err error) {
	if len(r.Faults) < maxFaults {
		r.Faults = append(r.Faults, fmt.Errorf("%s: %w", where, err))
	}
}

// Check verifies the whole directory: every page's checksum and identity, the order and shape of every tree, secondary indexes against
// rows both ways, overflow chains, space maps, undo streams. It runs beside other work, but a table that changes meanwhile is checked under a shared
// metadata lock and a table S lock. progress is called after each table. The error is about the check itself; what is wrong with the data is in the report.
func (e *Engine) Check(ctx context.Context, progress func(done, total int, name string)) (Report, error) {
	var r Report
	if err := e.letPurgeCatchUp(ctx); err != nil {
		return r, err
	}
	if err := e.checkSystem(ctx, &r); err != nil {
		return r, err
	}
	objs, err := e.dict.ListObjects(ctx, nil, catalog.KindTable, "")
	if err != nil {
		return r, err
	}
	for i, o := range objs {
		err := e.CheckTable(ctx, o.Schema, o.Name, &r)
		if err != nil && !errors.Is(err, base.ErrNotFound) { // dropped meanwhile
			return r, err
		}
		if progress != nil {
			progress(i+1, len(objs), o.Schema+"."+o.Name)
		}
	}
	return r, nil
}

// purgePatience bounds the wait of letPurgeCatchUp.
const purgePatience = 10 * time.Second

// letPurgeCatchUp waits a while for purge to finish what a crash interrupted: between the removal of a row and of its long values, pages are in use that
// nothing reaches. On a busy server purge never has nothing to do; there the crash was long ago.
func (e *Engine) letPurgeCatchUp(ctx context.Context) error {
	e.background.Wait()
	if err := e.txns.WaitCleaned(ctx); err != nil {
		return err
	}
	for end := time.Now().Add(purgePatience); e.txns.HistoryLength() > 0 && time.Now().Before(end); {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(5 * time.Millisecond):
		}
	}
	return nil
}

// CheckTable verifies one table and adds what it finds to r; base.ErrNotFound.
func (e *Engine) CheckTable(ctx context.Context, schema, name string, r *Report) error {
	tx := e.Begin(txn.ReadCommitted, false)
	defer func() { _ = e.Rollback(tx) }() // it has changed nothing
	t, err := e.Table(ctx, tx, schema, name)
	if err != nil {
		return err
	}
	return e.checkTables(ctx, tx, r, schema+"."+name, t.Def().Space, t)
}

// checkSystem verifies the dictionary's tables.
func (e *Engine) checkSystem(ctx context.Context, r *Report) error {
	tx := e.Begin(txn.ReadCommitted, false)
	defer func() { _ = e.Rollback(tx) }()
	return e.checkTables(ctx, tx, r, "system space", base.SystemSpace, e.dict.SystemTables()...)
}

// checkTables verifies the tables of one space while nobody changes them, and compares the map of the space with the pages they reach.
func (e *Engine) checkTables(ctx context.Context, tx *txn.Trx, r *Report, where string, s base.SpaceID, tables ...*table.Table) error {
	for _, t := range tables {
		if err := t.LockTable(ctx, tx, false); err != nil {
			return err
		}
		defer e.dict.Pause(t.Def().ID)()
	}
	var set space.PageSet
	for _, t := range tables {
		r.Tables++
		rows, err := t.Check(ctx, func(err error) { r.fault(where, err) })
		r.Rows += rows
		if err == nil {
			err = t.Pages(&set)
		}
		if err != nil {
			r.fault(where, err)
			return ctx.Err()
		}
	}
	if err := space.Check(e.pool, s, &set); err != nil {
		r.fault(where, err)
	}
	r.Pages += int64(set.Len())
	return ctx.Err()
}
