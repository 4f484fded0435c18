package server

import (
	"errors"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"emberdb/engine/hotset"
	"emberdb/engine/warm"
)

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
