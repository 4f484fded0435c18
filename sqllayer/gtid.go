package sqllayer

// gtid_next: the name of a session's next transaction.
//
//	            SET                       COMMIT, ROLLBACK
//	automatic ───────> owned ─────────────────────────────────> used: nothing but SET may follow
//	             │     waits: another session owns it; at the next statement it is owned, or skipped
//	             └───> skipped: was executed already ─────────> used      statements do nothing
//	anonymous stays so
//
// A name is used up by a COMMIT, also of nothing, by a ROLLBACK and by an error outside of a
// transaction. A statement that is a transaction of its own and has changed nothing leaves it.

import (
	"context"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/binlog"
	"emberdb/engine/txn"
	"emberdb/sqllayer/sqlerr"
)

type gtidState uint8

const (
	gtidAutomatic gtidState = iota
	gtidAnonymous
	gtidOwned
	gtidWaits
	gtidSkipped
	gtidUsed
)

// nextGTID is gtid_next. REQUIRES: Session.mu.
type nextGTID struct {
	state gtidState
	gtid  binlog.GTID // automatic: its tag counts
	holds bool        // ANONYMOUS was set, and no transaction has ended since
}

func (n *nextGTID) owner() string {
	if n.state == gtidAnonymous {
		return "ANONYMOUS"
	}
	return n.gtid.String()
}

// owns tells whether the session must end a transaction before another name may be set.
func (n *nextGTID) owns() bool { return n.state == gtidOwned || n.state == gtidAnonymous && n.holds }

// GTIDNextKind is what SET gtid_next asks for.
type GTIDNextKind uint8

// The kinds.
const (
	NextAutomatic GTIDNextKind = iota
	NextAnonymous
	NextNamed
)

// GTIDNext is a value of gtid_next.
type GTIDNext struct {
	Kind GTIDNextKind
	GTID binlog.GTID // of a name that will be automatic only the tag
}

// ParseGTIDNext reads one; false: it is none.
func ParseGTIDNext(text string) (n GTIDNext, ok bool) {
	kind, tag, tagged := strings.Cut(text, ":")
	switch kind = strings.ToUpper(kind); {
	case kind == "AUTOMATIC" && tagged:
		n.GTID.Source.Tag, ok = binlog.ParseTag(tag)
		return n, ok
	case kind == "AUTOMATIC":
		return n, true
	case kind == "ANONYMOUS" && !tagged:
		return GTIDNext{Kind: NextAnonymous}, true
	}
	g, err := binlog.ParseGTID(text)
	return GTIDNext{NextNamed, g}, err == nil
}

// String is the value as MySQL shows it.
func (n GTIDNext) String() string {
	switch tag := n.GTID.Source.Tag; {
	case n.Kind == NextAnonymous:
		return "ANONYMOUS"
	case n.Kind == NextNamed:
		return n.GTID.String()
	case tag != (binlog.Tag{}):
		return "AUTOMATIC:" + tag.String()
	}
	return "AUTOMATIC"
}

// NamesGTID tells whether PassGTID must be asked: gtid_next is a name, or the session holds the
// right to an anonymous transaction.
func (s *Session) NamesGTID() bool {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return s.log.next.state > gtidAnonymous || s.log.next.holds
}

// NamedGTID is the name that gtid_next gives to the transaction that is open, "" if there is none:
// neither name nor transaction.
func (s *Session) NamedGTID() string {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if n := &s.log.next; n.state == gtidOwned && (s.Trx != nil || s.GetIgnoreAutoCommit()) {
		return n.gtid.String()
	}
	return ""
}

// OwnsGTID names what the session owns, "" if nothing.
func (s *Session) OwnsGTID() string {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if n := &s.log.next; n.owns() {
		return n.owner()
	}
	return ""
}

// SetNextGTID is SET gtid_next. REQUIRES: no transaction is open.
func (s *Session) SetNextGTID(next GTIDNext) error {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	n := &s.log.next
	if n.owns() && !(next.Kind == NextAnonymous && n.state == gtidAnonymous) {
		return sqlerr.NewError(1790, "@@SESSION.GTID_NEXT cannot be changed by a client that owns a GTID. The client owns %s. Ownership is released on COMMIT or ROLLBACK.", n.owner())
	}
	s.releaseGTID()
	*n = nextGTID{gtid: next.GTID}
	switch l := s.layer.Eng.Binlog(); next.Kind {
	case NextAutomatic:
	case NextAnonymous:
		n.state, n.holds = gtidAnonymous, true
		if l != nil {
			l.HoldAnonymous(1)
		}
	default:
		n.state = gtidOwned
		if l != nil {
			s.tryOwn(l)
		}
	}
	return nil
}

// tryOwn asks the log for the name; the channel, if not nil, is closed when it is worth asking
// again.
// REQUIRES: s.mu.
func (s *Session) tryOwn(l *binlog.Log) <-chan struct{} {
	n := &s.log.next
	switch executed, busy := l.Own(n.gtid, s.ID()); {
	case executed:
		n.state = gtidSkipped
	case busy != nil:
		n.state = gtidWaits
		return busy
	default:
		n.state = gtidOwned
	}
	return nil
}

