package lock

import (
	"context"
	"time"
	"unsafe"
)

// LockMeta takes a metadata lock and waits for it if it must. An owner that holds a stronger or equal one of the name for at least the
// scope is served at once; a stronger mode is an entry of its own, judged against other owners only (upgrade).
func (m *Manager) LockMeta(ctx context.Context, o *Owner, name string, mode MetaMode, scope Scope, timeout time.Duration) error {
	held := o.metasOf(name)
	for i := range held {
		if l := &held[i]; l.scope >= scope && metaCovers[l.mode]>>mode&1 != 0 && l.name == name {
			return nil
		}
	}
	ob := object{class: classMeta, key: unsafe.Slice(unsafe.StringData(name), len(name))} // only read
	r, _, w := m.acquire(o, &ob, uint8(mode), NextKey, true)
	if w != nil {
		if err := w.Wait(ctx, timeout); err != nil {
			return err
		}
		r = w.got
	}
	o.addMeta(metaLock{name, mode, scope, r})
	return nil
}

// ReleaseMeta ends o's metadata locks of scope s and of narrower ones.
func (m *Manager) ReleaseMeta(o *Owner, s Scope) {
	kept := o.metas[:0]
	for _, l := range o.metas {
		if l.scope > s {
			kept = append(kept, l)
			continue
		}
		m.release(l.r)
	}
	o.keepMetas(kept)
}

// UnlockMeta ends o's metadata locks of that name and scope.
func (m *Manager) UnlockMeta(o *Owner, name string, s Scope) {
	kept := o.metas[:0]
	for _, l := range o.metas {
		if l.scope != s || l.name != name {
			kept = append(kept, l)
			continue
		}
		m.release(l.r)
	}
	o.keepMetas(kept)
}

// MetaIdle tells that nobody holds a metadata lock of the name, or waits for one.
func (m *Manager) MetaIdle(name string) bool {
	ob := object{class: classMeta, key: unsafe.Slice(unsafe.StringData(name), len(name))} // only read
	hash := m.hashOf(&ob)
	s := m.shardOf(hash)
	s.Lock()
	defer s.Unlock()
	for r := s.bucketOf(hash).first; r != nil; r = r.next {
		if r.is(hash, &ob) {
			return false
		}
	}
	return true
}

// HoldsMeta tells whether o holds the name in a mode that covers mode.
func (m *Manager) HoldsMeta(o *Owner, name string, mode MetaMode) bool {
	held := o.metasOf(name)
	for i := range held {
		if l := &held[i]; l.name == name && metaCovers[l.mode]>>mode&1 != 0 {
			return true
		}
	}
	return false
}
