package tools

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"
)

// writer is the clients that change shop.item while a tool is at work, and shop.twin in the same
// transactions.
type writer struct {
	begun, done atomic.Int64 // transactions
	stop        context.CancelFunc
	clients     errgroup.Group
}

// mark stands in the writer's statements: those that fail are none of the tool's.
const mark = "/* writer */"

// write starts the writer. It ends with the test, or by end.
func (p *pair) write(t *testing.T) *writer {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	w := &writer{stop: cancel}
	for range *writers {
		w.clients.Go(func() error {
			for ctx.Err() == nil {
				if err := p.transaction(w.begun.Add(1)); err != nil {
					return err
				}
				w.done.Add(1)
				time.Sleep(3 * time.Millisecond) // the history of statements is short
			}
			return nil
		})
	}
	t.Cleanup(cancel)
	written(t, w, 10)
	return w
}

// end stops the writer, which must have met no error.
func (w *writer) end(t *testing.T) {
	t.Helper()
	written(t, w, 10)
	w.stop()
	require.NoError(t, w.clients.Wait())
	t.Logf("%d transactions meanwhile", w.done.Load())
}

// transaction makes change n of both tables, again if it is the victim of a deadlock or of a
// definition that changed under it.
func (p *pair) transaction(n int64) error {
	size := int64(*items)
	id := rand.Int64N(size+size/4) + 1
	change := [...]string{
		"INSERT " + mark + " INTO shop.%s (id, name, price, doc) VALUES (?, 'new', 1.5, '{}')",
		"UPDATE " + mark + " shop.%s SET price = price + 1, note = 'changed' WHERE id = ?",
		"DELETE " + mark + " FROM shop.%s WHERE id = ?",
		"UPDATE " + mark + " shop.%s SET kind = 'x' WHERE id >= ? ORDER BY id LIMIT 3",
	}[n%4]
	if n%4 == 0 {
		id = 10*size + n
	}
	for {
		err := p.attempt(change, id)
		var e *mysql.MySQLError
		if errors.As(err, &e) && (e.Number == 1213 || e.Number == 1412) {
			continue
		}
		return err
	}
}

func (p *pair) attempt(change string, id int64) error {
	tx, err := p.source.db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	for _, table := range []string{"item", "twin"} {
		if _, err := tx.Exec(fmt.Sprintf(change, table), id); err != nil {
			return fmt.Errorf("%s: %w", table, err)
		}
	}
	return tx.Commit()
}
