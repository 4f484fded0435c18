// Package quota accounts for the memory that statements hold, and bounds it: for each statement,
// for each connection, for all of them together.
//
// What is accounted is what a statement keeps while it goes on: rows that are sorted, grouped,
// joined or kept for later, keys of rows that were seen, trees of long texts, rows on their way to
// the client, user variables. The numbers are estimates, made where something is kept. What passes
// through is not counted, nor what the buffer pool holds.
//
// Invariants:
//
//	(1) Bytes are accounted before or as they are kept; a refused Take has added nothing.
//	(2) The sum over all accounts never exceeds the server's limit. Accounts reserve their part of
//	    it in steps, so that statements do not meet at one counter for every row.
//	(3) The last eighth of the server's limit is for accounts that hold little: large statements,
//	    which may go on in files for long, leave room for small ones.
//	(4) When a statement has ended its account holds what the connection keeps, and nothing else.
package quota

import (
	"fmt"
	"math"
	"sync"
	"sync/atomic"
)

// step is how much an account reserves of the server's memory at once.
const step = 256 << 10

// Unlimited is the limit of what is not bounded.
const Unlimited = math.MaxInt64

// Server is what all accounts draw from.
type Server struct {
	limit   atomic.Int64
	tracked atomic.Int64 // limit to accounts that are tracked
	used    atomic.Int64
	peak    atomic.Int64
	refused atomic.Int64
}

// NewServer makes a server with a limit in bytes.
func NewServer(limit int64) *Server {
	s := &Server{}
	s.SetLimit(limit)
	s.SetTrackedLimit(Unlimited)
	return s
}

// SetTrackedLimit bounds what accounts that are tracked may bring the sum to.
func (s *Server) SetTrackedLimit(limit int64) { s.tracked.Store(limit) }

// SetLimit bounds what is taken from now on.
func (s *Server) SetLimit(limit int64) { s.limit.Store(limit) }

// Limit is the bound.
func (s *Server) Limit() int64 { return s.limit.Load() }

// Used is what is reserved now, Peak the most that ever was, Refused how often a statement was
// refused memory.
func (s *Server) Used() int64    { return s.used.Load() }
func (s *Server) Peak() int64    { return s.peak.Load() }
func (s *Server) Refused() int64 { return s.refused.Load() }

// reserve adds n bytes to what is used, unless that exceeds the limit; large accounts have less.
func (s *Server) reserve(n int64, large bool) bool {
	for {
		used, most := s.used.Load(), s.limit.Load()
		if large {
			most -= most / 8
		}
		if n > 0 && used+n > most {
			return false
		}
		if !s.used.CompareAndSwap(used, used+n) {
			continue
		}
		for peak := s.peak.Load(); used+n > peak && !s.peak.CompareAndSwap(peak, used+n); peak = s.peak.Load() {
		}
		return true
	}
}

// Bound names the limit that was reached.
type Bound uint8

// The limits.
const (
	OfStatement Bound = iota
	OfConnection
	OfServer
	OfTracked // accounts
)

// Exceeded is the error of a Take that a limit does not allow.
type Exceeded struct {
	Bound Bound
	Limit int64 // bytes
	Used  int64 // bytes that would have been in use
}

// Error implements error.
func (e *Exceeded) Error() string {
	return fmt.Sprintf("memory limit of %d bytes exceeded: %d bytes", e.Limit, e.Used)
}

// Account is that of a connection and of the statement it runs. Its methods may be called by
// several goroutines.
type Account struct {
	server     *Server
	statement  atomic.Int64 // bytes of the running statement
	kept       atomic.Int64 // bytes that outlive statements
	mostOne    atomic.Int64 // limit of a statement
	mostAll    atomic.Int64 // limit of the connection
	mu         sync.Mutex
	reserved   int64 // of the server's
	isReserved atomic.Int64
	statements atomic.Uint64 // that have ended
	tracked    atomic.Bool
}

// NewAccount makes an account without limits of its own. Without a server it counts alone.
func NewAccount(s *Server) *Account {
	a := &Account{server: s}
	a.SetLimits(Unlimited, Unlimited)
	return a
}

