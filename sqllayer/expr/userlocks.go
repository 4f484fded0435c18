package expr

import (
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/sqllayer/expr/operand"
)

// UserLocks are the locks of GET_LOCK: of a server, by their names in no case of their letters. A
// name that nobody holds takes no memory. What a session holds it pays for, see lockOwner.
type UserLocks struct {
	mu    sync.Mutex
	Held  map[string]*userLock
	Of    map[uint32]map[string]*userLock // by session
	waits map[uint32]string               // what a session waits for
}

// userLock is a lock that is held, as often as it was got.
type userLock struct {
	owner uint32
	count int
}

// NewUserLocks makes a server's.
func NewUserLocks() *UserLocks {
	return &UserLocks{Held: map[string]*userLock{}, Of: map[uint32]map[string]*userLock{}, waits: map[uint32]string{}}
}

// lockOwner is a session.
type lockOwner interface {
	ID() uint32
	UserLocks() *UserLocks
	KeepMemory(n int64) error // or less, if n is negative
}

// lockSize is about what a lock takes beside its name, which stands in two maps.
const lockSize = 160

// Try gets a lock, unless another session holds it: blocked. A session that would wait for itself
// gets an error.
func (l *UserLocks) Try(s lockOwner, name string) (blocked bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	id := s.ID()
	delete(l.waits, id)
	found := l.Held[name]
	switch {
	case found == nil:
		if err := s.KeepMemory(lockSize + int64(len(name))); err != nil {
			return false, err
		}
		found = &userLock{owner: id, count: 1}
		if l.Of[id] == nil {
			l.Of[id] = map[string]*userLock{}
		}
		l.Held[name], l.Of[id][name] = found, found
		return false, nil
	case found.owner == id:
		found.count++
		return false, nil
	}
	for at := found.owner; ; {
		next, waits := l.waits[at]
		if !waits || l.Held[next] == nil {
			break
		}
		if at = l.Held[next].owner; at == id {
			return false, mysql.NewSQLError(3058, "HY000", "Deadlock found when trying to get user-level lock; try rolling back transaction/releasing locks and restarting lock acquisition.")
		}
	}
	l.waits[id] = name
	return true, nil
}

// StopWaiting forgets what a session waits for.
func (l *UserLocks) StopWaiting(id uint32) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.waits, id)
}

// ownerOf tells who holds a lock.
func (l *UserLocks) ownerOf(name string) (id uint32, held bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if found := l.Held[name]; found != nil {
		return found.owner, true
	}
	return 0, false
}

// Release gives a lock of a session back once.
func (l *UserLocks) Release(s lockOwner, name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if found := l.Of[s.ID()][name]; found != nil {
		if found.count--; found.count == 0 {
			l.forget(s, name)
		}
	}
}

// forget removes a lock. REQUIRES: l.mu.
func (l *UserLocks) forget(s lockOwner, name string) {
	delete(l.Held, name)
	if delete(l.Of[s.ID()], name); len(l.Of[s.ID()]) == 0 {
		delete(l.Of, s.ID())
	}
	_ = s.KeepMemory(-lockSize - int64(len(name)))
}

// ReleaseAll gives all locks of a session back, and tells how often they were got.
func (l *UserLocks) ReleaseAll(s lockOwner) (count int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for name, found := range l.Of[s.ID()] {
		count += found.count
		l.forget(s, name)
	}
	return count
}

// Holds tells whether a session holds any.
func (l *UserLocks) Holds(id uint32) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.Of[id]) > 0
}

// get is GET_LOCK: it tries until the lock is free, the time is over or the statement ends.
func (l *UserLocks) get(ctx *sql.Context, s lockOwner, name string, seconds float64) (any, error) {
	const longestPause = 5 * time.Millisecond
	defer l.StopWaiting(s.ID())
	start := time.Now()
	for pause := 100 * time.Microsecond; ; pause = min(2*pause, longestPause) {
		blocked, err := l.Try(s, name)
		switch {
		case err != nil:
			return nil, err
		case !blocked:
			return int8(1), nil
		case seconds >= 0 && time.Since(start).Seconds() >= seconds:
			return int8(0), nil
		}
		if pause == 100*time.Microsecond {
			defer operand.Stage(ctx, "User lock")()
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(pause):
		}
	}
}

