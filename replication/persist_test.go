package replication

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/go-mysql-org/go-mysql/mysql"
	"github.com/stretchr/testify/require"

	"emberdb/engine/lock"
	"emberdb/internal/base"
	"emberdb/internal/testkit"
)

// TestWorkersAndLocks has workers apply random transactions that take locks in random orders, while
// sessions of clients take them too and records come and go: every transaction is applied once, in
// order, and none fails. Nobody looks at the wait graph twice, so that a wait nobody ends is a
// failure.
func TestWorkersAndLocks(t *testing.T) {
	for seed := range uint64(4) {
		for _, clients := range []int{0, 2, 6} {
			t.Run(fmt.Sprintf("%d clients, %d", clients, seed), func(t *testing.T) {
				m := newLockModel(t, seed)
				m.clients = clients
				m.run(t.Context())
				require.Len(t, m.applied, m.n)
				require.True(t, slices.IsSorted(m.applied), m.applied)
			})
		}
	}
}

// lockModel is what the workers share.
type lockModel struct {
	t       *testing.T
	n       int // transactions
	clients int
	seed    uint64
	locks   *lock.Manager
	order   *sequence

	mu      sync.Mutex
	applied []uint64
}

func newLockModel(t *testing.T, seed uint64) *lockModel {
	locks := lock.NewManager(lock.Options{DeadlockDetect: true, Recheck: time.Hour})
	return &lockModel{t: t, n: 500, seed: testkit.Seed(t) + seed<<32, locks: locks, order: newSequence()}
}

// run applies all transactions.
func (m *lockModel) run(ctx context.Context) {
	retries := 0
	if m.clients > 0 {
		retries = m.n // how often a client is in the way is up to chance
	}
	var all, others sync.WaitGroup
	ctx, cancel := context.WithCancel(ctx)
	for i := range m.clients {
		rng := rand.New(rand.NewPCG(m.seed, uint64(100_000+i)))
		others.Go(func() { m.client(ctx, rng) })
	}
	others.Go(func() { m.inherit(ctx, rand.New(rand.NewPCG(m.seed, 200_000))) })
	work := make(chan uint64)
	for range 4 {
		all.Go(func() { m.worker(retries, work) })
	}
	for n := range m.n {
		work <- uint64(n + 1)
	}
	close(work)
	all.Wait()
	cancel()
	others.Wait()
}

// worker applies the transactions that it is given. Its locks are those of transactions in a session.
func (m *lockModel) worker(retries int, work <-chan uint64) {
	var session lock.Owner
	for n := range work {
		turn := m.order.turn(n)
		var trx *lock.Owner
		tries := uint64(0)
		err := turn.persist(context.Background(), retries, func() error {
			tries++
			trx = new(lock.Owner)
			trx.Join(&session)
			trx.SetOrdered(turn)
			return m.apply(turn, trx, rand.New(rand.NewPCG(m.seed+n, tries)))
		}, func() { m.locks.ReleaseAll(trx) }, func() {})
		if err == nil {
			err = turn.come()
		}
		if err != nil {
			m.t.Errorf("transaction %d: %v", n, err)
			m.order.end()
		}
		turn.Pass()
	}
}

// apply is one try of a transaction. Some have changed nothing in the end, and wait for nobody when
// they commit.
func (m *lockModel) apply(turn *Turn, trx *lock.Owner, rng *rand.Rand) error {
	if err := m.take(trx, rng); err != nil {
		return err
	}
	if rng.IntN(8) == 0 {
		m.locks.ReleaseAll(trx)
		if err := turn.come(); err != nil {
			return err
		}
		m.note(turn.n)
		return nil
	}
	m.locks.MakeRoom()
	if err := turn.Wait(); err != nil {
		return told(err)
	}
	m.note(turn.n)
	turn.Pass()
	m.locks.ReleaseAll(trx)
	return nil
}

func (m *lockModel) note(n uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.applied = append(m.applied, n)
}

// take takes some locks, and gets heavier with each.
func (m *lockModel) take(o *lock.Owner, rng *rand.Rand) error {
	for range 1 + rng.IntN(6) {
		mode, kind := lock.X, lock.Record
		if rng.IntN(3) == 0 {
			kind = lock.Kind(rng.IntN(4))
		}
		if kind != lock.InsertIntention && rng.IntN(6) == 0 {
			mode = lock.S
		}
		if w := m.locks.Lock(o, 1, key(rng.IntN(keys)), mode, kind); w != nil {
			if err := w.Wait(context.Background(), time.Minute); errors.Is(err, base.ErrLockTimeout) {
				m.t.Errorf("a wait that nobody has ended")
				m.order.end()
				return err
			} else if err != nil {
				return told(err)
			}
		}
		o.AddWeight(int64(rng.IntN(100)))
		if rng.IntN(4) == 0 {
			time.Sleep(time.Duration(rng.IntN(50)) * time.Microsecond)
		}
	}
	return nil
}

const keys = 12

func key(n int) []byte { return []byte{byte(1 + n)} }

// client runs transactions that have no place in the order.
func (m *lockModel) client(ctx context.Context, rng *rand.Rand) {
	for ctx.Err() == nil {
		var o lock.Owner
		_ = m.take(&o, rng) // a deadlock's victim gives up
		m.locks.ReleaseAll(&o)
		time.Sleep(200 * time.Microsecond)
	}
}

// inherit has records come and go, whose locks others get.
func (m *lockModel) inherit(ctx context.Context, rng *rand.Rand) {
	for ctx.Err() == nil {
		at := rng.IntN(keys - 1)
		if rng.IntN(2) == 0 {
			m.locks.InheritOnDelete(1, key(at), key(at+1))
		} else {
			m.locks.InheritOnInsert(1, key(at), key(at+1))
		}
		time.Sleep(time.Duration(rng.IntN(2000)) * time.Microsecond)
	}
}

// told is an error as a session tells it.
func told(err error) error {
	if errors.Is(err, base.ErrDeadlock) {
		return mysql.NewError(codeDeadlock, err.Error())
	}
	return err
}

// TestRetries counts the tries of a transaction that fails again and again.
func TestRetries(t *testing.T) {
	deadlock, interrupted := mysql.NewError(codeDeadlock, ""), mysql.NewError(codeInterrupted, "")
	tries := func(turn *Turn, retries int, err error) (n, undone int, got error) {
		got = turn.persist(t.Context(), retries, func() error { n++; return err }, func() { undone++ }, func() {})
		return n, undone, got
	}
	s := newSequence()
	n, undone, err := tries(s.turn(1), 3, deadlock)
	require.ErrorIs(t, err, deadlock)
	require.Equal(t, []int{4, 4}, []int{n, undone})
	n, _, err = tries(s.turn(1), 3, mysql.NewError(mysql.ER_DUP_ENTRY, ""))
	require.Error(t, err)
	require.Equal(t, 1, n, "another error")
	n, _, err = tries(s.turn(1), 3, interrupted)
	require.ErrorIs(t, err, interrupted)
	require.Equal(t, 1, n)

	first, second := s.turn(1), s.turn(2)
	n = 0
	err = second.persist(t.Context(), 0, func() error {
		if n++; n == 1 {
			first.Pass()
			return deadlock
		}
		return nil
	}, func() {}, func() {})
	require.NoError(t, err, "what an earlier one was in the way of is tried again")
	s.end()
	_, _, err = tries(second, 3, interrupted)
	require.ErrorIs(t, err, errEnded, "the applier ends for another reason")
}
