package memory

import (
	"errors"
	"io"
	"slices"

	apd "github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/sorters"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/internal/quota"
	"emberdb/sqllayer/sqlerr"
)

// CacheReporter is asked by GMS's caches whether there is memory, once for each entry. They do not
// tell what they keep: mostly a hash of a row.
type CacheReporter struct {
	Account *quota.Account
	entries int
	refused uint64 // the statement that is to end, counted from 1
	Err     error  // why
}

// HashSize is the bytes of a hash among others.
const HashSize = 32

const (
	cacheEntry = 64  // bytes
	CacheStep  = 256 // entries
)

// MaxMemory implements sql.Reporter.
func (r *CacheReporter) MaxMemory() uint64 { return 1 }

// UsedMemory implements sql.Reporter.
func (r *CacheReporter) UsedMemory() uint64 {
	now := r.Account.Statement() + 1
	if r.entries++; r.entries%CacheStep == 0 {
		if err := r.Account.Take(CacheStep * cacheEntry); err != nil {
			r.refused, r.Err = now, err
		}
	}
	if r.refused == now {
		return 1
	}
	return 0
}

// IsOverCaches tells the error of a cache that was refused memory, which may have become one of the
// protocol.
func IsOverCaches(err error) bool {
	return sql.ErrNoMemoryAvailable.Is(err) || err.Error() == sql.ErrNoMemoryAvailable.New().Error()
}

// accounted is a session whose statements account what they hold.
type accounted interface{ Memory() *quota.Account }

// Kept accounts what a part of a statement keeps.
type Kept struct{ quota.Holder }

// Keep begins to account to the statement of ctx.
func Keep(ctx *sql.Context) Kept {
	if s, ok := ctx.Session.(accounted); ok {
		return Kept{quota.Holder{Account: s.Memory()}}
	}
	return Kept{}
}

func (k *Kept) Add(n int64) error { return OverMemory(k.Holder.Add(n)) }

// Rows reads and keeps the rows of an iterator, and closes it.
func (k *Kept) Rows(ctx *sql.Context, from sql.RowIter) (rows []sql.Row, err error) {
	for err == nil {
		var row sql.Row
		if row, err = from.Next(ctx); err == nil {
			err = k.Add(RowSize(row))
			rows = append(rows, row)
		}
	}
	if closed := from.Close(ctx); err == io.EOF { //nolint:errorlint // iterators end with io.EOF itself
		err = closed
	}
	return rows, err
}

const (
	erOutOfResources   = 1041
	erCapacityExceeded = 3170
	erGlobalLimit      = 4081
	erConnectionLimit  = 4082
	outOfResources     = "Out of memory; check if mysqld or some other process uses all available memory; if not, you may have to use 'ulimit' to allow mysqld to use more memory or you can add more swap space"
)

// OverMemory is the error that tells the client of a limit of memory.
func OverMemory(err error) error {
	var over *quota.Exceeded
	switch {
	case !errors.As(err, &over):
		return err
	case over.Bound == quota.OfStatement:
		return sqlerr.NewError(erCapacityExceeded, "Memory capacity of %d bytes for 'ember_statement_memory' exceeded. The statement was ended.", over.Limit)
	case over.Bound == quota.OfConnection:
		return sqlerr.NewError(erConnectionLimit, "Connection closed. Connection memory limit %d bytes exceeded. Consumed %d bytes.", over.Limit, over.Used)
	case over.Bound == quota.OfTracked:
		return sqlerr.NewError(erGlobalLimit, "Connection closed. Global connection memory limit %d bytes exceeded. Consumed %d bytes.", over.Limit, over.Used)
	}
	return OutOfMemory()
}

// OutOfMemory is the error of a statement that was ended because the server has no memory left.
func OutOfMemory() *mysql.SQLError { return sqlerr.NewError(erOutOfResources, "%s", outOfResources) }

// EndsConnection tells errors behind which the connection is closed.
func EndsConnection(e *mysql.SQLError) bool {
	return e.Num == erGlobalLimit || e.Num == erConnectionLimit
}

// RowSize estimates the bytes that a row takes on the heap: its values and the blocks they lie in.
func RowSize(row sql.Row) int64 {
	n := int64(24 + 16*len(row))
	for _, v := range row {
		n += ValueSize(v)
	}
	return n
}

func ValueSize(v any) int64 {
	switch v := v.(type) {
	case nil, bool, int8, uint8:
		return 0
	case string:
		return int64(16 + len(v))
	case []byte:
		return int64(24 + len(v))
	case *apd.Decimal:
		return 48
	case types.JSONBytes:
		return 64 // the document is shared with the page's copy, or text
	case types.JSONDocument:
		return 16 + documentSize(v.Val)
	case sql.Row:
		return RowSize(v)
	}
	return 16
}

// documentSize estimates the bytes of a JSON value.
func documentSize(v any) int64 {
	switch v := v.(type) {
	case []any:
		n := int64(24)
		for _, e := range v {
			n += 16 + documentSize(e)
		}
		return n
	case map[string]any:
		n := int64(48)
		for k, e := range v {
			n += int64(48+len(k)) + documentSize(e)
		}
		return n
	}
	return ValueSize(v)
}

type RetainedIter struct {
	sql.RowIter
	Kept Kept
	Left int64
	Long bool
}

// Next implements sql.RowIter.
func (i *RetainedIter) Next(ctx *sql.Context) (sql.Row, error) {
	row, err := i.RowIter.Next(ctx)
	if err != nil || i.Left == 0 {
		return row, err
	}
	i.Left--
	return row, i.Kept.Add(RowSize(row))
}

// Close implements sql.RowIter.
func (i *RetainedIter) Close(ctx *sql.Context) error {
	if !i.Long {
		i.Kept.Release()
	}
	return i.RowIter.Close(ctx)
}

// SortIter has the rows of its child in order; equal ones stay in theirs.
type SortIter struct {
	sql.RowIter
	By   sql.SortConditions
	Kept Kept
	rows []sql.Row
	read bool
}

// Next implements sql.RowIter.
func (i *SortIter) Next(ctx *sql.Context) (sql.Row, error) {
	if !i.read {
		i.read = true
		if err := i.sort(ctx); err != nil {
			return nil, err
		}
	}
	if len(i.rows) == 0 {
		return nil, io.EOF
	}
	row := i.rows[0]
	i.rows = i.rows[1:]
	return row, nil
}

// sorted is what ends a sort early.
type sorted struct{ err error }

func (i *SortIter) sort(ctx *sql.Context) (err error) {
	for {
		row, err := i.RowIter.Next(ctx)
		if err == io.EOF { //nolint:errorlint // iterators end with io.EOF itself
			break
		}
		if err != nil {
			return err
		}
		if err := i.Kept.Add(RowSize(row)); err != nil {
			return err
		}
		i.rows = append(i.rows, row)
	}
	defer func() {
		switch p := recover().(type) {
		case nil:
		case sorted:
			i.rows, err = nil, p.err
		default:
			panic(p)
		}
	}()
	sorter, n := sorters.NewRowSorter(ctx, i.By), 0
	slices.SortStableFunc(i.rows, func(a, b sql.Row) int {
		order := sorter.CompareRows(a, b)
		if n++; n%1024 == 0 && ctx.Err() != nil {
			panic(sorted{ctx.Err()})
		}
		if err := sorter.GetError(); err != nil {
			panic(sorted{err})
		}
		return order
	})
	return nil
}

// Close implements sql.RowIter.
func (i *SortIter) Close(ctx *sql.Context) error {
	i.rows = nil
	i.Kept.Release()
	return i.RowIter.Close(ctx)
}