// lockCall is a call of one of the functions: of a name, and of values behind it.
type lockCall struct {
	operand.Scalar
	do func(ctx *sql.Context, s lockOwner, name string, more []any) (any, error)
}

var _ sql.NonDeterministicExpression = (*lockCall)(nil)

// IsNonDeterministic implements sql.NonDeterministicExpression: it is run where it stands.
func (c *lockCall) IsNonDeterministic() bool { return true }

// WithChildren implements sql.Expression.
func (c *lockCall) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return operand.WithChildren(c, children)
}

// Eval implements sql.Expression.
func (c *lockCall) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	s, ok := operand.Able[lockOwner](ctx.Session)
	if !ok {
		return nil, nil
	}
	args := make([]any, len(c.ChildExpressions))
	for i, e := range c.ChildExpressions {
		v, err := e.Eval(ctx, row)
		if err == nil {
			args[i], err = sql.UnwrapAny(ctx, v)
		}
		if err != nil {
			return nil, err
		}
	}
	if len(args) == 0 {
		return c.do(ctx, s, "", nil)
	}
	name, err := lockName(ctx, args[0])
	if err != nil {
		return nil, err
	}
	return c.do(ctx, s, name, args[1:])
}

// lockName is the name of a lock.
func lockName(ctx *sql.Context, v any) (string, error) {
	name, given := "NULL", v != nil
	if given {
		text, err := operand.ShownText(ctx, v)
		if err != nil {
			return "", err
		}
		name, given = text, text != ""
	}
	switch {
	case !given:
		return "", mysql.NewSQLError(3057, "42000", "Incorrect user-level lock name '%s'. The name is empty, NULL, or can not be expressed in the current character-set.", name)
	case utf8.RuneCountInString(name) > 64:
		return "", mysql.NewSQLError(4163, "42000", "User-level lock name '%s' should not exceed 64 characters.", name)
	}
	return strings.ToLower(name), nil
}

func init() {
	call := func(name string, args int, typ sql.Type, do func(*sql.Context, lockOwner, string, []any) (any, error)) sql.Function {
		return sql.FunctionN{Name: name, Fn: func(_ *sql.Context, given ...sql.Expression) (sql.Expression, error) {
			if len(given) != args {
				return nil, sql.ErrInvalidArgumentNumber.New(name, args, len(given))
			}
			return &lockCall{operand.Scalar{Many: operand.OverMany(given), Name: name, Typ: typ}, do}, nil
		}}
	}
	operand.Register(
		call("get_lock", 2, types.Int8, func(ctx *sql.Context, s lockOwner, name string, more []any) (any, error) {
			seconds := 0.0
			if more[0] != nil {
				v, _, err := types.Float64.Convert(ctx, more[0])
				if err != nil && !sql.ErrTruncatedIncorrect.Is(err) {
					return nil, err
				}
				seconds, _ = v.(float64)
			}
			return s.UserLocks().get(ctx, s, name, seconds)
		}),
		call("release_lock", 1, types.Int8, func(_ *sql.Context, s lockOwner, name string, _ []any) (any, error) {
			owner, held := s.UserLocks().ownerOf(name)
			switch {
			case !held:
				return nil, nil
			case owner != s.ID():
				return int8(0), nil
			}
			s.UserLocks().Release(s, name)
			return int8(1), nil
		}),
		call("release_all_locks", 0, types.Uint64, func(_ *sql.Context, s lockOwner, _ string, _ []any) (any, error) {
			return uint64(s.UserLocks().ReleaseAll(s)), nil
		}),
		call("is_free_lock", 1, types.Int8, func(_ *sql.Context, s lockOwner, name string, _ []any) (any, error) {
			if _, held := s.UserLocks().ownerOf(name); held {
				return int8(0), nil
			}
			return int8(1), nil
		}),
		call("is_used_lock", 1, types.Uint64, func(_ *sql.Context, s lockOwner, name string, _ []any) (any, error) {
			if owner, held := s.UserLocks().ownerOf(name); held {
				return uint64(owner), nil
			}
			return nil, nil
		}),
	)
}
