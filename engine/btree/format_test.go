package btree

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/engine/pagefile"
	"emberdb/internal/base"
)

func newNode() node {
	n := node(make([]byte, base.PageSize))
	pagefile.Init(n, base.PageID{Space: 1, No: 2}, pagefile.TypeTree)
	n.init(testIndex, 0, base.NilPage, base.NilPage, base.NilPage)
	return n
}

type record struct{ key, val []byte }

// TestNodeModel runs random changes on a node through the apply functions and compares with a
// sorted list. A change must succeed exactly when the bytes allow it.
func TestNodeModel(t *testing.T) {
	rng := newRand(t)
	for round := range 24 {
		most := []int{8, 40, 400, 3000}[round%4]
		n := newNode()
		var model []record
		used := 0
		for range 1000 {
			used = nodeStep(t, rng, n, &model, used, most)
			require.Equal(t, len(model), n.count())
			require.Equal(t, used, n.used())
			require.NoError(t, n.check())
		}
		for i, r := range model {
			require.Equal(t, r.key, bytes.Clone(n.key(i)))
			require.Equal(t, len(r.val), len(n.value(i)))
			require.True(t, bytes.Equal(r.val, n.value(i)))
		}
	}
}

// nodeStep makes one random change; it returns the bytes the model uses.
func nodeStep(t *testing.T, rng *rand.Rand, n node, model *[]record, used, most int) int {
	key := randomBytes(rng, 0, most)
	slot, exact := slices.BinarySearchFunc(*model, key, func(r record, k []byte) int { return bytes.Compare(r.key, k) })
	gotSlot, gotExact := n.search(key)
	require.Equal(t, slot, gotSlot, "search %x", key)
	require.Equal(t, exact, gotExact)
	val := randomBytes(rng, 0, most)
	switch op := rng.IntN(20); {
	case op < 10 && !exact:
		cost := recCost + len(key) + len(val)
		err := applyInsert(n, slices.Concat(encodeInsert(nil, slot, 3, key), key, val))
		if used+cost > nodeCap {
			require.ErrorIs(t, err, errRoom)
			return used
		}
		require.NoError(t, err)
		*model = slices.Insert(*model, slot, record{key, val})
		return used + cost
	case len(*model) == 0:
		return used
	case op < 14:
		slot = rng.IntN(len(*model))
		r := (*model)[slot]
		require.NoError(t, applyDelete(n, encodeSlot(nil, slot, 0)))
		*model = slices.Delete(*model, slot, slot+1)
		return used - recCost - len(r.key) - len(r.val)
	case op < 18:
		slot = rng.IntN(len(*model))
		r := &(*model)[slot]
		grow := len(val) - len(r.val)
		err := applySetValue(n, append(encodeSlot(nil, slot, 0), val...))
		if used+grow > nodeCap {
			require.ErrorIs(t, err, errRoom)
			return used
		}
		require.NoError(t, err)
		r.val = val
		return used + grow
	case op < 19:
		slot = rng.IntN(len(*model))
		r := &(*model)[slot]
		off := rng.IntN(len(r.val) + 1)
		patch := randomBytes(rng, 0, len(r.val)-off)
		require.NoError(t, applyPatch(n, append(encodePatch(nil, slot, 0, off), patch...)))
		r.val = slices.Clone(r.val)
		copy(r.val[off:], patch)
	case rng.IntN(20) == 0:
		slot = rng.IntN(len(*model) + 1)
		require.NoError(t, applyTruncate(n, encodeUint(uint64(slot))))
		for _, r := range (*model)[slot:] {
			used -= recCost + len(r.key) + len(r.val)
		}
		*model = (*model)[:slot]
	}
	return used
}

