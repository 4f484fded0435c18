package plandesc

import (
	"reflect"
	"time"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/sql/explain"
)

// Hashable tells whether a node can be a key: one of GMS's is a slice.
func Hashable(n sql.Node) bool { return n != nil && reflect.TypeOf(n).Comparable() }

type MeasuredIter struct {
	Child sql.RowIter
	Got   *explain.Actual
	Spent time.Duration
	begun bool
}

// Next implements sql.RowIter.
func (i *MeasuredIter) Next(ctx *sql.Context) (sql.Row, error) {
	from := time.Now()
	row, err := i.Child.Next(ctx)
	i.Spent += time.Since(from)
	if !i.begun {
		i.begun = true
		i.Got.First += i.Spent
	}
	if err == nil {
		i.Got.Rows++
	}
	return row, err
}

// Close implements sql.RowIter.
func (i *MeasuredIter) Close(ctx *sql.Context) error {
	i.Got.All += i.Spent
	i.Spent = 0
	return i.Child.Close(ctx)
}
