package tools

import (
	"context"
	"database/sql"
	"io"
	"net"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
)

// clients insert into client.t, a row a transaction, whatever server their proxy leads to.
type clients struct {
	source func() int // port of the server for new connections
	id     atomic.Int64
	stop   context.CancelFunc
	ended  sync.WaitGroup

	mu   sync.Mutex
	done []int64 // rows whose commits were acknowledged
	last int64   // the largest time at which an acknowledged statement began, in nanoseconds
}

const clientCount = 4

// openClients starts them, of an account that read_only stops, and the proxy. They end with the test, or by end.
func openClients(t *testing.T, source func() int) *clients {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { l.Close() })
	c := &clients{source: source}
	go c.proxy(l)
	cfg := mysql.NewConfig()
	cfg.User, cfg.Passwd, cfg.Net, cfg.Addr, cfg.Logger = "client", "a password", "tcp", l.Addr().String(), &mysql.NopLogger{}
	cfg.RejectReadOnly, cfg.Timeout = true, 5*time.Second
	connector, err := mysql.NewConnector(cfg)
	require.NoError(t, err)
	db := sql.OpenDB(connector)
	t.Cleanup(func() { db.Close() })
	ctx, cancel := context.WithCancel(context.Background())
	c.stop = cancel
	t.Cleanup(cancel)
	for range clientCount {
		c.ended.Go(func() { c.insert(ctx, db) })
	}
	c.next(t)
	return c
}

func (c *clients) insert(ctx context.Context, db *sql.DB) {
	for ctx.Err() == nil {
		id, begun := c.id.Add(1), time.Now().UnixNano()
		if _, err := db.ExecContext(ctx, "INSERT INTO client.t (id, note) VALUES (?, 'a row of a client')", id); err != nil {
			time.Sleep(10 * time.Millisecond) // whether the row is there is not known
			continue
		}
		c.mu.Lock()
		c.done, c.last = append(c.done, id), max(c.last, begun)
		c.mu.Unlock()
	}
}

// proxy connects each client to the source of that moment.
func (c *clients) proxy(l net.Listener) {
	for {
		in, err := l.Accept()
		if err != nil {
			return
		}
		go func() {
			defer in.Close()
			out, err := net.Dial("tcp", "127.0.0.1:"+strconv.Itoa(c.source()))
			if err != nil {
				return
			}
			go func() {
				defer in.Close()
				_, _ = io.Copy(in, out) // the end of either connection ends both
			}()
			defer out.Close()
			_, _ = io.Copy(out, in)
		}()
	}
}

// next waits for the commit of a statement that begins from now on, and tells how long that took.
func (c *clients) next(t *testing.T) time.Duration {
	t.Helper()
	begun := time.Now()
	testkit.Eventually(t, func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.last > begun.UnixNano()
	})
	return time.Since(begun)
}

// rate counts the commits of a time.
func (c *clients) rate(span time.Duration) int {
	first := c.count()
	time.Sleep(span)
	return c.count() - first
}

func (c *clients) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.done)
}

// end stops the clients. Every row whose commit they know of must be on the servers.
func (c *clients) end(t *testing.T, source *server, replicas ...*server) {
	t.Helper()
	c.stop()
	c.ended.Wait()
	for _, s := range replicas {
		(&pair{*source, *s}).catchUp(t)
	}
	for _, s := range append([]*server{source}, replicas...) {
		rows, err := s.db.Query("SELECT id FROM client.t")
		require.NoError(t, err)
		there := map[int64]bool{}
		for rows.Next() {
			var id int64
			require.NoError(t, rows.Scan(&id))
			there[id] = true
		}
		require.NoError(t, rows.Err())
		for _, id := range c.done {
			require.True(t, there[id], "port %d has lost row %d of %d", s.port, id, len(c.done))
		}
	}
}
