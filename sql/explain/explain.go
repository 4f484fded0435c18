// Package explain holds the description of a plan and writes it in the forms of MySQL's EXPLAIN.
//
//	explain.go  Block and Node: the description
//	words.go    what MySQL calls operators, for whoever describes a plan
//	cost.go     MySQL's estimates: what conditions let pass, what reading costs
//	tree.go     FORMAT=TREE and EXPLAIN ANALYZE
//	table.go    the traditional form: a row for each table
//	json.go     FORMAT=JSON version 2;  blockjson.go  version 1
//
// Whoever runs a statement describes the plan that runs: package plan for the executor's, sqllayer
// for go-mysql-server's. The printers know nothing but the description.
package explain

import (
	"slices"
	"time"

	"emberdb/engine/catalog"
)

// Block is a query block, which is one SELECT, or the statement that is explained.
type Block struct {
	ID   int
	Root *Node
	Subs []*Sub // subqueries of its select list
}

// Sub is a subquery in an expression.
type Sub struct {
	Block     *Block
	Where     string // projection, condition
	Dependent bool   // it runs for each row
}

// Node is an operator of a plan.
type Node struct {
	Kind string // as JSON calls it: table, index, filter, join, ...
	Text string // as the tree form tells it

	Estimated   bool // rows and costs are known
	Rows        float64
	First, Cost float64 // until the first row, until the last

	Fields map[string]any // that JSON tells beside
	Inputs []*Node
	Blocks []*Block // queries whose rows it takes
	Subs   []*Sub   // subqueries of its expressions

	Table   *Table
	Changes []string // tables whose rows it changes
	Sorts   bool     // it orders its rows
	Actual  *Actual
}

// Table is how a table is read.
type Table struct {
	Name       string // its alias
	Schema     string // "": it is no base table
	Base       string // its own name
	Access     string // ALL, index, range, ref, eq_ref, const, ...
	Possible   []string
	Key        string
	Parts      []string // the columns of the key that are used
	Length     int64
	Ref        []string // what the columns of the key are compared with
	Rows       float64  // that are read for each row before
	Columns    []string
	Covering   bool
	Backward   bool
	Clustered  bool // the key is that of the rows themselves
	Partitions []string
	Extra      []string // that the traditional form tells beside
}

// MayUse notes the indexes that begin with a column as possible ones, in the order of the table.
func (t *Table) MayUse(def *catalog.Table, column int) {
	var all []string
	for _, x := range def.Indexes {
		if x.Name == "" || x.Invisible || len(x.Parts) == 0 {
			continue
		}
		if x.Parts[0].Column == column || slices.Contains(t.Possible, x.Name) {
			all = append(all, x.Name)
		}
	}
	t.Possible = all
}

// Actual is what an operator gave when it ran.
type Actual struct {
	Loops, Rows int
	First, All  time.Duration // of all loops
}

// perLoop are milliseconds and rows of one loop.
func (a *Actual) perLoop() (first, all, rows float64) {
	n := float64(a.Loops) * float64(time.Millisecond)
	return float64(a.First) / n, float64(a.All) / n, float64(a.Rows) / float64(a.Loops)
}

// Find returns the table that the operator reads first, or nil.
func (n *Node) Find() *Node {
	for at := n; at != nil; at = at.Inputs[0] {
		if at.Table != nil {
			return at
		}
		if len(at.Inputs) == 0 {
			break
		}
	}
	return nil
}
