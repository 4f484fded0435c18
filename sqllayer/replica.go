package sqllayer

import (
	"context"

	"emberdb/engine/txn"
)

// What a session that applies another server's log has more than others.

// ReplicaSpace is the namespace of the rows that say whom this server follows and how far it has
// come. PlaceKey was the row of the place in versions with one session.
const (
	ReplicaSpace = "replica"
	PlaceKey     = "place"
)

// replicaSession is the state. REQUIRES: Session.mu.
type replicaSession struct {
	key   string   // of the place
	place []byte   // stored by the next commit, nil: nothing
	turn  txn.Turn // for which the next commit waits, nil: for none
	quiet bool     // no trigger fires
}

// SetPlace has the next commit of the session store a place in the source's log.
func (s *Session) SetPlace(key string, place []byte) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.replica.key, s.replica.place = key, place
}

// SetTurn has the next commit of the session wait for its turn.
func (s *Session) SetTurn(t txn.Turn) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.replica.turn = t
}

// SettlePlace stores the place if no commit has.
func (s *Session) SettlePlace(ctx context.Context) error {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if s.replica.place == nil {
		return nil
	}
	err := s.layer.Eng.PutKV(ctx, nil, ReplicaSpace, s.replica.key, s.replica.place)
	s.replica.place = nil
	return err
}

// SetApplier makes the session one that applies the transactions of a source, also while the server
// is read-only.
func (s *Session) SetApplier() {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.applies = true
}

// FireTriggers says whether triggers fire. Rows of a source's log have what they set already.
func (s *Session) FireTriggers(fire bool) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.replica.quiet = !fire
}

func (s *Session) firesTriggers() bool {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return !s.replica.quiet
}

// commitOpen commits the transaction that a definition finds open. REQUIRES: s.mu.
func (s *Session) commitOpen(ctx context.Context) error {
	if s.Trx == nil || s.ddl {
		return nil
	}
	tx := s.GetTransaction()
	s.closeCursors()
	if err := s.commitBefore(ctx); err != nil {
		return err
	}
	s.SetTransaction(tx) // GMS commits it at the end of the statement
	return nil
}

// commitBefore ends the transaction that a definition statement found open, be it that the
// statement itself began it to read. The place is that behind the definition: stored here, it would
// have a replica that dies now pass over the definition.
// REQUIRES: s.mu.
func (s *Session) commitBefore(ctx context.Context) error {
	place := s.replica.place
	s.replica.place = nil
	err := s.commit(ctx)
	s.replica.place = place
	return err
}

// storePlace stores the place within a transaction that is about to be committed. REQUIRES: s.mu.
func (s *Session) storePlace(ctx context.Context, trx *txn.Trx) error {
	if s.replica.place == nil {
		return nil
	}
	err := s.layer.Eng.PutKV(ctx, trx, ReplicaSpace, s.replica.key, s.replica.place)
	s.replica.place = nil
	return err
}
