package sqllayer_test

import (
	"errors"
	"testing"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/stretchr/testify/require"

	"emberdb/sqllayer/planner"
	"emberdb/sqllayer/sqlerr"
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
		{"cannot insert 64 into bitSet", "Too many tables; MySQL can only use 61 tables in a join"},
		{"index out of range", ""},
	} {
		err := planner.Unplanned(c.panicked)
		if c.want == "" {
			require.NoError(t, err)
			continue
		}
		e := sqlerr.Translate(err, "")
		require.Contains(t, []int{1235, 1116}, e.Num)
		require.Equal(t, c.want, e.Message)
	}
}
