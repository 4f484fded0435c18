package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"emberdb/engine/catalog"
	"emberdb/engine/dict"
	"emberdb/engine/space"
	"emberdb/engine/table"
	"emberdb/engine/txn"
	"emberdb/internal/base"
)

// The check of a data directory. Per tablespace, in this order:
//
//	pages       every page in use is read from the file, beside the pool: checksum and own id              (check_files.go)
//	structure   trees, rows, entries both ways, overflow chains (table.Check); undo streams (txn.Check)
//	map         the bitmaps name exactly the pages that the structures reach (space.Check)
//
// and for the directory: no file without a definition, no definition without a file.
//
// A table is checked while nobody changes it: shared metadata lock, table S lock, rollback and
// purge paused.

// Names that CheckTable takes in the schema dict.SystemSchema for what belongs to no table.
const (
	CheckSystem = "system" // the system space: dictionary, key-value rows
	CheckUndo   = "undo"   // the undo space
	CheckFiles  = "files"  // files without a definition
)

// Report is what a check found.
type Report struct {
	Tables int
	Rows   int64
	Pages  int64   // reachable pages of all tablespaces checked
	Faults []error // each a *Fault

	Outdated bool // a key of text has another order than its collation has by now: the table wants a rebuild

	seen map[string]bool
}

// Fault is something wrong with the data, and where.
type Fault struct {
	Table  string      `json:"table"`          // schema.table, or "system space", "undo space"
	File   string      `json:"file,omitempty"` // path of the tablespace file
	Page   base.PageID `json:"page"`
	Offset int64       `json:"offset"` // in the file
	Detail string      `json:"detail"`
	Err    error       `json:"-"`
}

func (f *Fault) Error() string {
	if f.File == "" {
		return fmt.Sprintf("%s: %s", f.Table, f.Detail)
	}
	return fmt.Sprintf("%s: file %s, page %s, offset %d: %s", f.Table, f.File, f.Page, f.Offset, f.Detail)
}

func (f *Fault) Unwrap() error { return f.Err }

// maxFaults bounds the memory of a check of a ruined directory.
const maxFaults = 1000

// fault adds what err tells. The same damage met on several ways counts once.
func (r *Report) fault(e *Engine, where string, err error) {
	f := &Fault{Table: where, Detail: err.Error(), Err: err}
	var c *base.CorruptError
	if errors.As(err, &c) {
		f.File, f.Page, f.Offset, f.Detail = e.files.Path(c.Page.Space), c.Page, c.Offset, c.Detail
		if f.Offset == 0 {
			f.Offset = int64(c.Page.No) * base.PageSize
		}
	}
	text := f.Error()
	if r.seen == nil {
		r.seen = map[string]bool{}
	}
	if len(r.Faults) < maxFaults && !r.seen[text] {
		r.seen[text] = true
		r.Faults = append(r.Faults, f)
	}
}

// CheckProgress tells how far a check is. Every page counts twice: when it is read from its file,
// and when the structure it belongs to is verified.
type CheckProgress struct {
	Done, Total int64
	Name        string // what is at work
}

// checker is one run of Check.
type checker struct {
	e      *Engine
	r      *Report
	notify func(CheckProgress) // nil: nobody listens
	state  CheckProgress
}

func (c *checker) advance(pages int64) {
	c.state.Done = min(c.state.Done+pages, c.state.Total)
	if c.notify != nil {
		c.notify(c.state)
	}
}

func (c *checker) begin(name string) {
	c.state.Name = name
	c.advance(0)
}

func (c *checker) fault(where string, err error) { c.r.fault(c.e, where, err) }

// Check verifies the whole directory. It runs beside other work. The error is about the check
// itself; what is wrong with the data is in the report.
func (e *Engine) Check(ctx context.Context, progress func(CheckProgress)) (Report, error) {
	var r Report
	if err := e.letPurgeCatchUp(ctx); err != nil {
		return r, err
	}
	c := &checker{e: e, r: &r, notify: progress}
	onDisk, err := e.files.Spaces()
	if err != nil {
		return r, err
	}
	for _, s := range onDisk {
		n, err := e.files.Pages(s)
		if err == nil {
			c.state.Total += 2 * int64(n)
		}
	}
	if err := c.system(ctx); err != nil {
		return r, err
	}
	if err := c.undo(ctx); err != nil {
		return r, err
	}
	objs, err := e.dict.ListObjects(ctx, nil, catalog.KindTable, "")
	if errors.Is(err, base.ErrCorrupt) {
		c.fault("system space", err)
		return r, c.withoutDictionary(ctx, onDisk)
	}
	if err != nil {
		return r, err
	}
	c.strayParts(objs)
	for _, o := range objs {
		if catalog.IsPart(o.Name) {
			continue // with its table
		}
		if err := c.named(ctx, o.Schema, o.Name); err != nil && !errors.Is(err, base.ErrNotFound) { // dropped meanwhile
			return r, err
		}
	}
	err = c.orphans(ctx)
	c.advance(c.state.Total)
	return r, err
}

// strayParts finds parts that no table names, among the definitions of all tables.
func (c *checker) strayParts(objs []catalog.Object) {
	type name struct{ schema, table string }
	of := map[name]bool{}
	for _, o := range objs {
		if def, err := catalog.Decode(o.Data); err == nil { // else named tells
			for _, leaf := range def.Partitioning.Leaves() {
				of[name{o.Schema, catalog.PartName(o.Name, leaf.Name)}] = true
			}
		}
	}
	for _, o := range objs {
		if catalog.IsPart(o.Name) && !of[name{o.Schema, o.Name}] {
			c.fault(o.Schema+"."+catalog.ShownName(o.Name), fmt.Errorf("a partition of no table: %w", base.ErrCorrupt))
		}
	}
}

