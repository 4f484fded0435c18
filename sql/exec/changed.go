package exec

import "emberdb/sql/types"

// Rows that are going to be changed, and those that are joined with them, have their keys in the
// clustered index as a column (Scan.KeyID, LookupJoin.KeyID): whoever changes a row reads it again by
// its key, as it is by then. Who reads a row to change it locks it exclusively (Locking). Of a row that
// an outer join has made up the key is NULL.
// REQUIRES: rows are locked.

// keyColumn are the keys of the rows at hand.
type keyColumn struct {
	vecs [2]types.Vec
	at   int // of the vec that has them
}

// begin makes room for the keys of n rows if id names a column.
func (k *keyColumn) begin(id, n int) {
	if k.at = 0; id != 0 {
		k.vecs[0].Reset(types.String, n)
	}
}

// add sets the i-th key, which is copied to arena.
func (k *keyColumn) add(i int, key, arena []byte) []byte {
	from := len(arena)
	arena = append(arena, key...)
	k.vecs[k.at].S[i] = arena[from:len(arena):len(arena)]
	return arena
}

// gather keeps the keys of some rows.
func (k *keyColumn) gather(rows []int32) {
	k.vecs[k.at].Gather(&k.vecs[1-k.at], rows)
	k.at = 1 - k.at
}

func (k *keyColumn) vec() *types.Vec { return &k.vecs[k.at] }
