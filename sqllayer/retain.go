package sqllayer

// What a statement keeps of the rows it reads is accounted, see package quota: rows that are
// sorted, hashed, grouped or kept for another reading. GMS's iterators for them are replaced by
// ones that account and that end with their statement, or read their rows through a node that
// accounts them.

import (
	"errors"
	"io"
	"slices"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/iters"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/sorters"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/internal/quota"
)

// Memory is the account of what the session's statements hold.
func (s *Session) Memory() *quota.Account { return s.memory }

// Account lets the caches that GMS makes for the statement of ctx account what they keep.
func (s *Session) Account(ctx *sql.Context) {
	if s.caches == nil {
		s.reporter.account = s.memory
		s.caches = sql.NewMemoryManager(&s.reporter)
	}
	ctx.Memory = s.caches
}

// cacheReporter is asked by GMS's caches whether there is memory, once for each entry. They do not
// tell what they keep: mostly a hash of a row.
type cacheReporter struct {
	account *quota.Account
	entries int
	refused uint64 // the statement that is to end, counted from 1
	err     error  // why
}

// hashSize is the bytes of a hash among others.
const hashSize = 32

const (
	cacheEntry = 64  // bytes
	cacheStep  = 256 // entries
)

// MaxMemory implements sql.Reporter.
func (r *cacheReporter) MaxMemory() uint64 { return 1 }

// UsedMemory implements sql.Reporter.
func (r *cacheReporter) UsedMemory() uint64 {
	now := r.account.Statement() + 1
	if r.entries++; r.entries%cacheStep == 0 {
		if err := r.account.Take(cacheStep * cacheEntry); err != nil {
			r.refused, r.err = now, err
		}
	}
	if r.refused == now {
		return 1
	}
	return 0
}

// isOverCaches tells the error of a cache that was refused memory, which may have become one of the
// protocol.
func isOverCaches(err error) bool {
	return sql.ErrNoMemoryAvailable.Is(err) || err.Error() == sql.ErrNoMemoryAvailable.New().Error()
}

// overCaches is what the client is told of it.
func (s *Session) overCaches() error {
	if r := s.reporter; r.err != nil {
		return OverMemory(r.err)
	}
	return OutOfMemory()
}

// accounted is a session whose statements account what they hold.
type accounted interface{ Memory() *quota.Account }

// kept accounts what a part of a statement keeps.
type kept struct{ quota.Holder }

// keep begins to account to the statement of ctx.
func keep(ctx *sql.Context) kept {
	if s, ok := ctx.Session.(accounted); ok {
		return kept{quota.Holder{Account: s.Memory()}}
	}
	return kept{}
}

func (k *kept) add(n int64) error { return OverMemory(k.Add(n)) }

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
		return NewError(erCapacityExceeded, "Memory capacity of %d bytes for 'ember_statement_memory' exceeded. The statement was ended.", over.Limit)
	case over.Bound == quota.OfConnection:
		return NewError(erConnectionLimit, "Connection closed. Connection memory limit %d bytes exceeded. Consumed %d bytes.", over.Limit, over.Used)
	case over.Bound == quota.OfTracked:
		return NewError(erGlobalLimit, "Connection closed. Global connection memory limit %d bytes exceeded. Consumed %d bytes.", over.Limit, over.Used)
	}
	return OutOfMemory()
}

// OutOfMemory is the error of a statement that was ended because the server has no memory left.
func OutOfMemory() *mysql.SQLError { return NewError(erOutOfResources, "%s", outOfResources) }

// EndsConnection tells errors behind which the connection is closed.
func EndsConnection(e *mysql.SQLError) bool {
	return e.Num == erGlobalLimit || e.Num == erConnectionLimit
}

// rowSize estimates the bytes that a row takes on the heap: its values and the blocks they lie in.
func rowSize(row sql.Row) int64 {
	n := int64(24 + 16*len(row))
	for _, v := range row {
		n += valueSize(v)
	}
	return n
}

func valueSize(v any) int64 {
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
		return rowSize(v)
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
	return valueSize(v)
}

// retained stands for a node whose rows are kept by the node above it.
type retained struct {
	wrapper
	most int64 // rows that are kept; below zero: all of them
	long bool  // for the rest of the statement, not as long as they are read
}

