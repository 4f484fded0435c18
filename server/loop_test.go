package server

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// loopServer is a server with a table, d.t, of 200 rows.
func loopServer(t *testing.T, args ...string) *testServer {
	if runtime.GOMAXPROCS(0) < 2 {
		before := runtime.GOMAXPROCS(2)
		t.Cleanup(func() { runtime.GOMAXPROCS(before) })
	}
	ts, _ := startReal(t, t.TempDir(), args...)
	root := ts.openDB("root", "", "", "multiStatements=true")
	exec(t, root, "CREATE DATABASE d; CREATE TABLE d.t (id INT PRIMARY KEY, v INT NOT NULL, pad VARCHAR(8000) NOT NULL)")
	for i := range 200 {
		exec(t, root, "INSERT INTO d.t VALUES (?, ?, ?)", i, i*i, strings.Repeat("x", i*20))
	}
	return ts
}

// seated is a client whose connection is with the loop.
func (ts *testServer) seated() *rawClient {
	c := ts.dial()
	for i := range loopCredit + 10 {
		require.Equal(ts.t, []string{strconv.Itoa(i * i)}, c.query(fmt.Sprintf("SELECT v FROM d.t WHERE id = %d", i)))
	}
	return c
}

func (ts *testServer) seats() int64 {
	n, _ := ts.loopStatus()
	return n
}

func TestLoopTakesConnectionsAndGivesThemBack(t *testing.T) {
	ts := loopServer(t)
	c := ts.seated()
	require.EqualValues(t, 1, ts.seats())
	_, before := ts.loopStatus()
	for i := range 50 {
		require.Equal(t, []string{strconv.Itoa(i * i)}, c.query(fmt.Sprintf("SELECT v FROM d.t WHERE id = %d", i)))
	}
	_, after := ts.loopStatus()
	require.EqualValues(t, 50, after-before)
	// What is not quick is run by the connection itself, and answers like everywhere.
	require.Equal(t, []string{"200", "199"}, c.query("SELECT COUNT(*), MAX(id) FROM d.t"))
	require.EqualValues(t, 1, ts.seats())
	for range loopCredit / loopPrice {
		require.Equal(t, []string{"1"}, c.query("SELECT 1"))
	}
	require.Eventually(t, func() bool { return ts.seats() == 0 }, 10*time.Second, time.Millisecond)
	require.Equal(t, []string{"4"}, c.query("SELECT v FROM d.t WHERE id = 2"))
}

// Commands that come together are answered one behind the other, also where they do not fit the buffer or one of them is cut in two.
func TestLoopAnswersInOrder(t *testing.T) {
	ts := loopServer(t)
	c := ts.seated()
	var all []byte
	for i := range 150 {
		q := fmt.Sprintf("SELECT v FROM d.t WHERE id = %d", i)
		if i%37 == 36 {
			q = fmt.Sprintf("SELECT SUM(v) - SUM(v) + %d FROM d.t", i*i)
		}
		all = append(all, frame(0, append([]byte{comQuery}, q...))...)
	}
	go func() {
		for len(all) > 0 {
			n := min(len(all), 777)
			c.Write(all[:n])
			all = all[n:]
			time.Sleep(time.Millisecond)
		}
	}()
	for i := range 150 {
		for range 2 {
			c.recv() // the result's shape
		}
		_, row := c.recv()
		require.Equal(t, strconv.Itoa(i*i), string(row[1:]))
		c.recv()
	}
}

// A client that does not read its answers keeps nobody else waiting.
func TestLoopDoesNotWaitForClients(t *testing.T) {
	ts := loopServer(t)
	lazy, other := ts.seated(), ts.seated()
	const n = 2000 // 8 MB of answers
	wrote := make(chan struct{})
	go func() {
		defer close(wrote)
		for range n {
			lazy.Write(frame(0, append([]byte{comQuery}, "SELECT pad FROM d.t WHERE id = 199"...)))
		}
	}()
	for i := range 300 {
		require.Equal(t, []string{"25"}, other.query("SELECT v FROM d.t WHERE id = 5"), i)
	}
	for range n {
		for range 2 {
			lazy.recv()
		}
		_, row := lazy.recv()
		require.Len(t, row, 3+199*20)
		lazy.recv()
	}
	<-wrote
}