// purgePatience bounds the wait of letPurgeCatchUp.
const purgePatience = 10 * time.Second

// letPurgeCatchUp waits a while for purge to finish what a crash interrupted: between the removal
// of a row and of its long values, pages are in use that nothing reaches. On a busy server purge
// never has nothing to do; there the crash was long ago.
func (e *Engine) letPurgeCatchUp(ctx context.Context) error {
	e.background.Wait()
	if err := e.txns.WaitCleaned(ctx); err != nil && !errors.Is(err, base.ErrFailed) {
		return err
	}
	for end := time.Now().Add(purgePatience); !e.txns.CaughtUp() && e.failure.Err() == nil && time.Now().Before(end); {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(5 * time.Millisecond):
		}
	}
	return nil
}

// CheckTable verifies one table, or in dict.SystemSchema what CheckSystem, CheckUndo and CheckFiles
// name, and adds what it finds to r; base.ErrNotFound.
func (e *Engine) CheckTable(ctx context.Context, schema, name string, r *Report) error {
	c := &checker{e: e, r: r}
	if schema != dict.SystemSchema {
		return c.named(ctx, schema, name)
	}
	switch name {
	case CheckSystem:
		return c.system(ctx)
	case CheckUndo:
		return c.undo(ctx)
	case CheckFiles:
		return c.orphans(ctx)
	}
	return fmt.Errorf("table %s.%s: %w", schema, name, base.ErrNotFound)
}

// named verifies the table of that name.
func (c *checker) named(ctx context.Context, schema, name string) error {
	where := schema + "." + name
	c.begin(where)
	tx := c.e.Begin(txn.ReadCommitted, false)
	defer func() { _ = c.e.Rollback(tx) }() // it has changed nothing
	t, err := c.e.Table(ctx, tx, schema, name)
	if errors.Is(err, base.ErrCorrupt) {
		c.fault(where, err)
		return nil
	}
	if err != nil {
		return err
	}
	c.r.Outdated = c.r.Outdated || t.Def().Outdated()
	for _, p := range t.Parts() {
		if err := c.tables(ctx, tx, where, p.Def().Space, p); err != nil {
			return err
		}
	}
	return c.tables(ctx, tx, where, t.Def().Space, t)
}

// system verifies the dictionary's tables.
func (c *checker) system(ctx context.Context) error {
	c.begin("system space")
	tx := c.e.Begin(txn.ReadCommitted, false)
	defer func() { _ = c.e.Rollback(tx) }() // it has changed nothing
	return c.tables(ctx, tx, "system space", base.SystemSpace, c.e.dict.SystemTables()...)
}

// tables verifies the tables of one space while nobody changes them.
func (c *checker) tables(ctx context.Context, tx *txn.Trx, where string, s base.SpaceID, tables ...*table.Table) error {
	e, r := c.e, c.r
	for _, t := range tables {
		if err := t.LockTable(ctx, tx, false); err != nil {
			return err
		}
		defer e.dict.Pause(t.Def().ID)()
	}
	r.Tables += len(tables)
	if !e.files.Exists(s) {
		c.fault(where, missingFile(e.files.Path(s), s))
		return nil
	}
	pages, err := c.pages(ctx, where, s)
	if err != nil {
		return err
	}
	defer c.advance(pages)
	var set space.PageSet
	for _, t := range tables {
		rows, err := t.Check(ctx, func(err error) { c.fault(where, err) })
		r.Rows += rows
		if err == nil {
			err = t.Pages(ctx, &set)
		}
		if err != nil {
			if ctx.Err() == nil {
				c.fault(where, err)
			}
			return ctx.Err()
		}
	}
	if err := space.Check(e.pool, s, &set); err != nil {
		c.fault(where, err)
	}
	r.Pages += int64(set.Len())
	return ctx.Err()
}

func missingFile(path string, s base.SpaceID) error {
	return &base.CorruptError{File: path, Page: base.PageID{Space: s}, Detail: "the tablespace file is missing"}
}

// undoAttempts bounds how often the undo space is looked at for a moment in which its map stays as
// it is.
const undoAttempts = 5

// undo verifies the undo streams and the map of their space. Purge, and the way back of a large
// undo space, work meanwhile: pages that come and go make streams and map differ, so a difference
// counts only if the map is the same before and after. On a server that always takes and frees
// pages it is left unjudged.
func (c *checker) undo(ctx context.Context) error {
	const where = "undo space"
	c.begin(where)
	pages, err := c.pages(ctx, where, base.UndoSpace)
	if err != nil {
		return err
	}
	defer c.advance(pages)
	for range undoAttempts {
		before, err := c.usage(base.UndoSpace)
		if err != nil {
			c.fault(where, err)
			return nil
		}
		var set space.PageSet
		err = c.e.txns.Check(&set)
		if err != nil && !errors.Is(err, txn.ErrMetTwice) {
			c.fault(where, err)
			return nil
		}
		if err == nil {
			err = space.Check(c.e.pool, base.UndoSpace, &set)
		}
		if err == nil {
			c.r.Pages += int64(set.Len())
			return nil
		}
		after, usageErr := c.usage(base.UndoSpace)
		if usageErr != nil {
			c.fault(where, usageErr)
			return nil
		}
		if after.Changed == before.Changed {
			c.fault(where, err)
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

func (c *checker) usage(s base.SpaceID) (space.Stats, error) {
	m := c.e.pool.BeginRead()
	defer m.Commit()
	return space.Usage(m, s)
}
