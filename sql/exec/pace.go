package exec

import (
	"bytes"

	"emberdb/sql/types"
)

// batchBytes is about how many bytes the texts of a batch have together. It has some rows
// however long these are.
const batchBytes = 4 << 20

// pace is how many rows an operator gives at once that repeats the texts of others: fewer where they
// are long. What is computed of a batch takes as many times the memory of a text as the batch has
// rows, and a statement ends between two batches.
type pace struct {
	most  int
	bound int // rows that conditions are computed of at once; 0: any number
}

const (
	firstRows = 64 // come before anything is known of them, and for those who want a few
	leastRows = 2  // joins count one for a row without a partner
)

// rows is how many rows the next batch may have.
func (p *pace) rows() int {
	if p.most == 0 {
		p.most = firstRows
	}
	if p.bound > 0 {
		return min(p.most, max(p.bound, leastRows))
	}
	return p.most
}

// expect says how many bytes the texts of a row will have, before a batch is made.
func (p *pace) expect(bytes int) {
	if p.rows()*bytes > batchBytes {
		p.most = max(batchBytes/bytes, leastRows)
	}
}

// after looks at a batch that was given.
func (p *pace) after(b *types.Batch) {
	switch size := textBytes(b); {
	case size > batchBytes:
		p.most = max(b.N*batchBytes/size, leastRows)
	case size <= batchBytes/4:
		p.most = min(4*p.rows(), types.BatchRows)
	}
}

// long is asked after work on so many bytes of one value: a statement ends between two long ones.
func (c *Ctx) long(bytes int) error {
	if bytes < longBytes {
		return nil
	}
	return c.Err()
}

// compare compares two keys. Long ones end with the statement: then all count as equal, and ended is
// set.
func (c *Ctx) compare(a, b []byte, ended *bool) int {
	if min(len(a), len(b)) >= longBytes {
		*ended = *ended || c.Err() != nil
	}
	if *ended {
		return 0
	}
	return bytes.Compare(a, b)
}

// longBytes is a length from which on a value is work of its own.
const longBytes = 64 << 10

// rowBytes estimates how many bytes the texts of a row have.
func rowBytes(b *types.Batch) int {
	if b.N == 0 {
		return 0
	}
	return textBytes(b) / b.N
}

// samples is how many rows of a batch are looked at.
const samples = 32

// textBytes estimates how many bytes the texts of a batch have.
func textBytes(b *types.Batch) (size int) {
	step := b.N/samples + 1
	for _, v := range b.Cols {
		if v.Kind != types.String {
			continue
		}
		for i := 0; i < b.N; i += step {
			if !v.IsNull(i) {
				size += len(v.S[i]) * step
			}
		}
	}
	return size
}
