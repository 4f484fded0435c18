package lock

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/internal/base"
	"emberdb/internal/testkit"
)

// The model keeps one list of requests per key in order of arrival and knows the rules only as the
// table below. After each random step it must agree with the manager about who waits and who holds
// what.

// clash[requested kind][held kind]: does the pair conflict when the modes do. From the InnoDB
// manual's chapter on locking.
var clash = map[Kind]map[Kind]bool{
	NextKey:         {NextKey: true, Record: true, Gap: false, InsertIntention: false},
	Record:          {NextKey: true, Record: true, Gap: false, InsertIntention: false},
	Gap:             {NextKey: false, Record: false, Gap: false, InsertIntention: false},
	InsertIntention: {NextKey: true, Record: false, Gap: true, InsertIntention: false},
}

type modelReq struct {
	owner   int
	mode    Mode
	kind    Kind
	waiting bool
	seq     int // of its making; 0 when compared
}

func (r modelReq) String() string {
	return fmt.Sprintf("%d:%v/%d waiting=%v", r.owner, r.mode, r.kind, r.waiting)
}

type model struct {
	seq  int
	keys map[string][]modelReq
	rc   map[int]bool
}

func modelClash(r, q modelReq) bool {
	return r.owner != q.owner && (r.mode == X || q.mode == X) && clash[r.kind][q.kind]
}

func (md *model) blocked(queue []modelReq, r modelReq, pos int) bool {
	for i, q := range queue {
		if i == pos || (q.waiting && i > pos) || !modelClash(r, q) {
			continue
		}
		upgrade := q.waiting && r.mode == X && q.mode == X && r.kind != InsertIntention &&
			slices.ContainsFunc(queue, func(h modelReq) bool { return !h.waiting && h.owner == r.owner && modelClash(q, h) })
		if !upgrade {
			return true
		}
	}
	return false
}

// lock returns whether the request waits.
func (md *model) lock(o int, key string, mode Mode, kind Kind, try bool) bool {
	if key == "" && kind != InsertIntention {
		kind = Gap
	}
	for _, q := range md.keys[key] {
		if q.owner == o && !q.waiting && kind != InsertIntention && (q.mode == X || mode == S) && (q.kind == kind || q.kind == NextKey) {
			return false
		}
	}
	md.seq++
	r := modelReq{owner: o, mode: mode, kind: kind, seq: md.seq}
	r.waiting = md.blocked(md.keys[key], r, len(md.keys[key]))
	if (r.waiting && !try) || (!r.waiting && kind != InsertIntention) {
		md.keys[key] = append(md.keys[key], r)
	}
	return r.waiting
}

func (md *model) settle() {
	for key := range md.keys {
		for i := 0; i < len(md.keys[key]); i++ {
			q := md.keys[key]
			if !q[i].waiting || md.blocked(q, q[i], i) {
				continue
			}
			q[i].waiting = false
			if q[i].kind == InsertIntention {
				md.keys[key] = slices.Delete(q, i, i+1)
				i--
			}
		}
	}
}

func (md *model) remove(gone func(key string, r modelReq) bool) {
	for key := range md.keys {
		md.keys[key] = slices.DeleteFunc(md.keys[key], func(r modelReq) bool { return gone(key, r) })
	}
	md.settle()
}

// releaseAll ends a pending request first, then the locks, newest first: who gets what in between
// matters. Those of an owner of many go at once.
func (md *model) releaseAll(o, many int) {
	md.remove(func(_ string, r modelReq) bool { return r.owner == o && r.waiting })
	n := 0
	for _, q := range md.keys {
		for _, r := range q {
			if r.owner == o {
				n++
			}
		}
	}
	if n > many {
		md.remove(func(_ string, r modelReq) bool { return r.owner == o })
	}
	for {
		newest := 0
		for _, q := range md.keys {
			for _, r := range q {
				if r.owner == o {
					newest = max(newest, r.seq)
				}
			}
		}
		if newest == 0 {
			return
		}
		md.remove(func(_ string, r modelReq) bool { return r.seq == newest })
	}
}

func (md *model) inherit(from, to string, take func(r modelReq) bool) {
	for _, r := range slices.Clone(md.keys[from]) {
		if take(r) && !slices.ContainsFunc(md.keys[to], func(q modelReq) bool {
			return q.owner == r.owner && !q.waiting && (q.mode == X || r.mode == S) && (q.kind == Gap || q.kind == NextKey)
		}) {
			md.seq++
			md.keys[to] = append(md.keys[to], modelReq{owner: r.owner, mode: r.mode, kind: Gap, seq: md.seq})
		}
	}
}

// list is the model's state in comparable form.
func (md *model) list() (all []string) {
	for key, q := range md.keys {
		for _, r := range q {
			all = append(all, fmt.Sprintf("%q %v", key, r))
		}
	}
	slices.Sort(all)
	return all
}

func listManager(m *Manager) (all []string) {
	for i := range m.shards {
		m.shards[i].Lock() // void owners are collected meanwhile
		defer m.shards[i].Unlock()
		for _, b := range m.shards[i].buckets {
			for r := b.first; r != nil; r = r.next {
				if r.owner.void.Load() {
					continue
				}
				all = append(all, fmt.Sprintf("%q %v", r.key(), modelReq{int(r.owner.id.Load()), Mode(r.mode), r.kind, r.wait != nil, 0}))
			}
		}
	}
	slices.Sort(all)
	return all
}

