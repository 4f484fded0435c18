package grants

import (
	"sync"
	"sync/atomic"
	"time"

	"emberdb/account"
	"emberdb/sqllayer/sqlerr"
)

// Usage counts what accounts with limits have used in the current hour, and failed logins in a row.
// It is lost with the process, as MySQL's is.
type Usage struct {
	mu       sync.Mutex
	accounts map[account.Name]*AccountUsage
}

// AccountUsage is that of one account. Its connections share it.
type AccountUsage struct {
	mu sync.Mutex
	account.Limits
	since                           time.Time // the hour began
	questions, updates, connections uint32

	limited atomic.Bool // statements are counted

	failed  int // logins in a row
	blocked time.Time
}

// Of finds or makes the account's usage.
func (u *Usage) Of(n account.Name) *AccountUsage {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.accounts == nil {
		u.accounts = map[account.Name]*AccountUsage{}
	}
	a := u.accounts[n]
	if a == nil {
		a = &AccountUsage{since: time.Now()}
		u.accounts[n] = a
	}
	return a
}

// each visits all accounts that have used something.
func (u *Usage) each(f func(*AccountUsage)) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, a := range u.accounts {
		a.mu.Lock()
		f(a)
		a.mu.Unlock()
	}
}

// Reset is FLUSH USER_RESOURCES.
func (u *Usage) Reset() {
	u.each(func(a *AccountUsage) { a.questions, a.updates, a.connections = 0, 0, 0 })
}

// ForgiveAll forgets failed logins.
func (u *Usage) ForgiveAll() {
	u.each(func(a *AccountUsage) { a.failed, a.blocked = 0, time.Time{} })
}

// Forgive forgets the failed logins of one account.
func (u *Usage) Forgive(n account.Name) {
	a := u.Of(n)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.failed, a.blocked = 0, time.Time{}
}

func Exceeded(user, what string, limit uint32) error {
	return sqlerr.NewError(1226, "User '%s' has exceeded the '%s' resource (current value: %d)", user, what, limit)
}

// hourPassed begins a new hour. REQUIRES: mu.
func (a *AccountUsage) hourPassed() {
	if now := time.Now(); now.Sub(a.since) >= time.Hour {
		a.since, a.questions, a.updates, a.connections = now, 0, 0, 0
	}
}

// Limit gives the account other limits, for the connections that it has too, and counts anew.
func (a *AccountUsage) Limit(l account.Limits) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.questions, a.updates, a.connections = 0, 0, 0
	a.setLimits(l)
}

func (a *AccountUsage) setLimits(l account.Limits) {
	a.Limits = l
	a.limited.Store(l.MaxQueries > 0 || l.MaxUpdates > 0)
}

// Connect counts a login. The limits are those that the account has now, for its other connections
// too.
func (a *AccountUsage) Connect(user string, l account.Limits) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.setLimits(l)
	a.hourPassed()
	if l.MaxConnections > 0 && a.connections >= l.MaxConnections {
		return Exceeded(user, "max_connections_per_hour", l.MaxConnections)
	}
	a.connections++
	return nil
}

// Statement counts one.
func (a *AccountUsage) Statement(user string, changes bool) error {
	if a == nil || !a.limited.Load() {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.hourPassed()
	if a.MaxQueries > 0 {
		if a.questions >= a.MaxQueries {
			return Exceeded(user, "max_questions", a.MaxQueries)
		}
		a.questions++
	}
	if changes && a.MaxUpdates > 0 {
		if a.updates >= a.MaxUpdates {
			return Exceeded(user, "max_updates", a.MaxUpdates)
		}
		a.updates++
	}
	return nil
}

// Counts tells whether statements are counted.
func (a *AccountUsage) Counts() bool { return a != nil && a.limited.Load() }

// Login notes whether the password was right, and refuses an account with too many wrong ones in a
// row.
func (a *AccountUsage) Login(p *account.Policy, right bool) (blockedFor time.Duration, blocked bool) {
	if p.FailedAttempts == 0 || p.LockDays == 0 {
		return 0, false
	}
	lasts := time.Duration(p.LockDays) * 24 * time.Hour
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.blocked.IsZero() && p.LockDays > 0 && time.Since(a.blocked) >= lasts {
		a.failed, a.blocked = 0, time.Time{}
	}
	switch {
	case !a.blocked.IsZero():
	case right:
		a.failed = 0
		return 0, false
	default:
		if a.failed++; a.failed < p.FailedAttempts {
			return 0, false
		}
		a.blocked = time.Now()
	}
	return lasts - time.Since(a.blocked), true
}
