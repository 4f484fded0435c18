package perfschema

import (
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/internal/vfs"
)

func registry() *Registry {
	return New(Options{Enabled: true, Digests: 3, DigestLength: 1024, TextLength: 20, History: 3, HistoryLong: 4, Accounts: 2, SampleAge: time.Hour})
}

// run ends a statement that took some nanoseconds.
func (t *Thread) run(text string, wait int64, code int) {
	e := Event{Name: 1, Start: time.Now(), Wait: wait, Text: t.r.Clip(text), Code: code, Digest: t.r.Digest(nil, false, "d", "", text, 0, nil)}
	e.Counts[RowsSent] = 2
	t.End(&e)
}

// TestBuckets: the histogram's buckets end where MySQL's do.
func TestBuckets(t *testing.T) {
	for bucket, end := range map[int]uint64{0: 10000000, 1: 10471285, 2: 10964781, 50: 100000000, 100: 1000000000, 51: 104712854, 300: 10000000000000,
		448: 9120108393559408, 449: 18446744073709551615} {
		require.InEpsilon(t, float64(end), float64(BucketEnd(bucket)), 1e-7, bucket)
	}
	for _, ns := range []uint64{0, 9999, 10000, 123456, 1 << 40, 1 << 63} {
		b := bucketOf(ns)
		require.True(t, b == Buckets-1 || ns*1000 < BucketEnd(b), ns)
		require.True(t, b == 0 || ns > 1<<60 || ns*1000 >= BucketEnd(b-1), ns)
	}
}

// TestSums: what a thread counts goes to its account when it leaves; resets move sums upwards; the
// total stays.
func TestSums(t *testing.T) {
	r := registry()
	total := func() Stats { s := r.Total().Statement(1); return s }
	a := r.Connect(1, Account{"u", "h1"})
	b := r.Connect(2, Account{"u", "h2"})
	a.run("SELECT 1", 500, 0)
	b.run("SELECT 2", 1500, 1062)
	b.run("SELECT 3", 1000, 1062)
	require.Equal(t, []uint64{3, 500, 1500, 3000, 6}, []uint64{total().Events, total().Min, total().Max, total().Sum, total().Counts[RowsSent]})
	b.Leave()
	b.Leave()
	byUser := func(x Account) Account { return Account{User: x.User} }
	user := r.Accounts(byUser)[Account{User: "u"}]
	require.EqualValues(t, 3, user.Statement(1).Events)
	r.ResetThreads(PartStatements)
	require.Zero(t, a.Sums().Statement(1).Events)
	require.EqualValues(t, 3, r.Accounts(byUser)[Account{User: "u"}].Statement(1).Events)
	r.ResetAccounts(PartStatements)
	require.Zero(t, r.Accounts(byUser)[Account{User: "u"}].Statement(1).Events)
	require.EqualValues(t, 3, total().Events)
	r.ResetAll(PartStatements)
	require.Zero(t, total().Events)
	raised := uint64(0)
	r.Total().Errors(func(code int, e *ErrorStats) {
		require.Equal(t, 1062, code)
		require.LessOrEqual(t, e.First, e.Last)
		raised += e.Raised
	})
	require.EqualValues(t, 2, raised)
}

// TestBounds: digests, accounts, histories and texts stay within their limits, and nothing is lost
// from the totals.
func TestBounds(t *testing.T) {
	r := registry()
	for i := range uint64(10) {
		th := r.Connect(i, Account{"u", fmt.Sprint(i)})
		for j := range 10 {
			th.run(fmt.Sprintf("SELECT c%d FROM a_table_with_a_long_name", j), 10, 0)
		}
		require.Len(t, th.History(), 3)
		require.EqualValues(t, 10, th.History()[2].ID)
		require.Equal(t, "SELECT c9 FROM a_tab", th.History()[2].Text)
		th.Leave()
	}
	require.Len(t, r.Digests(), 4)
	require.EqualValues(t, 70, r.LostDigests())
	require.Len(t, r.Accounts(func(a Account) Account { return a }), 2)
	require.EqualValues(t, 100, r.Total().Statement(1).Events)
	require.Empty(t, r.HistoryLong())
	r.SetConsumer(HistoryLong, true)
	th := r.Connect(99, Account{})
	for range 6 {
		th.run("SELECT 1", 1, 0)
	}
	require.Len(t, r.HistoryLong(), 4)
	require.EqualValues(t, 3, r.HistoryLong()[0].ID)
}

// TestSlot: a kept digest is that of its registry and schema, and is looked up again after a reset.
func TestSlot(t *testing.T) {
	r := registry()
	var s Slot
	get := func(r *Registry, schema string) *Digest {
		return r.Digest(&s, false, schema, "EXECUTE", "SELECT 1", 0, nil)
	}
	d := get(r, "a")
	require.Equal(t, "EXECUTE SELECT ?", d.Text)
	require.Same(t, d, get(r, "a"))
	require.NotSame(t, d, get(r, "b"))
	require.NotSame(t, d, get(registry(), "a"))
	require.Same(t, d, get(r, "a"))
	r.ResetDigests()
	require.NotSame(t, d, get(r, "a"))
}

// TestKeep: digests are read as they were written; a file that is damaged anywhere, or cut, gives
// none.
func TestKeep(t *testing.T) {
	dir, fsys := t.TempDir(), vfs.NewOS(nil)
	r := registry()
	require.NoError(t, r.Load(fsys, dir))
	th := r.Connect(1, Account{})
	th.run("SELECT 1", 12345678, 0)
	th.run("SELECT 1", 1000, 1)
	th.run("SELECT a", 5, 0)
	require.NoError(t, r.Save(fsys, dir))
	again := registry()
	require.NoError(t, again.Load(fsys, dir))
	want := map[string]Summary{}
	for _, d := range r.Digests() {
		want[d.Text] = d.Summary()
	}
	require.Len(t, again.Digests(), 2)
	for _, d := range again.Digests() {
		require.Equal(t, want[d.Text], d.Summary())
		require.Len(t, d.ID, 64)
		if d.Text == "SELECT ?" {
			require.EqualValues(t, 1, d.Get(bucketOf(1000)))
			require.EqualValues(t, 1, d.Get(bucketOf(12345678)))
		}
	}
	name := filepath.Join(dir, keepFile)
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	seed := time.Now().UnixNano()
	t.Log("seed", seed)
	rnd := rand.New(rand.NewSource(seed))
	for i := range data {
		bad := append([]byte(nil), data...)
		if bad[i] ^= 1 << rnd.Intn(8); i%2 == 0 {
			bad = bad[:i]
		}
		require.NoError(t, os.WriteFile(name, bad, 0o600))
		x := registry()
		require.Error(t, x.Load(fsys, dir), i)
		require.Empty(t, x.Digests())
	}
}

func FuzzLoad(f *testing.F) {
	f.Add([]byte("\x01\x01d\x08SELECT ?\x01\x01\x01\x01\x00\x01\x00\x05\x05\x01x\x01\x01\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r := registry()
		in := keptReader{b: data}
		for n := in.number(); n > 0 && !in.bad; n-- {
			in.digest(r)
		}
		if len(r.Digests()) > 4 {
			t.Fatal("more digests than there is room for")
		}
	})
}

func BenchmarkEnd(b *testing.B) {
	r := registry()
	th := r.Connect(1, Account{})
	var s Slot
	b.ReportAllocs()
	for b.Loop() {
		e := Event{Name: 1, Start: time.Now(), Wait: 12345, Text: "SELECT 1", Digest: r.Digest(&s, false, "d", "", "SELECT 1", 0, nil)}
		th.End(&e)
	}
}
