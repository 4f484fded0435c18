package replication

import (
	"context"
	"flag"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/bench/wire"
	"emberdb/tests/emberd"
)

var tries = flag.Int("tries", 60, "how many readers of the log connect while a large event is written")

// Readers that connect at the end of the log while large events are written never meet a part of one:
// the end that they are told is the end of an event, and what comes behind it is whole (1236
// otherwise).
func TestReadersMeetWholeEvents(t *testing.T) {
	s := emberd.Start(t, "--log-bin=binlog", "--server-id=1", "--innodb-buffer-pool-size=64M", "--max-binlog-size=16M", "--max-allowed-packet=64M")
	db := s.Open("")
	defer db.Close()
	for _, q := range []string{"CREATE DATABASE d", "CREATE TABLE d.t (id INT PRIMARY KEY AUTO_INCREMENT, big LONGBLOB)"} {
		_, err := db.Exec(q)
		require.NoError(t, err)
	}
	ctx, stop := context.WithCancel(context.Background())
	written := make(chan error, 1)
	go func() {
		var err error
		for big := strings.Repeat("x", 6<<20); err == nil && ctx.Err() == nil; {
			if _, err = db.ExecContext(ctx, "INSERT INTO d.t (big) VALUES (?), ('small')", big); err == nil {
				_, err = db.ExecContext(ctx, "DELETE FROM d.t")
			}
		}
		if ctx.Err() != nil {
			err = nil
		}
		written <- err
	}()
	for i := range *tries {
		require.NoError(t, readSome(t, s, uint32(1000+i)), "reader %d", i)
	}
	stop()
	require.NoError(t, <-written)
}

// readSome reads from the end of the log until three events of the file came.
func readSome(t *testing.T, s *emberd.Server, id uint32) error {
	t.Helper()
	cfg := s.Config("")
	cfg.ReadTimeout = time.Minute
	c, err := wire.Dial(context.Background(), cfg)
	require.NoError(t, err)
	defer c.Hang()
	db := s.Open("")
	defer db.Close()
	var file, none string
	var pos uint32
	require.NoError(t, db.QueryRow("SHOW BINARY LOG STATUS").Scan(&file, &pos, &none, &none, &none))
	_, err = c.Exec("SET @source_binlog_checksum = 'CRC32'")
	require.NoError(t, err)
	if err := c.Dump(id, file, pos); err != nil {
		return err
	}
	for came := 0; came < 3; {
		e, err := c.Event()
		if err != nil {
			return fmt.Errorf("%s:%d: %w", file, pos, err)
		}
		if e.End > 0 && e.File == "" {
			came++
		}
	}
	return nil
}
