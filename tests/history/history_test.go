package history

import (
	"errors"
	"fmt"
	"slices"
	"testing"
)

// txn is a committed transaction without a place in time.
func txn(name string, level Level, ops ...any) *Txn {
	t := &Txn{Name: name, Level: level, Begin: -Never, Commit: -Never, End: Never, Outcome: Committed}
	for i, op := range ops {
		switch op := op.(type) {
		case Write:
			t.Writes = append(t.Writes, op)
		case Read:
			op.Stmt, op.Begin, op.End = i, -Never, Never
			for _, w := range t.Writes {
				if w.Key == op.Key {
					op.Own++
				}
			}
			t.Reads = append(t.Reads, op)
		case Outcome:
			t.Outcome = op
		}
	}
	return t
}

func w(key string, elem int) Write          { return Write{Key: key, Elem: elem} }
func over(elem, old int) Write              { return Write{Key: "register", Elem: elem, Over: old} }
func r(key string, elems ...int) Read       { return Read{Key: key, Elems: elems} }
func current(key string, elems ...int) Read { return Read{Key: key, Elems: elems, Current: true} }

// at places a transaction in time.
func at(from, to int64, t *Txn) *Txn {
	t.Begin, t.Commit, t.End = from, to-1, to
	for i := range t.Reads {
		t.Reads[i].Begin, t.Reads[i].End = from, to-1
	}
	return t
}

const (
	rc = ReadCommitted
	rr = RepeatableRead
	si = Snapshot
	sr = Serializable
)

func TestAnomalies(t *testing.T) {
	for _, tc := range []struct {
		name string
		want string // "": nothing is wrong
		txns []*Txn
	}{
		{"one after the other", "", []*Txn{txn("a", sr, w("list", 1)), txn("b", sr, r("list", 1), w("list", 2)), txn("c", rc, r("list", 1, 2))}},

		{"dirty read", "G1a", []*Txn{txn("a", rc, w("list", 1), Aborted), txn("b", rc, r("list", 1))}},
		{"dirty read of a register", "G1a", []*Txn{txn("a", rc, over(1, 0), Aborted), txn("b", rc, r("register", 1))}},
		{"what nobody wrote", "G1a", []*Txn{txn("b", rc, r("set", 1))}},
		{"a lost answer that was seen is a commit", "", []*Txn{txn("a", rc, w("list", 1), Unknown), txn("b", rc, r("list", 1))}},
		{"a lost answer that was not seen", "", []*Txn{txn("a", rc, w("list", 1), Unknown), txn("b", rc, r("list"))}},

		{"intermediate read", "G1b", []*Txn{txn("a", rc, w("list", 1), w("list", 2)), txn("b", rc, r("list", 1)), txn("c", rc, r("list", 1, 2))}},
		{"intermediate read of a register", "G1b", []*Txn{txn("a", rc, over(1, 0), over(2, 1)), txn("b", rc, r("register", 1))}},
		{"a part of a transaction in a set", "G1b", []*Txn{txn("a", rc, w("set", 1), w("set", 2)), txn("b", rc, r("set", 2))}},

		{"dirty write", "G0", []*Txn{txn("a", rc, w("list1", 1), w("list2", 2)), txn("b", rc, w("list1", 3), w("list2", 4)),
			txn("c", rc, r("list1", 1, 3)), txn("d", rc, r("list2", 4, 2))}},
		{"circular information flow", "G1c", []*Txn{txn("a", rc, w("list1", 1), r("list2", 2)), txn("b", rc, w("list2", 2), r("list1", 1))}},
		{"circular information flow of registers", "G1c", []*Txn{txn("a", rc, over(1, 0), r("list2", 2)), txn("b", rc, w("list2", 2), r("register", 1))}},

		{"read skew", "G-single", []*Txn{txn("a", rr, w("list1", 1), w("list2", 2)), txn("b", rr, r("list1"), r("list2", 2))}},
		{"read skew between statements", "", []*Txn{txn("a", rc, w("list1", 1), w("list2", 2)), txn("b", rc, r("list1"), r("list2", 2))}},
		{"read skew within a statement", "G-single", []*Txn{txn("a", rc, w("set1", 1), w("set2", 2)), statement(txn("b", rc, r("set1"), r("set2", 2)))}},
		{"phantom", "G-single", []*Txn{txn("a", sr, w("set", 1), w("list", 2)), txn("b", sr, r("set"), r("list", 2))}},
		{"read skew of a register", "G-single", []*Txn{txn("0", rr, over(1, 0)), txn("a", rr, over(2, 1), w("list", 3)), txn("b", rr, r("list", 3), r("register", 1))}},

		{"lost update of a register", "order", []*Txn{txn("0", rc, over(1, 0)), txn("a", rc, over(2, 1)), txn("b", rc, over(3, 1))}},
		{"lost update by an old view", "", lost(rr)},
		{"lost update by an old view, SNAPSHOT", "G-single", lost(si)},
		{"lost update, SERIALIZABLE", "G-single", lost(sr)},

		{"write skew", "", skew(rr)},
		{"write skew, SNAPSHOT", "", skew(si)},
		{"write skew, SERIALIZABLE", "G2", skew(sr)},
		{"write skew beside a SNAPSHOT", "", []*Txn{skew(si)[0], skew(sr)[1]}},
		{"write skew of three", "G2", []*Txn{txn("a", sr, r("set1"), w("set2", 1)), txn("b", sr, r("set2"), w("set3", 2)), txn("c", sr, r("set3"), w("set1", 3))}},
		{"a locking read is of the end", "G-single", []*Txn{txn("a", rr, w("list1", 1), w("list2", 2)), txn("b", rr, current("list1"), r("list2", 2))}},
		{"a view before somebody's change of the same row", "", []*Txn{txn("a", rr, w("list1", 1)), txn("b", rr, r("list1"), current("list1", 1))}},
		{"the same, SNAPSHOT", "G-single", []*Txn{txn("a", si, w("list1", 1)), txn("b", si, r("list1"), current("list1", 1))}},

		{"does not see its own", "internal", []*Txn{changed(txn("a", rc, w("list", 1), r("list", 1)))}},
		{"two orders", "order", []*Txn{txn("a", rc, w("list", 1)), txn("b", rc, w("list", 2)), txn("c", rc, r("list", 1, 2)), txn("d", rc, r("list", 2, 1))}},

		{"a commit that is lost", "G-single clock", []*Txn{at(10, 20, txn("a", rc, w("list", 1))), at(30, 40, txn("b", rc, r("list")))}},
		{"an old value", "G-single clock", []*Txn{at(1, 5, txn("0", rc, over(1, 0))), at(10, 20, txn("a", rc, over(2, 1))), at(30, 40, txn("b", rc, r("register", 1)))}},
		{"beside each other", "", []*Txn{at(10, 35, txn("a", rc, w("list", 1))), at(30, 40, txn("b", rc, r("list")))}},
		{"seen before it began", "G1c clock", []*Txn{at(30, 40, txn("a", rc, w("list", 1))), at(10, 20, txn("b", rc, r("list", 1)))}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := "", Check(tc.txns)
			if a := (*Anomaly)(nil); errors.As(err, &a) {
				got = a.Kind
			}
			if got != tc.want {
				t.Errorf("%q where %q is right: %v", got, tc.want, err)
			}
		})
	}
}

