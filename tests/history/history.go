package history

import (
	"fmt"
	"slices"
	"strings"
)

// Level is an isolation level as in SET TRANSACTION, or Snapshot.
type Level string

// The levels.
const (
	ReadCommitted  Level = "READ COMMITTED"
	RepeatableRead Level = "REPEATABLE READ"
	Snapshot       Level = "SNAPSHOT"
	Serializable   Level = "SERIALIZABLE"
)

// Outcome is how a transaction ended.
type Outcome uint8

// The outcomes.
const (
	Aborted Outcome = iota
	Committed
	Unknown // the server went away during the commit
)

// Never is the time of what is not known to have happened, or to have had to.
const Never = int64(1) << 62

// Txn is a transaction. Times are nanoseconds.
type Txn struct {
	Name      string
	Level     Level
	Begin     int64 // before its first statement
	Commit    int64 // before its COMMIT
	End       int64 // after its last answer
	Outcome   Outcome
	Reads     []Read
	Writes    []Write
	Withdrawn []Write // rolled back to a savepoint

	last int // node of its commit
	view int // node of its view, where it has one; else of its commit
}

// Read is what a statement saw of a list, a set or a register.
type Read struct {
	Key        string
	Elems      []int
	Begin, End int64
	Stmt       int
	Current    bool // the newest state, locked until the end of the transaction
	Own        int  // elements the transaction had written to the key before

	node int
}

// Write is an element's. Its key begins with "list", "set" or "register".
type Write struct {
	Key  string
	Elem int
	Over int // register: the element it replaced; 0: the first one
}

func isList(key string) bool     { return strings.HasPrefix(key, "list") }
func isRegister(key string) bool { return strings.HasPrefix(key, "register") }

// Anomaly is what is wrong with a history.
type Anomaly struct {
	Kind string
	Text string
}

// Error implements error.
func (a *Anomaly) Error() string { return a.Kind + ": " + a.Text }

func anomaly(kind, format string, args ...any) *Anomaly {
	return &Anomaly{Kind: kind, Text: fmt.Sprintf(format, args...)}
}

// place is an element of a key.
type place struct {
	key  string
	elem int
}

// checker is a history being judged.
type checker struct {
	txns   []*Txn
	writer map[place]*Txn
	orders map[string][]int // lists: the longest read; registers: as each value replaced another
	graph
}

// Check returns the first thing that is wrong with a history, an *Anomaly; nil: nothing is. It
// decides about unknown outcomes: those that others have seen are commits.
func Check(txns []*Txn) error {
	c := &checker{txns: txns, writer: map[place]*Txn{}, orders: map[string][]int{}}
	for _, step := range []func() *Anomaly{c.writes, c.elements, c.lists, c.registers, c.partial, c.cycles} {
		if a := step(); a != nil {
			return a
		}
	}
	return nil
}

// writes finds who wrote what, and decides about unknown outcomes.
func (c *checker) writes() *Anomaly {
	seen := map[place]bool{}
	for _, t := range c.txns {
		own := map[place]bool{}
		for _, w := range t.Writes {
			own[place{w.Key, w.Elem}] = true
			if w.Over != 0 {
				seen[place{w.Key, w.Over}] = true
			}
		}
		for _, r := range t.Reads {
			for _, e := range r.Elems {
				if p := (place{r.Key, e}); !own[p] {
					seen[p] = true
				}
			}
		}
	}
	for _, t := range c.txns {
		if t.Outcome == Unknown {
			t.Outcome, t.End = Aborted, Never
			if slices.ContainsFunc(t.Writes, func(w Write) bool { return seen[place{w.Key, w.Elem}] }) {
				t.Outcome = Committed
			}
		}
		for _, w := range t.Writes {
			p := place{w.Key, w.Elem}
			if c.writer[p] != nil {
				return anomaly("internal", "element %d of %s was written twice", w.Elem, w.Key)
			}
			c.writer[p] = t
		}
		for _, w := range t.Withdrawn {
			if seen[place{w.Key, w.Elem}] {
				return anomaly("G1a", "%s: element %d of %s was rolled back to a savepoint and seen all the same", t.Name, w.Elem, w.Key)
			}
		}
	}
	return nil
}

