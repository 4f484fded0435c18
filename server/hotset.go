package server

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"emberdb/engine/hotset"
	"emberdb/engine/warm"
)

// This server as a source whose replicas are warm, too: package hotset.

const (
	hotSetVersion    = "1"       // of @ember_hot_set
	hotSetDeltaBytes = 256 << 10 // most of what changes at a time
)

// hotSets are both sides.
type hotSets struct {
	source  hotSource
	replica hotReplica
}

func newHotSets(s *Server) *hotSets {
	h := &hotSets{hotSource{s: s, wake: make(chan struct{}, 1)}, hotReplica{s: s, sets: map[string]*hotset.Set{}}}
	h.source.interval.Store(s.cfg.Settings.Int("ember_hot_set_interval"))
	h.replica.on.Store(s.cfg.Settings.Bool("ember_hot_set_load"))
	return h
}

// hotSource names what is hot here, as long as some replica wants to know.
type hotSource struct {
	s        *Server
	interval atomic.Int64  // seconds
	wake     chan struct{} // the interval has changed
	gen      atomic.Uint64 // of set; written under mu

	mu        sync.Mutex
	followers int
	stop      context.CancelFunc
	set       *hotset.Set // as replicas have it; nil: nothing was named since there are replicas
	whole     [][]byte    // parts of the set, nil: not made yet
	delta     [][]byte    // parts of what changed with gen; nil: it came from nothing
	news      context.Context
	tell      context.CancelFunc // ends news
	pages     int
	sent      atomic.Int64 // bytes
}

// hotFeed is what one replica is told.
type hotFeed struct {
	h    *hotSource
	gen  uint64          // that it has; 0: none
	news context.Context // ends when there is something newer
}

// join begins to tell a replica. The caller leaves.
func (h *hotSource) join() *hotFeed {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.news == nil {
		h.news, h.tell = context.WithCancel(context.Background())
	}
	if h.followers++; h.followers == 1 {
		ctx, stop := context.WithCancel(h.s.inner)
		h.stop = stop
		h.s.background.Go(func() { h.run(ctx) })
	}
	return &hotFeed{h: h, news: h.news}
}

func (f *hotFeed) leave() {
	h := f.h
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.followers--; h.followers == 0 {
		h.stop()
		h.set, h.whole, h.delta, h.pages = nil, nil, nil, 0
	}
}

// changed tells whether there is something that the replica does not know.
func (f *hotFeed) changed() bool { return f.h.gen.Load() != f.gen }

// next returns the parts that bring the replica up to date.
func (f *hotFeed) next() (parts [][]byte) {
	h := f.h
	h.mu.Lock()
	defer h.mu.Unlock()
	gen := h.gen.Load()
	if h.set == nil { // of replicas that have left
		f.gen, f.news = gen, h.news
		return nil
	}
	if parts = h.delta; parts == nil || f.gen != gen-1 {
		if h.whole == nil {
			h.whole = hotset.Delta(nil, h.set, 0, 0)
		}
		parts = h.whole
	}
	f.gen, f.news = gen, h.news
	for _, p := range parts {
		h.sent.Add(int64(len(p)))
	}
	return parts
}

func (h *hotSource) setInterval(seconds int64) {
	h.interval.Store(seconds)
	select {
	case h.wake <- struct{}{}:
	default:
	}
}

// run names what is hot until no replica wants to know.
func (h *hotSource) run(ctx context.Context) {
	e := h.s.backend.Engine()
	if e == nil {
		return
	}
	namer := e.NewHotNamer()
	for {
		var tick <-chan time.Time // nil: never
		if every := time.Duration(h.interval.Load()) * time.Second; every > 0 {
			if set, pages, err := namer.Name(); err != nil {
				h.s.log.Warn("replicas are not told what is hot here", "error", err)
			} else {
				h.publish(ctx, set, pages)
			}
			tick = time.After(every)
		}
		select {
		case <-ctx.Done():
			return
		case <-h.wake:
		case <-tick:
		}
	}
}

