package exec

import (
	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// wideBytes is how many bytes the values that expressions make of the rows of one batch may have,
// by their types. Values of batches are not accounted.
const wideBytes = 64 << 20

// nodeBytes is what a value takes beside its text, about.
const nodeBytes = 32

// narrow hands batches on in parts of so few rows that what is computed of one stays within
// wideBytes.
type narrow struct {
	most  int          // rows of a part; 0: not known yet
	whole *types.Batch // what is handed on in parts
	at    int
	part  types.Batch
	vecs  []types.Vec
}

// begin forgets the rows at hand. all are the expressions that are computed of a batch.
func (n *narrow) begin(all ...fn.Expr) {
	n.whole = nil
	if n.most == 0 {
		n.most = mostRows(all)
	}
}

// next is the next part of the batches that read gives.
func (n *narrow) next(read func() (*types.Batch, error)) (*types.Batch, error) {
	if n.whole == nil {
		b, err := read()
		if b == nil || err != nil || b.N <= n.most {
			return b, err
		}
		n.whole, n.at = b, 0
	}
	if len(n.vecs) < len(n.whole.Cols) {
		n.vecs = make([]types.Vec, len(n.whole.Cols))
	}
	n.part.N, n.part.Cols = min(n.most, n.whole.N-n.at), n.part.Cols[:0]
	for i, v := range n.whole.Cols {
		v.Slice(&n.vecs[i], n.at, n.part.N)
		n.part.Cols = append(n.part.Cols, &n.vecs[i])
	}
	if n.at += n.part.N; n.at == n.whole.N {
		n.whole = nil
	}
	return &n.part, nil
}

// mostRows is how many rows expressions may be computed of at once.
func mostRows(all []fn.Expr) int {
	made := 0
	for _, e := range all {
		if fn.ByRows(e) {
			return 1
		}
		made += madeBytes(e)
	}
	return min(max(wideBytes/max(made, 1), 1), types.BatchRows)
}

// madeBytes is how many bytes an expression makes of a row, at most. Documents count as short ones:
// they grow with the documents that they are made of, and batches of these have few rows.
func madeBytes(e fn.Expr) int {
	parts := e.Parts()
	if len(parts) == 0 {
		return 0 // a column or a constant
	}
	n := nodeBytes
	if t := e.Type(); t.Kind == types.String && !t.Opaque() {
		n += 4 * int(t.Length)
	}
	for _, p := range parts {
		n += madeBytes(p)
	}
	return n
}