// TestNodeMove splits nodes by append and truncate and puts them together again.
func TestNodeMove(t *testing.T) {
	rng := newRand(t)
	for range 200 {
		n := newNode()
		var model []record
		used := 0
		for range 300 {
			used = nodeStep(t, rng, n, &model, used, 60)
		}
		at := rng.IntN(n.count() + 1)
		right := newNode()
		body := encodeUint(9)
		for i := at; i < n.count(); i++ {
			body = append(body, n.record(i)...)
		}
		require.NoError(t, applyAppend(right, body))
		require.NoError(t, applyTruncate(n, encodeUint(uint64(at))))
		require.NoError(t, n.check())
		require.NoError(t, right.check())
		require.Equal(t, len(model), n.count()+right.count())
		require.EqualValues(t, 9, pagefile.Writer(right))
		back := encodeUint(4)
		for i := range right.count() {
			back = append(back, right.record(i)...)
		}
		require.NoError(t, applyAppend(n, back))
		require.NoError(t, n.check())
		for i, r := range model {
			require.True(t, bytes.Equal(r.key, n.key(i)) && bytes.Equal(r.val, n.value(i)))
		}
		require.Equal(t, used, n.used())
	}
}

// TestRecordsFit pins the promise that two records of the greatest size share a page.
func TestRecordsFit(t *testing.T) {
	n := newNode()
	a, b := bytes.Repeat([]byte("a"), 3000), bytes.Repeat([]byte("b"), MaxKey)
	require.True(t, n.insert(0, a, make([]byte, MaxRecord-len(a))))
	require.True(t, n.insert(1, b, make([]byte, childSize)))
	require.Zero(t, n.free())
	require.NoError(t, n.check())
}

// TestWriterOnlyRises pins the rule of the newest writer.
func TestWriterOnlyRises(t *testing.T) {
	n := newNode()
	require.NoError(t, applyInsert(n, append(encodeInsert(nil, 0, 7, []byte("k")), "kv"...)))
	require.NoError(t, applySetValue(n, append(encodeSlot(nil, 0, 5), "w"...)))
	require.NoError(t, applyPatch(n, append(encodePatch(nil, 0, 0, 0), "x"...)))
	require.EqualValues(t, 7, pagefile.Writer(n))
	require.NoError(t, applyDelete(n, encodeSlot(nil, 0, 8)))
	require.EqualValues(t, 8, pagefile.Writer(n))
}

// FuzzApply feeds bodies of any bytes to all apply and describe functions: an error is right, a
// panic or a broken node is not.
func FuzzApply(f *testing.F) {
	f.Add(byte(0), encodeInit(nil, testIndex, 0, 1, 2, 3))
	f.Add(byte(1), append(encodeInsert(nil, 1, 4, []byte("key")), "keyvalue"...))
	f.Add(byte(2), encodeSlot(nil, 2, 9))
	f.Add(byte(3), append(encodeSlot(nil, 2, 9), "another value"...))
	f.Add(byte(4), append(encodePatch(nil, 2, 9, 1), "p"...))
	f.Add(byte(5), []byte{1, 3, 0, 2, 0, 'z', 'z', 'z', 'v', 'v'})
	f.Add(byte(6), encodeUint(2))
	f.Add(byte(7), encodeLinks(nil, linkPrev|linkNext, 4, 5))
	f.Add(byte(8), encodeUint(12))
	f.Add(byte(9), []byte{})
	apply := []func(page, body []byte) error{applyInit, applyInsert, applyDelete, applySetValue, applyPatch, applyAppend,
		applyTruncate, applyLinks, applyLeftmost, applyRetire}
	describe := []func([]byte) string{describeInit, describeInsert, describeDelete, describeSetValue, describePatch, describeAppend,
		describeTruncate, describeLinks, describeLeftmost, describeRetire}
	f.Fuzz(func(t *testing.T, which byte, body []byte) {
		n := newNode()
		for i := range 5 {
			k := fmt.Appendf(nil, "key%d", i)
			require.True(t, n.insert(i, k, []byte("value")))
		}
		i := int(which) % len(apply)
		_ = describe[i](body)
		if err := apply[i](n, body); err == nil && n.heapTop() > base.PageSize {
			t.Fatal("heap beyond the page")
		}
	})
}
