package backup

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math/bits"
	"sync"
	"time"

	"github.com/go-sql-driver/mysql"

	"emberdb/engine"
	"emberdb/internal/base"
)

// donor is a backup that a server gives. Its methods may be called concurrently, but for log,
// finish and end.
type donor interface {
	begin() *Begin
	// pages calls fn with each chunk of runs that was ever written and changed behind since. What
	// fn gets is valid until it returns.
	pages(ctx context.Context, since base.LSN, runs []Run, fn PagesFunc) error
	// log calls fn with what there is of files and was not given before: complete segments of the
	// redo log; behind finish, the rest of it, the binary log files that recovery needs, and the
	// LRU list.
	log(ctx context.Context, fn FileFunc) error
	finish(ctx context.Context) (*engine.BackupPoint, error)
	// end fails if what was given is not of one history.
	end(ctx context.Context) error
	close()
}

// PagesFunc takes the pages of a chunk: those whose bits are set in present.
type PagesFunc func(space base.SpaceID, first base.PageNo, present uint64, pages []byte) error

// FileFunc takes a piece of a file.
type FileFunc func(name string, off int64, data []byte) error

// Begin tells what a server has when a backup of it begins.
type Begin struct {
	ID         string             `json:"id"`
	Server     string             `json:"server"` // its version
	UUID       string             `json:"uuid"`
	Start      base.LSN           `json:"start"`
	Checkpoint []byte             `json:"checkpoint"`
	Spaces     []engine.SpaceFile `json:"spaces"`
	Divides    bool               `json:"divides,omitempty"` // the pages of a chunk can be asked for in several rows
}

// Run is neighbouring pages of a tablespace, beginning at a chunk.
type Run struct {
	Space base.SpaceID
	First base.PageNo
	Pages base.PageNo
}

// link is a donor behind the protocol; package server tells the statements.
type link struct {
	db      *sql.DB
	control *sql.Conn // the backup ends with it
	begun   Begin
}

// syntaxError is MySQL's number of a statement that the server cannot read.
const syntaxError = 1064

func openLink(ctx context.Context, db *sql.DB) (*link, error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	l := &link{db: db, control: conn}
	err = l.json(ctx, fmt.Sprint("BACKUP BEGIN ", engine.NewestFormat), &l.begun)
	if told := (*mysql.MySQLError)(nil); errors.As(err, &told) && told.Number == syntaxError {
		err = l.json(ctx, "BACKUP BEGIN", &l.begun) // a server that knows only format 1
	}
	if err != nil {
		conn.Close()
		return nil, err
	}
	return l, nil
}

func (l *link) close() { _ = l.control.Close() }

func (l *link) json(ctx context.Context, statement string, v any) error {
	var text []byte
	if err := l.control.QueryRowContext(ctx, statement).Scan(&text); err != nil {
		return fmt.Errorf("%s: %w", statement, err)
	}
	return json.Unmarshal(text, v)
}

func (l *link) begin() *Begin { return &l.begun }

// rowPages is how many pages a row is to have: the driver reads packets of up to 256 KiB into memory
// that it keeps, and makes memory for each larger one.
const rowPages = 15

func (l *link) pages(ctx context.Context, since base.LSN, runs []Run, fn PagesFunc) error {
	var text []byte
	for i, r := range runs {
		if i > 0 {
			text = append(text, ',')
		}
		text = fmt.Appendf(text, "%d:%d:%d", r.Space, r.First, r.Pages)
	}
	statement := fmt.Sprintf("BACKUP PAGES '%s' %d '%s'", l.begun.ID, since, text)
	if l.begun.Divides {
		statement = fmt.Sprint(statement, " ", rowPages)
	}
	rows, err := l.db.QueryContext(ctx, statement)
	if err != nil {
		return err
	}
	defer rows.Close()
	gather := gatherer{fn: fn}
	for rows.Next() {
		var (
			space, first uint32
			present      uint64
			pages        sql.RawBytes
		)
		if err := rows.Scan(&space, &first, &present, &pages); err != nil {
			return err
		}
		if err := gather.row(base.SpaceID(space), base.PageNo(first), present, pages); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	return gather.give()
}

// gatherer puts the rows of a chunk together.
type gatherer struct {
	fn      PagesFunc
	some    bool // rows of a chunk were taken
	space   base.SpaceID
	first   base.PageNo
	present uint64
	pages   []byte
}

// row takes pages of a chunk, and gives the one before when another begins.
func (g *gatherer) row(space base.SpaceID, first base.PageNo, present uint64, pages []byte) error {
	if len(pages) != pagesIn(present)*base.PageSize {
		return fmt.Errorf("the server sent %d bytes for %d pages", len(pages), pagesIn(present))
	}
	if g.some && (space != g.space || first != g.first) {
		if err := g.give(); err != nil {
			return err
		}
	}
	if bits.Len64(g.present) > bits.TrailingZeros64(present) {
		return fmt.Errorf("the server sent pages %064b of a chunk behind %064b", present, g.present)
	}
	if g.pages == nil {
		g.pages = make([]byte, 0, chunkPages*base.PageSize)
	}
	g.some, g.space, g.first, g.present = true, space, first, g.present|present
	g.pages = append(g.pages, pages...)
	return nil
}

// give hands the chunk on.
func (g *gatherer) give() error {
	if !g.some {
		return nil
	}
	err := g.fn(g.space, g.first, g.present, g.pages)
	g.some, g.present, g.pages = false, 0, g.pages[:0]
	return err
}

func (l *link) log(ctx context.Context, fn FileFunc) error {
	rows, err := l.control.QueryContext(ctx, fmt.Sprintf("BACKUP LOG '%s'", l.begun.ID))
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var (
			name string
			off  int64
			data sql.RawBytes
		)
		if err := rows.Scan(&name, &off, &data); err != nil {
			return err
		}
		if err := fn(name, off, data); err != nil {
			return err
		}
	}
	return rows.Err()
}

func (l *link) finish(ctx context.Context) (*engine.BackupPoint, error) {
	p := new(engine.BackupPoint)
	return p, l.json(ctx, fmt.Sprintf("BACKUP FINISH '%s'", l.begun.ID), p)
}

func (l *link) end(ctx context.Context) error {
	_, err := l.control.ExecContext(ctx, fmt.Sprintf("BACKUP END '%s'", l.begun.ID))
	return err
}

// limiter keeps a rate of bytes; 0 is none.
type limiter struct {
	rate int64 // bytes a second
	mu   sync.Mutex
	free time.Time // when what was taken so far is within the rate
}

// wait takes n bytes and returns when they are within the rate.
func (l *limiter) wait(ctx context.Context, n int) error {
	if l.rate <= 0 {
		return nil
	}
	l.mu.Lock()
	if now := time.Now(); l.free.Before(now) {
		l.free = now
	}
	until := l.free
	l.free = l.free.Add(time.Duration(float64(n) / float64(l.rate) * float64(time.Second)))
	l.mu.Unlock()
	select {
	case <-time.After(time.Until(until)):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
