package grants

import (
	"testing"

	vitess "github.com/dolthub/vitess/go/mysql"
	"github.com/stretchr/testify/require"
)

func TestDecoyHashIsHashed(t *testing.T) {
	digest, rounds, _, _, err := vitess.DeserializeCachingSha2PasswordAuthString([]byte(DecoyHash))
	require.NoError(t, err)
	require.Equal(t, "SHA256", digest)
	require.Equal(t, 5, rounds)
	require.False(t, MatchesSha2(DecoyHash, []byte("x")))
}
