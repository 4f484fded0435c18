package binlog

// Names that sessions have taken for transactions to come: gtid_next.

import "errors"

// ErrOwned says that sessions hold names which a naming to come would not know.
var ErrOwned = errors.New("sessions own GTIDs")

// ownership is a session's claim on a GTID.
type ownership struct {
	session uint32
	ended   chan struct{} // closed when it is given back
}

// Own takes a GTID for a session, to be given back with Disown. executed: it is in the log already,
// or on its way; busy: another session owns it, and the channel is closed when that has ended.
func (l *Log) Own(g GTID, session uint32) (executed bool, busy <-chan struct{}) {
	l.orderMu.Lock()
	defer l.orderMu.Unlock()
	if l.taken.Contains(g) {
		return true, nil
	}
	if o := l.owned[g]; o != nil {
		return false, o.ended
	}
	if l.owned == nil {
		l.owned = make(map[GTID]*ownership)
	}
	l.owned[g] = &ownership{session, make(chan struct{})}
	return false, nil
}

// Disown gives a GTID back.
func (l *Log) Disown(g GTID) {
	l.orderMu.Lock()
	defer l.orderMu.Unlock()
	if o := l.owned[g]; o != nil {
		close(o.ended)
		delete(l.owned, g)
	}
}

// HoldAnonymous counts the sessions that are about to write a transaction without a name.
func (l *Log) HoldAnonymous(n int) {
	l.orderMu.Lock()
	defer l.orderMu.Unlock()
	l.unnamed += n
}

// Owned lists the names that sessions have taken, with their sessions.
func (l *Log) Owned() map[GTID]uint32 {
	l.orderMu.Lock()
	defer l.orderMu.Unlock()
	out := make(map[GTID]uint32, len(l.owned))
	for g, o := range l.owned {
		out[g] = o.session
	}
	return out
}

// SetNaming says how transactions without an assigned name are called from now on: by the next
// number of this server, or not at all. It fails with ErrOwned if none may be anonymous and a
// session is about to write one that is, and if none may have a name and a session owns one.
func (l *Log) SetNaming(automatic, noneAnonymous, noneNamed bool) error {
	l.orderMu.Lock()
	defer l.orderMu.Unlock()
	if noneAnonymous && l.unnamed > 0 || noneNamed && len(l.owned) > 0 {
		return ErrOwned
	}
	l.anonymous = !automatic
	return nil
}

// nextNumber is the next number of a source that no session has taken. REQUIRES: orderMu held.
func (l *Log) nextNumber(of Source) (int64, error) {
	if len(l.owned) == 0 {
		return l.taken.next(of)
	}
	all := l.taken.Clone()
	for g := range l.owned {
		all.Add(g)
	}
	return all.next(of)
}
