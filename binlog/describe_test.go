package binlog

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// CREATE DATABASE names its database itself: whoever shows the event says no USE, as nobody could
// use it yet.
func TestQueryInfo(t *testing.T) {
	for suppress, want := range map[bool]string{false: "use `d`; CREATE DATABASE d", true: "CREATE DATABASE d"} {
		raw := AppendQuery(nil, Head{}, &Query{Database: "d", SQL: "CREATE DATABASE d", SuppressUse: suppress})
		Place(raw, 4)
		h, err := ParseHeader(raw)
		require.NoError(t, err)
		require.Equal(t, want, (&Event{Header: h, Raw: raw, checksum: true}).Info())
	}
}
