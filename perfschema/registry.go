package perfschema

import (
	"sort"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"
)

// Options are the limits of a Registry.
type Options struct {
	Enabled      bool
	Digests      int // performance_schema_digests_size
	DigestLength int // performance_schema_max_digest_length
	TextLength   int // performance_schema_max_sql_text_length
	History      int // events of each thread
	HistoryLong  int // events of all threads
	Accounts     int
	SampleAge    time.Duration // after which the sample of a digest is replaced
	Started      time.Time     // of the server: timers count from here
}

// Consumer says where events go.
type Consumer int

// The consumers that get something here.
const (
	Current Consumer = iota
	History
	HistoryLong
	Digests
	Global
	Threads

	consumers
)

// ConsumerNames are MySQL's names.
var ConsumerNames = [consumers]string{"events_statements_current", "events_statements_history", "events_statements_history_long", "statements_digest",
	"global_instrumentation", "thread_instrumentation"}

// Registry holds the threads, accounts and digests of a server.
type Registry struct {
	o       Options
	on      [consumers]atomic.Bool
	digests digests
	all     Histogram // of all statements

	mu       sync.Mutex
	threads  map[uint64]*Thread
	accounts map[Account]*Sums
	rest     Sums // of accounts that found no room, and of those that were reset

	longMu sync.Mutex
	long   []Event // a ring
	longAt int
}

// Account is who connects from where.
type Account struct{ User, Host string }

// New makes a Registry.
func New(o Options) *Registry {
	r := &Registry{o: o, threads: map[uint64]*Thread{}, accounts: map[Account]*Sums{}}
	r.digests = digests{of: r, byKey: map[digestKey]*Digest{}, limit: o.Digests}
	for c := range r.on {
		r.on[c].Store(Consumer(c) != HistoryLong)
	}
	return r
}

// Enabled tells whether anything is counted.
func (r *Registry) Enabled() bool { return r.o.Enabled }

// Consumes tells whether a consumer is on.
func (r *Registry) Consumes(c Consumer) bool { return r.o.Enabled && r.on[c].Load() }

// SetConsumer turns a consumer on or off.
func (r *Registry) SetConsumer(c Consumer, on bool) { r.on[c].Store(on) }

// Started is the moment from which timers count.
func (r *Registry) Started() time.Time { return r.o.Started }

// Clip cuts a statement's text to the length that is kept. A long text is copied, lest it stay in
// memory whole.
func (r *Registry) Clip(text string) string {
	if len(text) <= r.o.TextLength {
		return text
	}
	end := r.o.TextLength
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return string([]byte(text[:end]))
}

// Connect begins the thread of a connection that has logged in. A nil Registry counts nothing.
func (r *Registry) Connect(id uint64, a Account) *Thread {
	t := &Thread{r: r, ID: id, Account: a}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.threads[id] = t
	return t
}

// Thread finds a thread; nil if there is none.
func (r *Registry) Thread(id uint64) *Thread {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.threads[id]
}

// Threads returns those there are, by number.
func (r *Registry) Threads() []*Thread {
	r.mu.Lock()
	out := make([]*Thread, 0, len(r.threads))
	for _, t := range r.threads {
		out = append(out, t)
	}
	r.mu.Unlock()
	sort.Slice(out, func(i, j int) bool { return out[i].ID < out[j].ID })
	return out
}

// account finds the sums of an account. REQUIRES: r.mu is locked.
func (r *Registry) account(a Account) *Sums {
	s := r.accounts[a]
	if s == nil {
		if len(r.accounts) >= r.o.Accounts {
			return &r.rest
		}
		s = new(Sums)
		r.accounts[a] = s
	}
	return s
}

// Accounts adds up what the accounts did, threads that are connected included. by makes one key of
// several accounts.
func (r *Registry) Accounts(by func(Account) Account) map[Account]*Sums {
	out := map[Account]*Sums{}
	at := func(a Account) *Sums {
		a = by(a)
		if out[a] == nil {
			out[a] = new(Sums)
		}
		return out[a]
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for a, s := range r.accounts {
		at(a).merge(s)
	}
	for _, t := range r.threads {
		t.mu.Lock()
		at(t.Account).merge(&t.sums)
		t.mu.Unlock()
	}
	return out
}

// Total adds up what everybody did.
func (r *Registry) Total() *Sums {
	s := new(Sums)
	for _, a := range r.Accounts(func(Account) Account { return Account{} }) {
		s.merge(a)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	s.merge(&r.rest)
	return s
}

// Histogram counts all statements by their time.
func (r *Registry) Histogram() *Histogram { return &r.all }

// Part is a part of Sums, for a reset.
type Part int

// The parts.
const (
	PartStatements Part = iota
	PartErrors
)

func (s *Sums) take(p Part) (taken Sums) {
	if p == PartErrors {
		taken.errors, s.errors = s.errors, nil
	} else {
		taken.statements, s.statements = s.statements, nil
	}
	return taken
}

// ResetThreads moves a part of what threads counted to their accounts.
func (r *Registry) ResetThreads(p Part) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, t := range r.threads {
		t.mu.Lock()
		taken := t.sums.take(p)
		t.mu.Unlock()
		r.account(t.Account).merge(&taken)
	}
}

// ResetAccounts moves a part of what accounts counted to the server.
func (r *Registry) ResetAccounts(p Part) {
	r.ResetThreads(p)
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range r.accounts {
		taken := s.take(p)
		r.rest.merge(&taken)
	}
}

// ResetAll forgets a part of all sums.
func (r *Registry) ResetAll(p Part) {
	r.ResetAccounts(p)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.rest.take(p)
}

// ResetHistogram forgets the times of all statements.
func (r *Registry) ResetHistogram() { r.all.reset() }