// elements verifies that every element read is committed or the reader's own, once.
func (c *checker) elements() *Anomaly {
	for _, t := range c.txns {
		for i := range t.Reads {
			r := &t.Reads[i]
			own := 0
			for _, e := range r.Elems {
				by := c.writer[place{r.Key, e}]
				switch {
				case by == nil:
					return anomaly("G1a", "%s, statement %d: element %d of %s was never written", t.Name, r.Stmt, e, r.Key)
				case by == t:
					own++
				case by.Outcome != Committed:
					return anomaly("G1a", "%s, statement %d: element %d of %s is of %s, which was rolled back", t.Name, r.Stmt, e, r.Key, by.Name)
				}
			}
			want := r.Own
			if isRegister(r.Key) {
				want = min(want, 1)
			}
			if own != want {
				return anomaly("internal", "%s, statement %d: %d of its own elements of %s where there are %d", t.Name, r.Stmt, own, r.Key, want)
			}
			if sorted := slices.Sorted(slices.Values(r.Elems)); len(slices.Compact(sorted)) != len(r.Elems) {
				return anomaly("internal", "%s, statement %d: an element of %s twice: %v", t.Name, r.Stmt, r.Key, r.Elems)
			}
		}
	}
	return nil
}

// lists finds the order of each list's elements, and verifies that every read is a beginning of it.
func (c *checker) lists() *Anomaly {
	for _, t := range c.txns {
		for i := range t.Reads {
			r := &t.Reads[i]
			if !isList(r.Key) || t.Outcome != Committed && r.Own > 0 {
				continue
			}
			order := c.orders[r.Key]
			n := min(len(order), len(r.Elems))
			if !slices.Equal(order[:n], r.Elems[:n]) {
				return anomaly("order", "%s, statement %d: %s is %v where others saw %v", t.Name, r.Stmt, r.Key, r.Elems, order)
			}
			if len(r.Elems) > n {
				c.orders[r.Key] = r.Elems
			}
		}
	}
	return nil
}

// registers finds the order of each register's values.
func (c *checker) registers() *Anomaly {
	next := map[place]int{}
	for _, t := range c.txns {
		if t.Outcome != Committed {
			continue
		}
		for _, w := range t.Writes {
			if !isRegister(w.Key) {
				continue
			}
			p := place{w.Key, w.Over}
			if other, twice := next[p]; twice {
				return anomaly("order", "%d and %d both replaced %d in %s", other, w.Elem, w.Over, w.Key)
			}
			next[p] = w.Elem
		}
	}
	for p := range next {
		if p.elem != 0 {
			continue
		}
		for e, more := next[p]; more; e, more = next[place{p.key, e}] {
			c.orders[p.key] = append(c.orders[p.key], e)
		}
	}
	return nil
}

// partial looks for reads that saw a part of another transaction.
func (c *checker) partial() *Anomaly {
	type mine struct {
		t   *Txn
		key string
	}
	elems := map[mine][]int{}
	for _, t := range c.txns {
		for _, w := range t.Writes {
			m := mine{t, w.Key}
			elems[m] = append(elems[m], w.Elem)
		}
	}
	for _, t := range c.txns {
		for i := range t.Reads {
			r := &t.Reads[i]
			counts := map[*Txn]int{}
			for _, e := range r.Elems {
				counts[c.writer[place{r.Key, e}]]++
			}
			for by, n := range counts {
				all := elems[mine{by, r.Key}]
				if by == t || len(all) == 1 {
					continue
				}
				if isRegister(r.Key) && r.Elems[0] != all[len(all)-1] || !isRegister(r.Key) && n < len(all) {
					return anomaly("G1b", "%s, statement %d: of %s, which wrote %v to %s, it saw %v", t.Name, r.Stmt, by.Name, all, r.Key, r.Elems)
				}
			}
		}
	}
	return nil
}
