package replication

import (
	"database/sql"
	"fmt"
	"io"
	"net"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
	"emberdb/tests/emberd"
)

// TestSourceDiesWithinATransaction kills a source while its replicas have received some of the row
// events of a large transaction: they go on with what the transaction has left, or begin it again,
// and nothing is lost or there twice.
func TestSourceDiesWithinATransaction(t *testing.T) {
	s := emberd.Start(t, options...)
	n := newNarrow(t, s.Port)
	all := follow(t, n.port())
	db := s.Open("")
	defer db.Close()
	execAll(t, db, "CREATE DATABASE cut", "CREATE TABLE cut.keyless (v VARCHAR(200))", "CREATE TABLE cut.keyed (id INT PRIMARY KEY, v VARCHAR(200))",
		"CREATE TABLE cut.digits (d INT)", "INSERT INTO cut.digits VALUES (0),(1),(2),(3),(4),(5),(6),(7),(8),(9)")
	for round, budget := range []int{50_000, 700_000, 1_500_000} {
		for _, r := range all {
			r.wait(t, db)
		}
		n.let(budget)
		large(t, db, round)
		n.used(t)
		s.Kill()
		n.cut()
		require.NoError(t, s.Launch())
		for _, r := range all {
			if r.mariaDB { // it stops within a statement, with a MySQL source as well
				r.resume(t)
			}
			t.Logf("killed after %d bytes: %s", budget, r.name)
			r.sameAs(t, db)
		}
	}
}

func execAll(t *testing.T, db interface {
	Exec(query string, args ...any) (sql.Result, error)
}, queries ...string) {
	t.Helper()
	for _, q := range queries {
		_, err := db.Exec(q)
		require.NoError(t, err, q)
	}
}

// large is a transaction of some megabytes of row events, which counts if it is applied twice.
func large(t *testing.T, db *sql.DB, round int) {
	t.Helper()
	tx, err := db.Begin()
	require.NoError(t, err)
	for part := range 5 {
		execAll(t, tx, fmt.Sprintf("INSERT INTO cut.keyed SELECT %d + a.d * 100 + b.d * 10 + c.d, REPEAT('x', 150 + a.d) FROM cut.digits a, cut.digits b, cut.digits c",
			round*10_000+part*1000), fmt.Sprintf("INSERT INTO cut.keyless SELECT v FROM cut.keyed WHERE id >= %d", round*10_000+part*1000))
	}
	execAll(t, tx, fmt.Sprintf("UPDATE cut.keyed SET v = CONCAT(v, 'u') WHERE id %% 2 = %d", round%2), "DELETE FROM cut.keyed WHERE id % 7 = 3")
	require.NoError(t, tx.Commit())
}

// narrow stands between a source and its replicas. It lets a number of the source's bytes pass, and
// then none.
type narrow struct {
	listener net.Listener
	target   string

	mu     sync.Mutex
	change *sync.Cond
	budget int // -1: no limit
	conns  map[net.Conn]bool
}

func newNarrow(t *testing.T, target int) *narrow {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	n := &narrow{listener: l, target: fmt.Sprintf("127.0.0.1:%d", target), budget: -1, conns: map[net.Conn]bool{}}
	n.change = sync.NewCond(&n.mu)
	t.Cleanup(func() { l.Close(); n.cut() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go n.serve(c)
		}
	}()
	return n
}

func (n *narrow) port() int { return n.listener.Addr().(*net.TCPAddr).Port }

func (n *narrow) serve(replica net.Conn) {
	source, err := net.Dial("tcp", n.target)
	if err != nil {
		replica.Close()
		return
	}
	n.mu.Lock()
	n.conns[replica], n.conns[source] = true, true
	n.mu.Unlock()
	go func() {
		_, _ = io.Copy(source, replica) // its end is the end of both
		source.Close()
	}()
	b := make([]byte, 4096)
	for {
		size, err := source.Read(b)
		if err != nil || !n.pass(replica, size) {
			break
		}
		if _, err := replica.Write(b[:size]); err != nil {
			break
		}
	}
	replica.Close()
	source.Close()
}

// pass waits until so many bytes may pass; false: the connection was cut.
func (n *narrow) pass(c net.Conn, size int) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	for n.budget >= 0 && n.budget < size && n.conns[c] {
		if n.budget > 0 {
			n.budget = 0
			n.change.Broadcast()
		}
		n.change.Wait()
	}
	if n.budget > 0 {
		n.budget -= size
	}
	return n.conns[c]
}

func (n *narrow) let(bytes int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.budget = bytes
}

// used waits until no more bytes may pass.
func (n *narrow) used(t *testing.T) {
	t.Helper()
	testkit.Eventually(t, func() bool {
		n.mu.Lock()
		defer n.mu.Unlock()
		return n.budget == 0
	})
}

// cut breaks all connections with what stands in them, and lets those to come pass.
func (n *narrow) cut() {
	n.mu.Lock()
	defer n.mu.Unlock()
	for c := range n.conns {
		c.Close()
	}
	n.conns = map[net.Conn]bool{}
	n.budget = -1
	n.change.Broadcast()
}
