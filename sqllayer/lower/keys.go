package lower

import vt "github.com/dolthub/vitess/go/vt/sqlparser"

// The keys of a column, which GMS's grammar does not name outside of its package.
const (
	keyNone vt.ColumnKeyOption = iota
	keyPrimary
	keySpatial
	keyUnique
)
