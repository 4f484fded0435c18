package warm

import (
	"context"

	"emberdb/internal/base"
)

// Brought tells what became of a list that Bring was given.
type Brought struct {
	Wanted  int   // listed pages that fit the pool
	Present int   // of them in the pool already
	Read    int   // of them read
	Bytes   int64 // read, gaps included
}

// Bring brings listed pages into the pool, hot to cold, beside the queries as a load does. It
// displaces only pages that nobody has moved up in the LRU list since the last time. Listed pages
// that are there, and were not used, go to their places, so that they stay. It returns when that is
// done. ErrLoading: a load is running, or recovery, which know better what this server needs.
func (m *Manager) Bring(ctx context.Context, ids []uint64) (Brought, error) {
	ids = ids[:min(len(ids), m.pool.Frames())]
	l := &load{m: m, done: make(chan struct{}), begun: make(chan struct{}), bring: true}
	l.begin = func() {}
	l.ctx, l.cancel = context.WithCancel(ctx)
	defer l.cancel()
	m.mu.Lock()
	switch {
	case m.closed:
		m.mu.Unlock()
		return Brought{}, base.ErrInterrupted
	case m.load != nil, m.bringing != nil, m.pool.Recovery().Active():
		m.mu.Unlock()
		return Brought{}, ErrLoading
	}
	m.bringing = l
	m.mu.Unlock()
	defer close(l.done)
	defer func() {
		m.mu.Lock()
		m.bringing = nil
		m.mu.Unlock()
	}()
	out := Brought{Wanted: len(ids)}
	out.Present = l.bringAll(ids)
	p := l.progress()
	out.Read, out.Bytes = p.Loaded, p.Bytes
	if err := l.failure(); err != nil {
		return out, err
	}
	return out, ctx.Err()
}

// bringAll brings the pages of the list: first those that are there to their places, so that none of
// them makes room for others of the list, then the others. It returns how many were there.
func (l *load) bringAll(ids []uint64) (present int) {
	reader := l.m.pool.Reader()
	var absent []wanted
	for rank, id := range ids {
		if !reader.Resident(base.PageIDFrom(id)) {
			absent = append(absent, wanted{id, int32(rank)})
		}
	}
	l.plan = planOf(absent, len(ids))
	l.p.Total = len(l.plan.pages)
	l.pool = reader.NewGentleLoad(len(ids), l)
	l.pacer.init(l.m.pool, l.m.o.ReadsInFlight)
	l.beginTierLocked()
	l.pool.Begin()
	defer l.pool.End()
	for rank, id := range ids {
		if page := base.PageIDFrom(id); !l.plan.lists(page) {
			l.pool.Settle(page, rank)
			present++
		}
	}
	if l.p.Total > 0 {
		l.readAll()
	}
	return present
}
