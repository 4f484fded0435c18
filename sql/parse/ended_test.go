package parse

import (
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEnded reads a long text for which nobody waits any more, and one that somebody waits for.
func TestEnded(t *testing.T) {
	text := "INSERT INTO t VALUES (1)" + strings.Repeat(",(1)", 10*tokensBetweenLooks)
	var ended atomic.Uint32
	_, err := Parse(text, Options{Ended: &ended})
	require.NoError(t, err)
	ended.Store(1)
	_, err = Parse(text, Options{Ended: &ended})
	e, ok := err.(*Error)
	require.True(t, ok, "%v", err)
	require.Equal(t, uint16(1317), e.Code)
}
