package expr

import (
	"context"
	"strings"
	"testing"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/stretchr/testify/require"

	"emberdb/sqllayer/expr/compare"
	"emberdb/sqllayer/expr/operand"
)

// ownerSession is a session whose large calls run aside.
type ownerSession struct {
	*sql.BaseSession
	aside *operand.Aside
}

func (o *ownerSession) Aside() *operand.Aside { return o.aside }

func asideContext() (*sql.Context, context.CancelFunc, *ownerSession) {
	s := &ownerSession{sql.NewBaseSession(), NewAside()}
	ctx, cancel := context.WithCancel(context.Background())
	return sql.NewContext(ctx, sql.WithSession(s)), cancel, s
}

// TestAside ends a statement whose call does not end: the call goes on without the session. Beyond
// mostLeft such calls a statement waits for its own.
func TestAside(t *testing.T) {
	ctx, cancel, session := asideContext()
	release, warned := make(chan struct{}), make(chan struct{}, mostLeft)
	stuck := func(ctx *sql.Context) (any, error) {
		<-release
		ctx.Warn(1, "late")
		_, err := ctx.GetSessionVariable(ctx, "max_allowed_packet")
		warned <- struct{}{}
		return nil, err
	}
	cancel()
	_, err := operand.RunAside(ctx, stuck)
	require.ErrorIs(t, err, context.Canceled) // it does not begin
	for range mostLeft {
		ctx, cancel, _ := asideContext()
		ctx.Session = session
		begun := make(chan struct{})
		go func() { <-begun; cancel() }()
		_, err := operand.RunAside(ctx, func(ctx *sql.Context) (any, error) { close(begun); return stuck(ctx) })
		require.ErrorIs(t, err, context.Canceled)
	}
	ctx, cancel, _ = asideContext()
	ctx.Session = session
	ended, begun := make(chan error, 1), make(chan struct{})
	go func() {
		_, err := operand.RunAside(ctx, func(*sql.Context) (any, error) { close(begun); <-release; return nil, nil })
		ended <- err
	}()
	<-begun
	cancel()
	require.Empty(t, ended)
	close(release)
	require.ErrorIs(t, <-ended, context.Canceled)
	for range mostLeft {
		<-warned
	}
	require.Empty(t, session.Warnings())
}

// TestAsideResults gives what the call gives: values, errors, warnings and panics.
func TestAsideResults(t *testing.T) {
	ctx, cancel, session := asideContext()
	defer cancel()
	v, err := compare.Aside(ctx, operand.AsideSize, func(ctx *sql.Context) (any, error) { ctx.Warn(1, "w"); return 5, nil })
	require.NoError(t, err)
	require.Equal(t, 5, v)
	require.Len(t, session.Warnings(), 1)
	require.PanicsWithValue(t, "p", func() { _, _ = operand.RunAside(ctx, func(*sql.Context) (any, error) { panic("p") }) })
	text := expression.NewLiteral(strings.Repeat("x", operand.AsideSize), types.LongText)
	f, ok := operand.Lookup("md5")
	require.True(t, ok)
	e, err := f.NewInstance(ctx, []sql.Expression{text})
	require.NoError(t, err)
	v, err = e.Eval(ctx, nil)
	require.NoError(t, err)
	require.Equal(t, "3832e28c8feea48397f30d70b43d7987", v)
}