// WithChildren implements sql.Node.
func (n *retained) WithChildren(_ *sql.Context, children ...sql.Node) (sql.Node, error) {
	return withChild(n, children)
}

// CollationCoercibility implements sql.CollationCoercible.
func (n *retained) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return sql.GetCoercibility(ctx, n.Child)
}

// retain stands for child below a node that keeps its rows.
func retain(child sql.Node, most int64, long bool) (sql.Node, bool) {
	if _, done := child.(*retained); done {
		return child, false
	}
	return &retained{around(child), most, long}, true
}

func (n *retained) build(ctx *sql.Context, b *builder, r sql.Row) (sql.RowIter, error) {
	child, err := b.base.Build(ctx, n.Child, r)
	if err != nil {
		return nil, err
	}
	return &retainedIter{RowIter: child, kept: keep(ctx), left: n.most, long: n.long}, nil
}

type retainedIter struct {
	sql.RowIter
	kept kept
	left int64
	long bool
}

// Next implements sql.RowIter.
func (i *retainedIter) Next(ctx *sql.Context) (sql.Row, error) {
	row, err := i.RowIter.Next(ctx)
	if err != nil || i.left == 0 {
		return row, err
	}
	i.left--
	return row, i.kept.add(rowSize(row))
}

// Close implements sql.RowIter.
func (i *retainedIter) Close(ctx *sql.Context) error {
	if !i.long {
		i.kept.Release()
	}
	return i.RowIter.Close(ctx)
}

// keeping builds nodes that keep rows; nil leaves the node to GMS.
func (b *builder) keeping(ctx *sql.Context, n sql.Node, r sql.Row) (sql.RowIter, error) {
	switch n := n.(type) {
	case *retained:
		return n.build(ctx, b, r)
	case *plan.Sort:
		return b.sort(ctx, n, r)
	case *plan.HashLookup:
		// The rows found stay with the node, which must remain the same.
		n.Child, _ = retain(n.Child, -1, !sessionOf(ctx).stmt.repeats)
	case *plan.CachedResults:
		n.Child, _ = retain(n.Child, -1, !sessionOf(ctx).stmt.repeats)
	case *plan.Window:
		if child, changed := retain(n.Child, -1, false); changed {
			above, err := n.WithChildren(ctx, child)
			if err != nil {
				return nil, err
			}
			return b.base.Build(ctx, above, r)
		}
	case *plan.Into:
		if child, changed := retain(n.Child, -1, false); changed {
			above, err := n.WithChildren(ctx, child)
			if err != nil {
				return nil, err
			}
			return b.base.Build(ctx, above, r)
		}
	case *plan.TopN:
		most, err := iters.GetInt64Value(ctx, n.Limit)
		if err != nil {
			return nil, err
		}
		if child, changed := retain(n.Child, most, false); changed {
			above := *n
			above.Child = child
			return b.base.Build(ctx, &above, r)
		}
	}
	return nil, nil
}

// sort runs ORDER BY.
func (b *builder) sort(ctx *sql.Context, n *plan.Sort, r sql.Row) (sql.RowIter, error) {
	child, err := b.base.Build(ctx, n.Child, r)
	if err != nil {
		return nil, err
	}
	return &sortIter{RowIter: child, by: n.SortConditions, kept: keep(ctx)}, nil
}

// sortIter has the rows of its child in order; equal ones stay in theirs.
type sortIter struct {
	sql.RowIter
	by   sql.SortConditions
	kept kept
	rows []sql.Row
	read bool
}

// Next implements sql.RowIter.
func (i *sortIter) Next(ctx *sql.Context) (sql.Row, error) {
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

func (i *sortIter) sort(ctx *sql.Context) (err error) {
	for {
		row, err := i.RowIter.Next(ctx)
		if err == io.EOF { //nolint:errorlint // iterators end with io.EOF itself
			break
		}
		if err != nil {
			return err
		}
		if err := i.kept.add(rowSize(row)); err != nil {
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
	sorter, n := sorters.NewRowSorter(ctx, i.by), 0
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
func (i *sortIter) Close(ctx *sql.Context) error {
	i.rows = nil
	i.kept.Release()
	return i.RowIter.Close(ctx)
}
