package lock

import (
	"context"
	"time"
	"unsafe"
)

// LockMeta takes a metadata lock and waits for it if it must. An owner that holds a stronger or
// equal one of the name for at least the scope is served at once; a stronger mode is an entry of
// its own, judged against other owners only (upgrade).
func (m *Manager) LockMeta(ctx context.Context, o *Owner, name string, mode MetaMode, scope Scope, timeout time.Duration) error {
	if o.findMeta(name, func(l *metaLock) bool { return l.scope >= scope && metaCovers[l.mode]>>mode&1 != 0 }) != nil {
		return nil
	}
	ob := object{class: classMeta, key: unsafe.Slice(unsafe.StringData(name), len(name))} // only read
	r, _, w := m.acquire(o, &ob, uint8(mode), NextKey, true)
	if w != nil {
		waits := &o.root().metaWaits
		waits.Add(1)
		err := w.Wait(ctx, timeout)
		if waits.Add(-1); err != nil {
			return err
		}
		r = w.got
	}
	o.addMeta(metaLock{name: name, mode: mode, scope: scope, r: r})
	return nil
}

// ReleaseMeta ends o's metadata locks of scope s and of narrower ones.
func (m *Manager) ReleaseMeta(o *Owner, s Scope) {
	kept := o.metas[:0]
	for _, l := range o.metas {
		switch {
		case l.r == nil:
		case l.scope > s:
			kept = append(kept, l)
		default:
			m.release(l.r)
		}
	}
	o.keepMetas(kept)
}

// ReleaseMetaSince ends the metadata locks of a transaction that o has taken since it had n of
// them, as Metas counts.
func (m *Manager) ReleaseMetaSince(o *Owner, n int) {
	if n >= len(o.metas) {
		return
	}
	kept := o.metas[:n]
	for _, l := range o.metas[n:] {
		switch {
		case l.r == nil:
		case l.scope > Transaction:
			kept = append(kept, l)
		default:
			m.release(l.r)
		}
	}
	o.keepMetas(kept)
}

// UnlockMeta ends o's metadata locks of that name and scope.
func (m *Manager) UnlockMeta(o *Owner, name string, s Scope) {
	for {
		l := o.findMeta(name, func(l *metaLock) bool { return l.scope == s })
		if l == nil {
			o.trimMetas()
			return
		}
		m.release(l.r)
		l.r = nil
	}
}

// MetaIdle tells that nobody holds a metadata lock of the name, or waits for one.
func (m *Manager) MetaIdle(name string) bool {
	ob := object{class: classMeta, key: unsafe.Slice(unsafe.StringData(name), len(name))} // only read
	hash := m.hashOf(&ob)
	s := m.shardOf(hash)
	s.Lock()
	defer s.Unlock()
	return s.first(hash, &ob) == nil
}

// MetaWanted tells that somebody waits to change the object of that name itself.
func (m *Manager) MetaWanted(name string) bool {
	ob := object{class: classMeta, key: unsafe.Slice(unsafe.StringData(name), len(name))} // only read
	hash := m.hashOf(&ob)
	s := m.shardOf(hash)
	s.Lock()
	defer s.Unlock()
	for r := s.first(hash, &ob); r != nil; r = r.nextSame() {
		if r.wait != nil && MetaMode(r.mode) == MetaExclusive {
			return true
		}
	}
	return false
}

// HoldsMeta tells whether o holds the name in a mode that covers mode.
func (m *Manager) HoldsMeta(o *Owner, name string, mode MetaMode) bool {
	return o.findMeta(name, func(l *metaLock) bool { return metaCovers[l.mode]>>mode&1 != 0 }) != nil
}