// lost are two transactions that both read a list and then append to it; the second does not see
// the first's element.
func lost(l Level) []*Txn {
	return []*Txn{txn("a", l, r("list"), w("list", 1)), txn("b", l, r("list"), w("list", 2)), txn("c", ReadCommitted, r("list", 1, 2))}
}

// skew are two that read both sets and write to one each.
func skew(l Level) []*Txn {
	return []*Txn{txn("a", l, r("set1"), r("set2"), w("set1", 1)), txn("b", l, r("set1"), r("set2"), w("set2", 2))}
}

// statement makes one statement of all reads.
func statement(t *Txn) *Txn {
	for i := range t.Reads {
		t.Reads[i].Stmt = 0
	}
	return t
}

// changed lets the last read see nothing.
func changed(t *Txn) *Txn {
	t.Reads[len(t.Reads)-1].Elems = nil
	return t
}

// TestLongHistory judges a history of many transactions, one behind the other, and finds the one
// that went back.
func TestLongHistory(t *testing.T) {
	var txns []*Txn
	var list []int
	for i := range 20000 {
		if i%100 == 0 {
			list = nil
		}
		list = append(list, i+1)
		key := fmt.Sprint("list", i/100)
		txns = append(txns, at(int64(10*i), int64(10*i+15), txn(fmt.Sprint(i), []Level{rc, rr, si, sr}[i%4], w(key, i+1), r(key, slices.Clone(list)...))))
	}
	if err := Check(txns); err != nil {
		t.Fatal(err)
	}
	txns = append(txns, at(300000, 300010, txn("late", sr, r("list199", 19901, 19902))))
	if err := Check(txns); err == nil || err.(*Anomaly).Kind != "G-single clock" {
		t.Fatal(err)
	}
}
