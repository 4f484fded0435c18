package sqllayer

import (
	"errors"
	"testing"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/stretchr/testify/require"
)

// TestUnplanned tells panics of the library about what it does not know from those that are
// mistakes.
func TestUnplanned(t *testing.T) {
	for _, c := range []struct {
		panicked any
		want     string
	}{
		{sql.ErrCharSetNotYetImplementedTemp.New("koi8r"), "This version of Ember doesn't yet support 'character set koi8r'"},
		{sql.ErrCollationNotYetImplementedTemp.New("ujis_bin"), "This version of Ember doesn't yet support 'collation ujis_bin'"},
		{errors.New("runtime error"), ""},
		{"index out of range", ""},
	} {
		err := Unplanned(c.panicked)
		if c.want == "" {
			require.NoError(t, err)
			continue
		}
		e := Translate(err, "")
		require.Equal(t, 1235, e.Num)
		require.Equal(t, c.want, e.Message)
	}
}
