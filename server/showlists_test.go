package server

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestShowErrorsLimit: LIMIT holds for the list of errors as for any other.
func TestShowErrorsLimit(t *testing.T) {
	ts, _ := startReal(t, t.TempDir())
	c := ts.login("root", "", "")
	c.SetMaxOpenConns(1)
	for limit, want := range map[string]int{"": 1, " LIMIT 0": 0, " LIMIT 1": 1, " LIMIT 1, 1": 0, " LIMIT 5 OFFSET 0": 1} {
		_, err := c.ExecContext(context.Background(), "SELECT nope")
		requireCode(t, err, 1054, "42S22")
		require.Len(t, rows(t, c, "SHOW ERRORS"+limit), want, limit)
	}
}