// A statement that has to wait for a metadata lock waits alone, and can be killed.
func TestLoopDoesNotWaitForLocks(t *testing.T) {
	ts := loopServer(t)
	waits, other := ts.seated(), ts.seated()
	id := waits.query("SELECT CONNECTION_ID()")[0]
	root, err := ts.openDB("root", "", "d", "multiStatements=true").Conn(context.Background())
	require.NoError(t, err)
	defer root.Close()
	exec(t, root, "CREATE TABLE u (id INT PRIMARY KEY, v INT); INSERT INTO u VALUES (1, 7)")
	for range 10 {
		require.Equal(t, []string{"7"}, other.query("SELECT v FROM d.u WHERE id = 1"))
	}
	exec(t, root, "LOCK TABLES t WRITE")
	waits.send(0, append([]byte{comQuery}, "SELECT v FROM d.t WHERE id = 3"...))
	for range 200 {
		require.Equal(t, []string{"7"}, other.query("SELECT v FROM d.u WHERE id = 1"))
	}
	require.EqualValues(t, 2, ts.seats())
	exec(t, root, "KILL QUERY "+id)
	require.Equal(t, 1317, waits.recvError())
	exec(t, root, "UNLOCK TABLES")
	require.Equal(t, []string{"9"}, waits.query("SELECT v FROM d.t WHERE id = 3"))
	require.Equal(t, []string{"9"}, other.query("SELECT v FROM d.t WHERE id = 3"))
}

func TestLoopConnectionsEnd(t *testing.T) {
	ts := loopServer(t)
	root := ts.openDB("root", "", "d", "")
	gone := func(left int64) {
		t.Helper()
		require.Eventually(t, func() bool { return ts.seats() == left }, 20*time.Second, time.Millisecond)
	}
	t.Run("killed", func(t *testing.T) {
		c := ts.seated()
		id := c.query("SELECT CONNECTION_ID()")[0]
		exec(t, root, "KILL "+id)
		c.requireClosed()
		gone(0)
	})
	t.Run("by the client", func(t *testing.T) {
		c, quits := ts.seated(), ts.seated()
		c.Close()
		gone(1)
		quits.send(0, []byte{comQuit})
		quits.requireClosed()
		gone(0)
	})
	t.Run("idle for too long", func(t *testing.T) {
		c := ts.dial()
		c.send(0, append([]byte{comQuery}, "SET wait_timeout = 1"...))
		c.recv()
		for range loopCredit + 1 {
			c.query("SELECT v FROM d.t WHERE id = 1")
		}
		gone(1)
		require.Equal(t, 4031, c.recvError())
		c.requireClosed()
		gone(0)
	})
	t.Run("out of order", func(t *testing.T) {
		c := ts.seated()
		c.send(3, append([]byte{comQuery}, "SELECT v FROM d.t WHERE id = 1"...))
		_, p, err := readFrame(c.Conn, maxFrame)
		require.NoError(t, err)
		require.Equal(t, byte(packetErr), p[0])
		c.requireClosed()
		gone(0)
	})
	t.Run("shutdown", func(t *testing.T) {
		c := ts.seated()
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		ts.Shutdown(ctx)
		_, err := io.ReadAll(c)
		require.NoError(t, err)
		require.EqualValues(t, 0, ts.seats())
	})
}

// Many connections that come and go, with statements of both kinds, killed now and then: every answer is the one asked for.
func TestLoopUnderLoad(t *testing.T) {
	ts := loopServer(t)
	root := ts.openDB("root", "", "d", "")
	ids := make(chan string, 100)
	var wg sync.WaitGroup
	for n := range 12 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for round := range 6 {
				c := ts.dial()
				if n == 0 {
					ids <- c.query("SELECT CONNECTION_ID()")[0]
				}
				for i := range 400 {
					k := (i*7 + n) % 200
					q := fmt.Sprintf("SELECT v FROM d.t WHERE id = %d", k)
					if i%(50+13*round) == 0 {
						q = fmt.Sprintf("SELECT MAX(v) FROM d.t WHERE id <= %d", k)
					}
					if n == 0 { // it will be killed
						if _, err := c.Write(frame(0, append([]byte{comQuery}, q...))); err != nil {
							break
						}
						time.Sleep(100 * time.Microsecond)
						continue
					}
					require.Equal(t, []string{strconv.Itoa(k * k)}, c.query(q))
				}
				c.Close()
			}
		}()
	}
	stop := make(chan struct{})
	go func() {
		for {
			select {
			case id := <-ids:
				time.Sleep(20 * time.Millisecond)
				_, _ = root.Exec("KILL " + id)
			case <-stop:
				return
			}
		}
	}()
	wg.Wait()
	close(stop)
	require.Eventually(t, func() bool { return ts.seats() == 0 }, 20*time.Second, time.Millisecond)
}
