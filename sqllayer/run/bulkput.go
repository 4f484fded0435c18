package run

import (
	"errors"
	"math"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/row"
	"emberdb/engine/table"
)

// rowBatch are rows that go to the engine together.
type rowBatch struct {
	rows  []row.Value // row after row
	arena []byte      // their bytes
}

// put is what came of rows that were given to the engine.
type put struct {
	came    int  // so many of the first are in
	refused bool // the key of the next one is there already
	err     error
	panics  any
}

// pass has the rows that were gathered inserted, beside what is gathered next if it can be.
func (x *bulkInsert) pass(ctx *sql.Context) error {
	if !x.source.apart() || x.chunk*len(x.from) < len(x.rows) {
		return x.flush(ctx)
	}
	if err := x.await(ctx); err != nil {
		return err
	}
	full := x.rowBatch
	x.rowBatch, x.spare = x.spare, full
	done := make(chan put, 1)
	x.puts = done
	go func() {
		var p put
		defer func() {
			p.panics = recover()
			done <- p
		}()
		p = x.put(ctx, full.rows)
	}()
	return nil
}

// await waits for the rows that were passed, and leaves spare empty.
func (x *bulkInsert) await(ctx *sql.Context) error {
	if x.puts == nil {
		return nil
	}
	p := <-x.puts
	x.puts = nil
	if p.panics != nil {
		panic(p.panics)
	}
	rest, err := x.took(ctx, x.spare.rows, p)
	if err == nil {
		err = x.enter(ctx, rest)
	}
	x.spare = rowBatch{x.spare.rows[:0], x.spare.arena[:0]}
	return err
}

// flush inserts the rows that were gathered.
func (x *bulkInsert) flush(ctx *sql.Context) error {
	if err := x.await(ctx); err != nil {
		return err
	}
	err := x.enter(ctx, x.rows)
	x.rowBatch = rowBatch{x.rows[:0], x.arena[:0]}
	return err
}

// enter inserts rows; those that the engine refuses go GMS's way.
func (x *bulkInsert) enter(ctx *sql.Context, rest []row.Value) (err error) {
	for len(rest) > 0 && err == nil {
		rest, err = x.took(ctx, rest, x.put(ctx, rest[:min(x.chunk*len(x.from), len(rest))]))
	}
	return err
}

// took tells which of the rows are left once the engine has taken some of them.
func (x *bulkInsert) took(ctx *sql.Context, rows []row.Value, p put) (rest []row.Value, err error) {
	if p.err != nil {
		return nil, p.err
	}
	width := len(x.from)
	x.came += p.came
	rest = rows[p.came*width:]
	if !p.refused {
		x.chunk = min(2*x.chunk, math.MaxInt/2/width)
		return rest, nil
	}
	x.chunk = 1
	if x.settled.row, err = x.edit.T.Def.DecodeRow(x.edit.T.S.Zone(), rest[:width], nil); err == nil {
		err = x.one(ctx)
	}
	return rest[width:], err
}

// put inserts rows up to one whose key is there already.
func (x *bulkInsert) put(ctx *sql.Context, vals []row.Value) (p put) {
	e, width := x.edit, len(x.from)
	s := e.T.S
	s.Mu.Lock()
	defer s.Mu.Unlock()
	h, trx, err := e.Begin(ctx)
	if err != nil {
		return put{err: s.Note(err)}
	}
	p.came, err = h.InsertRows(ctx, trx, vals)
	for i := range p.came {
		e.New = vals[i*width : (i+1)*width]
		e.TallyInsert(nil)
	}
	e.New = nil
	var dup *table.DuplicateError
	if p.refused = errors.As(err, &dup); !p.refused {
		p.err = s.Note(err)
	}
	return p
}
