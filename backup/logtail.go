package backup

import (
	"context"
	"crypto/tls"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"log/slog"
	"math/rand/v2"
	"slices"
	"time"

	"filippo.io/age"
	"github.com/go-mysql-org/go-mysql/mysql"
	"github.com/go-mysql-org/go-mysql/replication"

	"emberdb/binlog"
	"emberdb/internal/namedrows"
)

// TailOptions of the archiving of a server's binary log.
type TailOptions struct {
	Host           string // or the path of a socket, with Port 0
	Port           uint16
	User, Password string
	TLS            *tls.Config
	ServerID       uint32 // as which replica; 0: one by chance
	Recipients     []age.Recipient
	Every          time.Duration // what was read is written at least that often
	Once           bool          // end where the log ends now
	Fresh          bool          // begin with the oldest file, though that leaves a gap
	Progress       func(file string, pos int64)
	Logger         *slog.Logger
}

// tail archives the log of one server.
type tail struct {
	o       TailOptions
	archive *logArchive
	server  string
	seal    *sealer
	key     uint32

	file  *LogFile // being written; nil: none yet
	name  string   // of the file that the source sends
	buf   []byte   // behind file.Size
	until mysql.Position
}

// errReset says that the source's log is not the one that the archive has: it was reset.
var errReset = errors.New("the source's binary log was reset")

// TailLog copies the binary log of the server behind db into a store, from where the store's copy
// ends, until ctx ends or, with Once, the log's end is reached. The account needs REPLICATION SLAVE
// and REPLICATION CLIENT.
func TailLog(ctx context.Context, db *sql.DB, store Store, o TailOptions) error {
	t := &tail{o: o, archive: newLogArchive(store, nil)}
	if err := db.QueryRowContext(ctx, "SELECT @@server_uuid").Scan(&t.server); err != nil {
		return err
	}
	if err := t.makeKey(ctx); err != nil {
		return err
	}
	if o.Once {
		row, err := firstRow(ctx, db, "SHOW BINARY LOG STATUS")
		if err != nil {
			return err
		}
		if _, err := fmt.Sscan(row["Position"], &t.until.Pos); err != nil {
			return fmt.Errorf("SHOW BINARY LOG STATUS: %w", err)
		}
		t.until.Name = row["File"]
	}
	files, err := t.archive.files(ctx, t.server)
	if err != nil {
		return err
	}
	if len(files) > 0 && !o.Fresh {
		t.file = files[len(files)-1]
		err = t.follow(ctx, mysql.Position{Name: t.file.Name, Pos: uint32(max(t.file.Size, int64(len(logMagic))))})
		if !errors.Is(err, errReset) {
			return err
		}
		o.Logger.Warn("the binary log was reset; its files are archived from the first one on", "server", t.server)
	}
	row, err := firstRow(ctx, db, "SHOW BINARY LOGS")
	if err != nil {
		return err
	}
	t.file, t.buf = nil, nil
	return t.follow(ctx, mysql.Position{Name: row["Log_name"], Pos: uint32(len(logMagic))})
}

// firstRow reads the first row of a result by the names of its columns.
func firstRow(ctx context.Context, db *sql.DB, query string) (map[string]string, error) {
	rows, err := namedrows.Query(ctx, db, query)
	if err == nil && len(rows) == 0 {
		err = fmt.Errorf("%s: the server has no binary log", query)
	}
	if err != nil {
		return nil, err
	}
	return rows[0], nil
}

// makeKey makes the key of this run's chunks.
func (t *tail) makeKey(ctx context.Context) (err error) {
	var key []byte
	if len(t.o.Recipients) > 0 {
		var wrapped []byte
		if key, wrapped, err = newKey(t.o.Recipients); err != nil {
			return err
		}
		t.key = rand.Uint32() | 1
		if err := t.archive.store.Put(ctx, keyName(t.server, t.key), wrapped); err != nil {
			return err
		}
	}
	t.seal, err = newSealer(key)
	t.archive.seals[keyName(t.server, t.key)] = t.seal
	return err
}

// follow reads the log from a place on.
func (t *tail) follow(ctx context.Context, from mysql.Position) error {
	id := t.o.ServerID
	if id == 0 {
		id = 1<<31 | rand.Uint32()>>1
	}
	s := replication.NewBinlogSyncer(replication.BinlogSyncerConfig{ServerID: id, Flavor: mysql.MySQLFlavor, Host: t.o.Host, Port: t.o.Port, User: t.o.User,
		Password: t.o.Password, TLSConfig: t.o.TLS, RawModeEnabled: true, VerifyChecksum: true, HeartbeatPeriod: 10 * time.Second, ReadTimeout: time.Minute,
		EventCacheCount: 256, Logger: slog.New(slog.DiscardHandler)})
	defer s.Close()
	stream, err := s.StartSync(from)
	if err != nil {
		return fmt.Errorf("binary log of %s:%d: %w", t.o.Host, t.o.Port, err)
	}
	t.name = from.Name
	for {
		done, err := t.gather(ctx, stream)
		// What was read is written, whatever ended the reading.
		write := t.flush(context.WithoutCancel(ctx))
		if err != nil || write != nil || done {
			return errors.Join(err, write)
		}
	}
}

// gather reads for as long as the bytes may wait.
func (t *tail) gather(ctx context.Context, stream *replication.BinlogStreamer) (done bool, err error) {
	for deadline := time.Now().Add(t.o.Every); len(t.buf) < maxChunk; {
		if t.reached() {
			return true, nil
		}
		short, cancel := context.WithDeadline(ctx, deadline)
		e, err := stream.GetEvent(short)
		cancel()
		switch {
		case ctx.Err() != nil:
			return true, nil // told to end
		case errors.Is(err, context.DeadlineExceeded):
			return false, nil
		case err != nil:
			return false, t.explain(err)
		}
		if err := t.take(ctx, e); err != nil {
			return false, err
		}
	}
	return false, nil
}