func TestModel(t *testing.T) {
	for range 60 {
		seed := rand.Uint64()
		t.Run(fmt.Sprint(seed), func(t *testing.T) { runModel(t, rand.New(rand.NewPCG(seed, 0)), 500) })
	}
}

func runModel(t *testing.T, rnd *rand.Rand, steps int) {
	const tree = base.IndexID(7)
	longKey := fmt.Sprintf("%064d", 1)
	keys := []string{"a", "b", longKey, "c", ""}
	m, md := NewManager(Options{}), &model{keys: map[string][]modelReq{}, rc: map[int]bool{}}
	m.many = []int{1, 3, manyLocks}[rnd.IntN(3)]
	owners := make([]*Owner, 5)
	nextID := 0
	renew := func(i int) {
		nextID++
		owners[i] = new(Owner)
		owners[i].SetID(base.TrxID(nextID))
		md.rc[nextID] = rnd.IntN(2) == 0
		owners[i].SetReadCommitted(md.rc[nextID])
	}
	for i := range owners {
		renew(i)
	}
	for step := range steps {
		i := rnd.IntN(len(owners))
		o, key := owners[i], keys[rnd.IntN(len(keys))]
		id := int(o.id.Load())
		waits := o.wait.pending && o.wait.r != nil
		if o.wait.pending && o.wait.r == nil { // over: take the result
			require.NoError(t, o.wait.Wait(t.Context(), time.Minute))
		}
		what := ""
		switch op := rnd.IntN(10); {
		case waits && op < 2:
			what = "timeout"
			require.ErrorIs(t, o.wait.Wait(t.Context(), 0), base.ErrLockTimeout)
			md.remove(func(_ string, r modelReq) bool { return r.owner == id && r.waiting })
		case op == 2:
			what = "release all"
			m.ReleaseAll(o)
			md.releaseAll(id, m.many)
			renew(i)
		case waits:
			continue
		case op == 3:
			mode := []Mode{S, X}[rnd.IntN(2)]
			what = fmt.Sprintf("unlock %v %q", mode, key)
			m.Unlock(o, tree, []byte(key), mode)
			q := md.keys[key]
			for j := len(q) - 1; j >= 0; j-- {
				if q[j].owner == id && q[j].mode == mode && q[j].kind != Gap {
					md.keys[key] = slices.Delete(q, j, j+1)
					break
				}
			}
			md.settle()
		case op == 4:
			what = "insert b before c"
			m.InheritOnInsert(tree, []byte("b"), []byte("c"))
			md.inherit("c", "b", func(r modelReq) bool { return r.kind == Gap || r.kind == NextKey })
		case op == 5:
			what = "delete b before c"
			m.InheritOnDelete(tree, []byte("b"), []byte("c"))
			md.inherit("b", "c", func(r modelReq) bool {
				return (!r.waiting || r.kind != InsertIntention) && (r.mode != X || !md.rc[r.owner])
			})
			for i := range md.keys["b"] { // what is left does not lock the record
				switch r := &md.keys["b"][i]; {
				case r.waiting || r.kind == Gap:
				case r.kind == NextKey && (r.mode != X || !md.rc[r.owner]):
					r.kind = Gap
				default:
					r.kind = InsertIntention
				}
			}
			md.remove(func(key string, r modelReq) bool { return key == "b" && r.waiting })
		case op == 6:
			what = fmt.Sprintf("convert %q", key)
			if slices.ContainsFunc(md.keys[key], func(q modelReq) bool { return q.owner != id && !q.waiting && (q.kind == Record || q.kind == NextKey) }) {
				continue // who has changed a record that others have locked has no implicit lock
			}
			m.Convert(o, tree, []byte(key))
			if !slices.ContainsFunc(md.keys[key], func(q modelReq) bool {
				return q.owner == id && !q.waiting && q.mode == X && (q.kind == Record || q.kind == NextKey)
			}) {
				md.seq++
				md.keys[key] = append(md.keys[key], modelReq{owner: id, mode: X, kind: Record, seq: md.seq})
			}
		default:
			kind := []Kind{NextKey, Record, Gap, InsertIntention}[rnd.IntN(4)]
			mode := []Mode{S, X}[rnd.IntN(2)]
			if kind == InsertIntention {
				mode = X
			}
			try := rnd.IntN(4) == 0
			what = fmt.Sprintf("lock %v/%d %q try=%v", mode, kind, key, try)
			wantWait := md.lock(id, key, mode, kind, try)
			if try {
				require.Equal(t, !wantWait, m.TryLock(o, tree, []byte(key), mode, kind), "step %d: %d %s", step, id, what)
			} else {
				require.Equal(t, wantWait, m.Lock(o, tree, []byte(key), mode, kind) != nil, "step %d: %d %s", step, id, what)
			}
		}
		require.Equal(t, md.list(), listManager(m), "step %d: %d %s", step, id, what)
	}
	for _, o := range owners {
		m.ReleaseAll(o)
	}
	require.Empty(t, listManager(m))
	testkit.Eventually(t, func() bool {
		left := 0
		for i := range m.shards {
			m.shards[i].Lock()
			left += m.shards[i].n + m.shards[i].waiting + m.shards[i].strong
			m.shards[i].Unlock()
		}
		return left == 0
	})
}
