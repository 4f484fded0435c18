package srs

import (
	"testing"

	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/stretchr/testify/require"
)

// Every predefined system has a definition that a statement could make.
func TestPredefinedSystems(t *testing.T) {
	var set *Set
	set.Each(func(s *System) bool {
		if s.ID != 0 {
			_, err := Define(s.ID, s.Text)
			require.NoError(t, err, "%d: %s", s.ID, s.Text)
		}
		return true
	})
}

func TestSetChanges(t *testing.T) {
	moon := &System{ID: 7, Name: "Moon", Text: `GEOGCS["M",DATUM["D",SPHEROID["S",1737400,0]],PRIMEM["P",0],UNIT["degree",0.017],AXIS["Lon",EAST],AXIS["Lat",NORTH]]`}
	set := NewSet(map[uint32]*System{4326: nil, 7: moon})
	_, known := set.Find(4326)
	require.False(t, known, "dropped")
	found, known := set.Find(7)
	require.True(t, known)
	require.True(t, found.IsGeographic())
	require.False(t, found.LatitudeFirst())
	require.InDelta(t, 1737400, found.Definition().MeanRadius(), 0)
	count := 0
	set.Each(func(s *System) bool { count++; return true })
	require.Len(t, types.SupportedSRIDs, count, "one less, one more")
}

func FuzzParse(f *testing.F) {
	f.Add(types.SupportedSRIDs[4326].Definition)
	f.Add(types.SupportedSRIDs[2154].Definition)
	f.Add(`PROJCS["`)
	f.Fuzz(func(_ *testing.T, text string) { _, _ = Define(1, text) })
}
