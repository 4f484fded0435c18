package engine

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/engine/table"
	"emberdb/engine/txn"
	"emberdb/internal/base"
	"emberdb/internal/testkit"
	"emberdb/internal/vfs"
)

// Reads beside index builds. Every transaction leaves a row for each value of k in the table, and
// every change moves the row in the indexes on n. So a read of one of those that misses a row is
// wrong at every isolation level.
//
//	id BIGINT PRIMARY KEY, k BIGINT UNIQUE, n BIGINT, KEY n (n), and KEY extra (n, k) at times
const besideRows = 12

func besideDef() *catalog.Table {
	def := &catalog.Table{Schema: "test", Name: "moving", AutoInc: -1, Indexes: []*catalog.Index{
		{Name: "PRIMARY", Unique: true, Clustered: true, Parts: []row.KeyPart{{Column: 0}}},
		{Name: "k", Unique: true, Parts: []row.KeyPart{{Column: 1}}},
		{Name: "n", Parts: []row.KeyPart{{Column: 2}}},
	}}
	for _, name := range []string{"id", "k", "n"} {
		def.Columns = append(def.Columns, catalog.Column{Name: name, Column: row.Column{Type: row.TInt64}})
	}
	return def
}

func ints(vs ...int64) (vals []row.Value) {
	for _, v := range vs {
		vals = append(vals, row.IntValue(v))
	}
	return vals
}

// mover is a client.
type mover struct {
	e *Engine
	r *rand.Rand
}

// find locks the row of k.
func (c mover) find(tx *txn.Trx, t *table.Table, k int64) ([]row.Value, error) {
	ix := t.Def().Indexes[1]
	key := row.AppendKey(nil, table.Columns(t.Def()), ix.Parts, ints(0, k, 0))
	vals, ok, err := t.Get(ctx, tx, ix, key, table.Exclusive, table.Wait)
	if err == nil && !ok {
		err = fmt.Errorf("row %d is not found", k)
	}
	return vals, err
}

func (c mover) change(tx *txn.Trx, t *table.Table, k, move int64) error {
	v, err := c.find(tx, t, k)
	if err != nil {
		return err
	}
	return t.Update(ctx, tx, v, ints(v[0].Int()+move, k, v[2].Int()+1))
}

func (c mover) replace(tx *txn.Trx, t *table.Table, k int64) error {
	v, err := c.find(tx, t, k)
	if err != nil {
		return err
	}
	tx.StartStatement()
	if err := t.Delete(ctx, tx, v); err != nil {
		return err
	}
	tx.StartStatement()
	return t.Insert(ctx, tx, ints(v[0].Int()+100*c.r.Int64N(2), k, v[2].Int()+1))
}

// read reads all rows along an index on n, mostly from its end.
func (c mover) read(tx *txn.Trx, t *table.Table) error {
	indexes := slices.DeleteFunc(slices.Clone(t.Def().Indexes[2:]), func(ix *catalog.Index) bool { return ix.Building })
	if len(indexes) == 0 {
		return nil
	}
	o := table.ScanOptions{Index: indexes[c.r.IntN(len(indexes))], Reverse: c.r.IntN(4) > 0}
	if tx.Isolation() == txn.Serializable {
		o.Lock = table.Shared
	}
	s := t.NewScan(tx, o)
	defer s.Close()
	found := map[int64]int64{}
	for {
		v, err := s.Next(ctx)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		found[v[1].Int()] = v[2].Int()
	}
	if len(found) != besideRows {
		return fmt.Errorf("%v along %s, from the end %v: of %d rows it found %v", tx.Isolation(), o.Index.Name, o.Reverse, besideRows, found)
	}
	return nil
}

