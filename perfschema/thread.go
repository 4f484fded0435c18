package perfschema

import (
	"sync"
	"time"
)

// Event is a statement that has ended.
type Event struct {
	ID      uint64 // in its thread
	Thread  uint64
	Name    int       // which kind of statement
	Start   time.Time // of the clock
	Wait    int64     // how long it took, in nanoseconds
	Lock    int64     // of that, how long it waited for locks
	Text    string
	Digest  *Digest // nil: none
	Schema  string
	Code    int // of its error; 0: none
	State   string
	Message string
	Counts  Counts
}

// Thread is a connection.
type Thread struct {
	r       *Registry
	ID      uint64
	Account Account

	mu      sync.Mutex
	sums    Sums
	ended   uint64  // events
	history []Event // a ring: event n stands at n modulo its length
}

// End adds a statement. A nil Thread counts nothing. Text is kept as it is: see Registry.Clip.
func (t *Thread) End(e *Event) {
	if t == nil || !t.r.on[Global].Load() {
		return
	}
	r := t.r
	ended := e.Start.UnixMicro() + e.Wait/1000
	e.Thread = t.ID
	t.mu.Lock()
	t.ended++
	e.ID = t.ended
	if r.on[Threads].Load() {
		t.add(e, ended)
	}
	t.mu.Unlock()
	bucket := bucketOf(uint64(e.Wait))
	r.all.add(bucket, 1)
	if e.Digest != nil {
		e.Digest.add(t.ID, e, bucket, ended, r.o.SampleAge.Microseconds())
	}
	if r.on[HistoryLong].Load() {
		r.addLong(e)
	}
}

// add adds a statement to what the thread holds. REQUIRES: t.mu is locked.
func (t *Thread) add(e *Event, ended int64) {
	t.sums.statements.at(e.Name).add(e)
	if e.Code != 0 {
		x := t.sums.errors.at(e.Code)
		if x.First == 0 {
			x.First = ended
		}
		x.Last = ended
		x.Raised++
	}
	if n := t.r.o.History; n > 0 && t.r.on[Current].Load() {
		if t.history == nil {
			t.history = make([]Event, n)
		}
		t.history[t.ended%uint64(n)] = *e
	}
}

func (r *Registry) addLong(e *Event) {
	r.longMu.Lock()
	defer r.longMu.Unlock()
	if len(r.long) < r.o.HistoryLong {
		r.long = append(r.long, *e)
		return
	}
	if len(r.long) > 0 {
		r.long[r.longAt] = *e
		r.longAt = (r.longAt + 1) % len(r.long)
	}
}

// Ended is how many statements have ended.
func (t *Thread) Ended() uint64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.ended
}

// Last is the last statement that has ended.
func (t *Thread) Last() (e Event, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.history) == 0 {
		return e, false
	}
	e = t.history[t.ended%uint64(len(t.history))]
	return e, e.ID != 0
}

// History returns the last statements, oldest first.
func (t *Thread) History() (out []Event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := uint64(len(t.history))
	for i := range n {
		if e := t.history[(t.ended+1+i)%n]; e.ID != 0 {
			out = append(out, e)
		}
	}
	return out
}

// ResetHistory forgets the last statements of all threads.
func (r *Registry) ResetHistory() {
	for _, t := range r.Threads() {
		t.mu.Lock()
		t.history = nil
		t.mu.Unlock()
	}
}

// HistoryLong returns the last statements of all threads, oldest first.
func (r *Registry) HistoryLong() []Event {
	r.longMu.Lock()
	defer r.longMu.Unlock()
	return append(append([]Event(nil), r.long[r.longAt:]...), r.long[:r.longAt]...)
}

// ResetHistoryLong forgets them.
func (r *Registry) ResetHistoryLong() {
	r.longMu.Lock()
	defer r.longMu.Unlock()
	r.long, r.longAt = nil, 0
}

// Sums returns what the thread has counted.
func (t *Thread) Sums() *Sums {
	s := new(Sums)
	t.mu.Lock()
	defer t.mu.Unlock()
	s.merge(&t.sums)
	return s
}

// Leave ends the thread. A nil Thread has nothing to end.
func (t *Thread) Leave() {
	if t == nil {
		return
	}
	r := t.r
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.threads[t.ID] == t {
		delete(r.threads, t.ID)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	r.account(t.Account).merge(&t.sums)
	t.sums = Sums{}
}
