package run

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
)

// wrapper is the base of a node of ours around one of GMS's, by which the builder recognises that
// one. To GMS it is what it stands around; WithChildren of a node with this base is a call of
// withChild.
type wrapper struct{ plan.UnaryNode }

func Around(n sql.Node) wrapper { return wrapper{plan.UnaryNode{Child: n}} }

// String implements sql.Node.
func (w *wrapper) String() string { return w.Child.String() }

// IsReadOnly implements sql.Node.
func (w *wrapper) IsReadOnly() bool { return w.Child.IsReadOnly() }

func (w *wrapper) Put(child sql.Node) { w.Child = child }

// withChild is a node like n around another.
func withChild[T any, N interface {
	*T
	sql.Node
	Put(child sql.Node)
}](n N, children []sql.Node) (sql.Node, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(n, len(children), 1)
	}
	changed := *n
	N(&changed).Put(children[0])
	return N(&changed), nil
}