// SetLimits bounds what a statement and what the connection may hold.
func (a *Account) SetLimits(statement, connection int64) {
	a.mostOne.Store(statement)
	a.mostAll.Store(connection)
}

// Track tells whether the limit of tracked accounts holds for this one.
func (a *Account) Track(on bool) { a.tracked.Store(on) }

// Used is what the connection holds, with the running statement.
func (a *Account) Used() int64 { return a.statement.Load() + a.kept.Load() }

// Statement numbers the running statement.
func (a *Account) Statement() uint64 { return a.statements.Load() }

// Take accounts n bytes to the running statement.
func (a *Account) Take(n int64) error {
	return a.draw(&a.statement, n, a.mostOne.Load())
}

// draw adds n bytes to a part of the account, which has a limit of its own.
func (a *Account) draw(part *atomic.Int64, n, most int64) error {
	one := part.Add(n)
	if n <= 0 {
		return nil
	}
	all := a.Used()
	var err *Exceeded
	switch {
	case one > most:
		err = &Exceeded{OfStatement, most, one}
	case all > a.mostAll.Load():
		err = &Exceeded{OfConnection, a.mostAll.Load(), all}
	case all > a.isReserved.Load():
		err = a.reserve()
	}
	if err == nil {
		return nil
	}
	part.Add(-n)
	if a.server != nil {
		a.server.refused.Add(1)
	}
	return err
}

// Keep accounts n bytes that the connection holds beyond the statement, as many as a statement may
// hold; below zero it gives them back.
func (a *Account) Keep(n int64) error {
	return a.draw(&a.kept, n, a.mostOne.Load())
}

// reserve draws what is used from the server.
func (a *Account) reserve() *Exceeded {
	a.mu.Lock()
	defer a.mu.Unlock()
	more := a.Used() - a.reserved
	if a.server == nil || more <= 0 {
		return nil
	}
	more = (more + step - 1) / step * step
	if most := a.server.tracked.Load(); a.tracked.Load() && a.server.Used()+more > most {
		return &Exceeded{OfTracked, most, a.server.Used() + more}
	}
	if !a.server.reserve(more, a.reserved >= step) {
		return &Exceeded{OfServer, a.server.Limit(), a.server.Used() + more}
	}
	a.reserved += more
	a.isReserved.Store(a.reserved)
	return nil
}

// End gives back what the statement held.
func (a *Account) End() {
	if a.statement.Load() == 0 && a.isReserved.Load() == 0 {
		return
	}
	a.statements.Add(1)
	a.statement.Store(0)
	a.settle((a.kept.Load() + step - 1) / step * step)
}

// Close gives everything back.
func (a *Account) Close() {
	a.statement.Store(0)
	a.kept.Store(0)
	a.settle(0)
}

func (a *Account) settle(to int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.server == nil || a.reserved <= to {
		return
	}
	a.server.reserve(to-a.reserved, false)
	a.reserved = to
	a.isReserved.Store(to)
}

// Holder accounts what one part of a statement holds, in steps, and gives it back when that part
// ends. It is for one goroutine. The zero Holder of a nil account counts nothing.
type Holder struct {
	Account *Account
	pending int64
	held    int64
	of      uint64 // the statement that it is held for
}

const holderStep = 16 << 10

// Add accounts n bytes more; below zero it gives them back, which never fails.
func (h *Holder) Add(n int64) error {
	if h.Account == nil {
		return nil
	}
	pending := h.pending + n
	if -holderStep < pending && pending < holderStep {
		h.pending = pending
		return nil
	}
	if of := h.Account.statements.Load(); of != h.of {
		h.of, h.held = of, 0 // a cursor that outlives its statement
	}
	pending = max(pending, -h.held)
	if err := h.Account.Take(pending); err != nil {
		return err
	}
	h.held, h.pending = h.held+pending, 0
	return nil
}

// Release gives back what was accounted. It may be called more than once.
func (h *Holder) Release() {
	if h.held > 0 && h.of == h.Account.statements.Load() {
		_ = h.Account.Take(-h.held) // never fails
	}
	h.held, h.pending = 0, 0
}