// releaseGTID gives back what the session holds of the log. REQUIRES: s.mu.
func (s *Session) releaseGTID() {
	n, l := &s.log.next, s.layer.Eng.Binlog()
	if l == nil {
		return
	}
	switch {
	case n.state == gtidOwned:
		l.Disown(n.gtid)
	case n.state == gtidAnonymous && n.holds:
		l.HoldAnonymous(-1)
	}
	n.holds = false
}

// endGTID notes that the transaction has ended. REQUIRES: s.mu.
func (s *Session) endGTID() {
	n := &s.log.next
	if n.state == gtidAutomatic {
		return
	}
	s.releaseGTID()
	if n.state != gtidAnonymous {
		n.state = gtidUsed
	}
}

// journalNext is what the transaction that is being committed is called; nil: by the next number,
// and it comes from here. alone: it is a statement of its own.
// REQUIRES: s.mu.
func (s *Session) journalNext(alone bool) *txn.NextGTID {
	n := &s.log.next
	if n.state == gtidAutomatic && n.gtid.Source.Tag == (binlog.Tag{}) && !s.log.foreign {
		return nil
	}
	next := s.origin()
	switch n.state {
	case gtidAutomatic:
		next.Tag = n.gtid.Source.Tag
	case gtidAnonymous:
		next.Assigned = true
	case gtidOwned:
		next.Assigned, next.GTID, next.Empty = true, n.gtid, !alone
	default:
		next.Refused = n.used() // a second transaction of one statement: a procedure's
	}
	return next
}

// Variables that tell where the next transaction was committed first, until it is logged, and their
// values if it is here.
const (
	OriginalTime    = "original_commit_timestamp" // in microseconds
	OriginalVersion = "original_server_version"
	UnknownTime     = 1 << 55
	UnknownVersion  = 999999
)

// origin is what they say.
func (s *Session) origin() *txn.NextGTID {
	next := new(txn.NextGTID)
	if !s.log.foreign {
		return next
	}
	if t := s.whole(OriginalTime, UnknownTime); t != UnknownTime {
		next.OriginalTime = uint64(t)
	}
	if v := s.whole(OriginalVersion, UnknownVersion); v != UnknownVersion {
		next.OriginalVersion = uint32(v)
	}
	return next
}

// endOrigin forgets it: the transaction has been logged. REQUIRES: s.mu.
func (s *Session) endOrigin() {
	if s.log.foreign {
		_ = s.BaseSession.SetSessionVariable(s.log.ctx, OriginalTime, int64(UnknownTime)) // who was allowed to set it is allowed this
		_ = s.BaseSession.SetSessionVariable(s.log.ctx, OriginalVersion, int64(UnknownVersion))
		s.log.foreign = false
	}
}

func (n *nextGTID) used() error {
	return sqlerr.NewError(1837, "When @@SESSION.GTID_NEXT is set to a GTID, you must explicitly set it to a different value after a COMMIT or ROLLBACK. Please check GTID_NEXT variable manual page for detailed explanation. Current @@SESSION.GTID_NEXT is '%s'.", n.gtid)
}

// GTIDVerb is what gtid_next must know of a statement.
type GTIDVerb uint8

// The verbs.
const (
	GTIDOther GTIDVerb = iota
	GTIDHarmless
	GTIDCommit
	GTIDRollback
	GTIDImplicitCommit
)

// PassGTID judges a statement by gtid_next before it runs. skip: it belongs to a transaction that
// was executed already, and does nothing.
func (s *Session) PassGTID(ctx *sql.Context, verb GTIDVerb) (skip bool, err error) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	n := &s.log.next
	if n.state <= gtidAnonymous {
		if s.Trx == nil && (verb == GTIDCommit || verb == GTIDRollback) {
			s.endGTID()
		}
		return false, nil
	}
	if verb == GTIDImplicitCommit && n.state != gtidUsed && !s.autocommit() && s.GetTransaction() != nil {
		return false, sqlerr.NewError(1778, "Cannot execute statements with implicit commit inside a transaction when @@SESSION.GTID_NEXT == 'UUID:NUMBER'.")
	}
	if verb == GTIDHarmless {
		return false, nil
	}
	if n.state == gtidWaits {
		if err := s.waitGTID(ctx); err != nil {
			return false, err
		}
	}
	switch verb {
	case GTIDCommit:
		if n.state == gtidOwned && s.Trx == nil {
			if _, err := s.Active(ctx); err != nil {
				return false, err
			}
			s.SetIgnoreAutoCommit(true) // a transaction of nothing
			return false, s.commit(ctx)
		}
		if n.state == gtidSkipped {
			n.state = gtidUsed
		}
		return false, nil
	case GTIDRollback:
		if n.state == gtidSkipped || s.Trx == nil {
			s.endGTID()
		}
		return false, nil
	}
	switch n.state {
	case gtidUsed:
		return false, n.used()
	case gtidSkipped:
		if verb == GTIDImplicitCommit {
			n.state = gtidUsed
		}
		return true, nil
	}
	return false, nil
}

// waitGTID waits until nobody else owns the name. REQUIRES: s.mu, which is given up meanwhile.
func (s *Session) waitGTID(ctx context.Context) error {
	l := s.layer.Eng.Binlog()
	for busy := s.tryOwn(l); busy != nil; busy = s.tryOwn(l) {
		s.Mu.Unlock()
		var err error
		select {
		case <-busy:
		case <-ctx.Done():
			err = ctx.Err()
		}
		s.Mu.Lock()
		if err != nil {
			return err
		}
	}
	return nil
}