func (c mover) step(tx *txn.Trx, t *table.Table) error {
	tx.StartStatement()
	k := c.r.Int64N(besideRows)
	switch n := c.r.IntN(12); {
	case n < 6:
		return c.read(tx, t)
	case n < 7:
		for ; k < besideRows; k++ {
			if err := c.change(tx, t, k, 0); err != nil {
				return err
			}
		}
		return nil
	case n < 8:
		return c.change(tx, t, k, 100)
	case n < 9:
		return c.replace(tx, t, k)
	case n < 10:
		before := tx.Savepoint()
		if err := c.change(tx, t, k, 0); err != nil {
			return err
		}
		return tx.RollbackTo(ctx, before)
	}
	return c.change(tx, t, k, 0)
}

func (c mover) transaction() error {
	tx := c.e.Begin([]txn.Isolation{txn.ReadCommitted, txn.RepeatableRead, txn.Serializable, txn.Serializable}[c.r.IntN(4)], false)
	t, err := c.e.Table(ctx, tx, "test", "moving")
	for n := 1 + c.r.IntN(4); n > 0 && err == nil; n-- {
		err = c.step(tx, t)
	}
	if err == nil && c.r.IntN(8) > 0 {
		return c.e.Commit(ctx, tx)
	}
	if errors.Is(err, base.ErrDeadlock) || errors.Is(err, base.ErrLockTimeout) {
		err = nil
	}
	return errors.Join(err, c.e.Rollback(tx))
}

// define adds one of the indexes on n, or drops it.
func (c mover) define() error {
	wait, i := WithMetaWait(ctx, time.Second), c.r.IntN(2)
	ix := &catalog.Index{Name: []string{"n", "extra"}[i], Parts: []row.KeyPart{{Column: 2}, {Column: 1}}[:1+i]}
	err := c.e.ddl(func(tx *txn.Trx) error {
		err := c.e.DropIndex(wait, tx, "test", "moving", ix.Name)
		if errors.Is(err, base.ErrNotFound) {
			return c.e.AddIndex(wait, tx, "test", "moving", ix)
		}
		return err
	})
	if errors.Is(err, base.ErrDeadlock) || errors.Is(err, base.ErrLockTimeout) {
		return nil
	}
	return err
}

// TestReadsBesideIndexBuilds runs EMBER_TRANSACTIONS of them.
func TestReadsBesideIndexBuilds(t *testing.T) {
	seed, count := testkit.Seed(t), int64(20000)
	if n, err := strconv.ParseInt(os.Getenv("EMBER_TRANSACTIONS"), 10, 64); err == nil {
		count = n
	}
	o := smallOptions(vfs.NewMem(seed))
	o.PoolBytes, o.RedoCapacity, o.RedoSegment, o.FlushLogAtCommit = 32<<20, 128<<20, 16<<20, 0
	e := open(t, o)
	require.NoError(t, e.ddl(func(tx *txn.Trx) error { return e.CreateTable(ctx, tx, besideDef()) }))
	require.NoError(t, e.run(txn.RepeatableRead, func(tx *txn.Trx) error {
		tb, err := e.Table(ctx, tx, "test", "moving")
		for k := int64(0); k < besideRows && err == nil; k++ {
			err = tb.Insert(ctx, tx, ints(k, k, 0))
		}
		return err
	}))
	var begun atomic.Int64
	var failed atomic.Bool
	errs := make([]error, 13)
	var wg sync.WaitGroup
	for i := range errs {
		c := mover{e, rand.New(rand.NewPCG(seed, uint64(i)))}
		work := c.transaction
		if i == 0 {
			work = func() error {
				time.Sleep(time.Duration(c.r.IntN(3000)) * time.Microsecond)
				return c.define()
			}
		}
		wg.Go(func() {
			for errs[i] == nil && !failed.Load() && begun.Add(1) <= count {
				if errs[i] = work(); errs[i] != nil {
					failed.Store(true)
				}
			}
		})
	}
	wg.Wait()
	require.NoError(t, errors.Join(errs...))
	requireClean(t, e)
	require.NoError(t, e.Close(false))
}