// explain adds what to do about a source that has no longer what the archive lacks.
func (t *tail) explain(err error) error {
	var e *mysql.MyError
	if errors.As(err, &e) && e.Code == 1236 && t.file != nil {
		return fmt.Errorf("%s from position %d on is not to be had: %w (--fresh begins with the oldest file there is; take a new backup then)", t.name, t.file.Size, err)
	}
	return err
}

// reached tells whether the place where the log ended is archived.
func (t *tail) reached() bool {
	if t.until.Name == "" || t.file == nil {
		return false
	}
	return t.file.Name == t.until.Name && t.end() >= int64(t.until.Pos) || laterLog(t.file.Name, t.until.Name)
}

// laterLog compares the names of files of one log.
func laterLog(a, b string) bool { return len(a) > len(b) || len(a) == len(b) && a > b }

func (t *tail) end() int64 { return t.file.Size + int64(len(t.buf)) }

// take puts an event into the archive.
func (t *tail) take(ctx context.Context, e *replication.BinlogEvent) error {
	made := e.Header.LogPos == 0 || e.Header.Flags&binlog.FlagArtificial != 0 // it stands in no file
	switch kind := binlog.EventType(e.Header.EventType); {
	case kind == binlog.EventRotate && made:
		r, ok := e.Event.(*replication.RotateEvent)
		if !ok {
			return damaged(t.name, "a rotate event that cannot be read")
		}
		t.name = string(r.NextLogName)
		return nil
	case kind == binlog.EventHeartbeat || kind == binlog.EventHeartbeatV2:
		return nil
	case kind == binlog.EventFormatDescription:
		if t.file != nil && t.file.Name == t.name && t.file.Created == int64(e.Header.Timestamp) && (made || t.end() > int64(len(logMagic))) {
			return nil // the file goes on
		}
		if made {
			return errReset
		}
		if err := t.begin(ctx, int64(e.Header.Timestamp)); err != nil {
			return err
		}
	case made:
		return nil
	}
	if t.file == nil {
		return damaged(t.name, "the source sends no format description")
	}
	t.buf = append(t.buf, e.RawData...)
	if at := t.end(); uint32(at) != e.Header.LogPos {
		return damaged(t.name, "an event that ends at %d comes where the file is at %d", e.Header.LogPos, at)
	}
	if t.o.Progress != nil {
		t.o.Progress(t.name, t.end())
	}
	return nil
}

// begin begins a file; the one before is complete.
func (t *tail) begin(ctx context.Context, created int64) error {
	if t.file != nil {
		if err := t.flush(ctx); err != nil {
			return err
		}
		if err := t.join(ctx, t.file); err != nil {
			return err
		}
	}
	t.file = &LogFile{Server: t.server, Name: t.name, Created: created, archive: t.archive}
	t.buf = append(t.buf[:0], logMagic...)
	return nil
}

// flush writes what was gathered: whole events, the last piece of them first. What an interruption
// leaves of them stands behind a gap, and is no part of the file.
func (t *tail) flush(ctx context.Context) error {
	if len(t.buf) == 0 || t.file == nil {
		return nil
	}
	var written []logChunk
	for end := len(t.buf); end > 0; {
		from := (end - 1) / maxChunk * maxChunk
		c, err := t.put(ctx, t.file, t.file.Size+int64(from), t.buf[from:end])
		if err != nil {
			return err
		}
		written, end = append(written, c), from
	}
	slices.Reverse(written)
	t.file.chunks = append(t.file.chunks, written...)
	t.file.Size, t.buf = t.end(), t.buf[:0]
	return nil
}

// put writes a chunk.
func (t *tail) put(ctx context.Context, f *LogFile, from int64, data []byte) (logChunk, error) {
	c := logChunk{from: from, to: from + int64(len(data))}
	c.name = fmt.Sprintf("%s/%012d-%012d", f.folder(), c.from, c.to)
	le := binary.LittleEndian
	b := le.AppendUint32(append([]byte(nil), chunkMagic...), t.key)
	b = le.AppendUint32(b, uint32(len(data)))
	b = t.seal.seal(append(b, 0, 0, 0, 0), data, []byte(c.name))
	le.PutUint32(b[16:], crc32.Checksum(b[chunkHead:], castagnoli))
	return c, t.archive.store.Put(ctx, c.name, b)
}

// join makes few large chunks of the many small ones of a complete file. Those of an earlier run
// under another key stay as they are.
func (t *tail) join(ctx context.Context, f *LogFile) error {
	var run []logChunk
	var data []byte
	write := func() error {
		if len(run) > 1 {
			if _, err := t.put(ctx, f, run[0].from, data); err != nil {
				return err
			}
			for _, c := range run {
				if err := t.archive.store.Remove(ctx, c.name); err != nil {
					return err
				}
			}
		}
		run, data = run[:0], data[:0]
		return nil
	}
	for _, c := range f.chunks {
		b, err := t.archive.chunk(ctx, f.Server, c)
		if errors.Is(err, errNoIdentity) {
			err, b = nil, nil
		}
		if err != nil {
			return err
		}
		if b == nil || len(data)+len(b) > maxChunk {
			if err := write(); err != nil {
				return err
			}
		}
		if b != nil {
			run, data = append(run, c), append(data, b...)
		}
	}
	return write()
}
