package buffer

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/internal/base"
)

// TestDroppedStaysSmall drops 100,000 of 100,010 tablespaces in any order: what is remembered is as
// long as those that live.
func TestDroppedStaysSmall(t *testing.T) {
	const spaces, living = 100_010, 10
	var d dropped
	order := rand.New(rand.NewPCG(1, 2)).Perm(spaces)
	alive := make(map[int]bool)
	for _, id := range order[:living] {
		alive[id] = true
	}
	for _, id := range order[living:] {
		require.False(t, d.has(base.SpaceID(id+1)))
		d.add([]base.SpaceID{base.SpaceID(id + 1)})
		if !d.has(base.SpaceID(id + 1)) {
			t.Fatal(id)
		}
	}
	require.LessOrEqual(t, len(d.runs), living+1)
	for id := range spaces {
		if d.has(base.SpaceID(id+1)) == alive[id] {
			t.Fatal(id)
		}
	}
	d.add([]base.SpaceID{base.SpaceID(order[spaces-1] + 1)}) // again
	require.LessOrEqual(t, len(d.runs), living+1)
	require.False(t, d.has(spaces+1))
}
