package grants

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/account"
)

// TestUsageHour: what was used in an hour is forgotten after it.
func TestUsageHour(t *testing.T) {
	a := (&Usage{}).Of(account.Name{User: "u", Host: "%"})
	require.NoError(t, a.Connect("u", account.Limits{MaxQueries: 1, MaxUpdates: 1, MaxConnections: 1}))
	require.Error(t, a.Connect("u", a.Limits))
	require.NoError(t, a.Statement("u", true))
	require.Error(t, a.Statement("u", false))
	a.since = a.since.Add(-time.Hour)
	require.NoError(t, a.Statement("u", true))
	require.NoError(t, a.Connect("u", a.Limits))
	var none *AccountUsage // a connection of the server's own
	require.NoError(t, none.Statement("", true))
}

// TestFailedLogins: an account is blocked by failures in a row, for its days.
func TestFailedLogins(t *testing.T) {
	a := (&Usage{}).Of(account.Name{User: "u"})
	p := &account.Policy{FailedAttempts: 2, LockDays: 1}
	try := func(right bool) bool { _, blocked := a.Login(p, right); return blocked }
	require.False(t, try(false))
	require.False(t, try(true))
	require.False(t, try(false))
	require.True(t, try(false))
	require.True(t, try(true), "also for the right password")
	a.blocked = a.blocked.Add(-24 * time.Hour)
	require.False(t, try(true))
}