func (h *hotSource) publish(ctx context.Context, set *hotset.Set, pages int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if ctx.Err() != nil {
		return // the replicas have left; others may have come
	}
	if h.set == nil {
		h.set, h.delta = set, nil
	} else {
		h.delta = hotset.Delta(h.set, set, int(h.gen.Load()), hotSetDeltaBytes)
		for _, part := range h.delta {
			if _, err := h.set.Apply(part); err != nil {
				h.s.log.Error("replicas are not told what is hot here", "error", err)
				h.set, h.delta = set, nil
				break
			}
		}
	}
	h.whole, h.pages = nil, pages
	h.gen.Add(1)
	h.tell()
	h.news, h.tell = context.WithCancel(context.Background())
}

// status puts the status variables of both sides.
func (h *hotSets) status(put func(name string, v any)) {
	s, r := &h.source, &h.replica
	s.mu.Lock()
	followers, pages := s.followers, s.pages
	s.mu.Unlock()
	put("Ember_hot_set_followers", followers)
	put("Ember_hot_set_pages", pages)
	put("Ember_hot_set_sent_bytes", s.sent.Load())
	r.mu.Lock()
	defer r.mu.Unlock()
	ranges := 0
	for _, set := range r.sets {
		ranges += set.Ranges()
	}
	put("Ember_hot_set_received_bytes", r.received)
	put("Ember_hot_set_received_ranges", ranges)
	put("Ember_hot_set_refused", r.refused)
	put("Ember_hot_set_rounds", r.rounds)
	put("Ember_hot_set_wanted_pages", r.last.Wanted)
	put("Ember_hot_set_resident_pages", r.last.Present+r.last.Read)
	put("Ember_hot_set_read_pages", r.read)
}

// hotReplica brings pages into the pool that are hot on the sources of this server.
type hotReplica struct {
	s  *Server
	on atomic.Bool

	mu       sync.Mutex
	sets     map[string]*hotset.Set // by channel
	bringing bool                   // a round runs
	again    bool                   // and another shall follow
	last     warm.Brought
	received int64 // bytes
	refused  int64 // parts
	rounds   int64
	read     int64 // pages
}

// take takes a part of what is hot on a channel's source.
func (h *hotReplica) take(channel string, part []byte) {
	if !h.on.Load() {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	set := h.sets[channel]
	if set == nil {
		set = &hotset.Set{}
		h.sets[channel] = set
	}
	h.received += int64(len(part))
	last, err := set.Apply(part)
	switch {
	case err != nil:
		h.refused++
		h.s.log.Warn("what is hot on the source is not known", "channel", channel, "error", err)
	case last && h.bringing:
		h.again = true
	case last:
		h.bringing = true
		h.s.background.Go(h.bring)
	}
}

// forget forgets a channel.
func (h *hotReplica) forget(channel string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.sets, channel)
}

// bring runs rounds while there is something new.
func (h *hotReplica) bring() {
	e := h.s.backend.Engine()
	for e != nil {
		h.mu.Lock()
		var sets []*hotset.Set
		for _, channel := range slices.Sorted(maps.Keys(h.sets)) {
			sets = append(sets, h.sets[channel].Snapshot())
		}
		h.mu.Unlock()
		done, err := e.BringHot(h.s.inner, sets)
		if err != nil && !errors.Is(err, warm.ErrLoading) && h.s.inner.Err() == nil {
			h.s.log.Warn("pages that are hot on the source are not read", "error", err)
		}
		if !h.count(done, err == nil) {
			return
		}
	}
}

// count counts a round, and tells whether another shall follow.
func (h *hotReplica) count(done warm.Brought, complete bool) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.read += int64(done.Read)
	if complete {
		h.rounds++
		h.last = done
	}
	h.bringing = h.again && h.s.inner.Err() == nil
	h.again = false
	return h.bringing
}
