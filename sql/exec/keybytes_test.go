package exec

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

// Keys stay where they are, whatever their length, and take little more than their bytes.
func TestKeyBytes(t *testing.T) {
	var k keyBytes
	key := func(i int) []byte { return bytes.Repeat([]byte{byte(i)}, i*i%5000) }
	total := 0
	for i := range 3000 {
		k.add(key(i))
		total += len(key(i))
	}
	k.add(bytes.Repeat([]byte("long"), mostKeyBlock))
	for i := range 3000 {
		require.True(t, bytes.Equal(key(i), k.at(i)), "%d", i)
	}
	require.Len(t, k.at(3000), 4*mostKeyBlock)
	require.Less(t, k.bytes(), total+4*mostKeyBlock+2*mostKeyBlock+20*3001)
}
