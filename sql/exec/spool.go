package exec

import (
	"sort"

	"emberdb/sql/types"
)

// spool keeps rows in the order in which they are added, in blocks: the first ones in memory, as
// many as its limit allows, the others in the scratch file. Cursors read it, also while rows are
// added.
type spool struct {
	blocks []block
	n      int   // rows, with those of tail
	tail   store // the last rows, which are in no block yet
	bytes  int   // of tail
	width  int   // columns of the blocks that were written as a whole
	most   int   // bytes of the blocks in memory
	full   bool  // they have been reached
	disk   bool  // some blocks are in the scratch file
	done   bool  // no rows will be added
}

// block is up to types.BatchRows rows.
type block struct {
	from  int          // its first row
	batch *types.Batch // nil: it is in the scratch file
	at    extent
}

// blockBytes is the size of the blocks of an operator that may hold most bytes.
func blockBytes(most int) int { return max(1<<10, min(most/64, 32<<10)) }

// add adds a row of a batch.
func (s *spool) add(c *Ctx, b *types.Batch, i, size int) error {
	s.tail.add(b, i)
	s.n++
	if s.bytes += sizeOf(b, i); s.bytes >= size || s.tail.n == types.BatchRows {
		return s.seal(c)
	}
	return nil
}

// seal makes a block of the last rows, unless the statement has ended: a batch of wide rows is many
// blocks.
func (s *spool) seal(c *Ctx) error {
	if s.tail.n == 0 {
		return nil
	}
	if err := c.Err(); err != nil {
		return err
	}
	b := block{from: s.n - s.tail.n, batch: s.tail.batch()}
	s.full = s.full || !s.tail.room(c, s.bytes, s.most)
	if !s.full {
		s.tail = store{account: s.tail.account}
	} else {
		if !s.disk {
			s.disk = true
			c.toDisk()
		}
		var err error
		all := b.batch
		b.batch = nil
		if b.at, err = c.Scratch.write(c, func(dst []byte) []byte { return appendBatch(dst, all) }); err != nil {
			return err
		}
		s.tail.clear()
	}
	s.blocks, s.bytes = append(s.blocks, b), 0
	return nil
}

// write adds a batch as a block in the scratch file. REQUIRES: no rows are added one by one.
func (s *spool) write(c *Ctx, b *types.Batch) error {
	at, err := c.Scratch.write(c, func(dst []byte) []byte { return appendBatch(dst, b) })
	if err != nil {
		return err
	}
	s.blocks = append(s.blocks, block{from: s.n, at: at})
	s.n, s.width = s.n+b.N, len(b.Cols)
	return nil
}

// drop forgets all rows and gives their space back.
func (s *spool) drop(c *Ctx) {
	for i := range s.blocks {
		if s.blocks[i].batch == nil {
			c.Scratch.give(s.blocks[i].at)
		}
	}
	s.tail.reset(c)
	*s = spool{most: s.most}
}

// cursor reads a spool.
type cursor struct {
	of    *spool
	from  int // rows from .. to are those of batch
	to    int
	batch *types.Batch
	vecs  []types.Vec
	tail  types.Batch
}

// at finds a row: a batch, and its place there. The batch is valid until the cursor is moved to
// another one, its strings beyond that.
func (k *cursor) at(c *Ctx, row int) (*types.Batch, int, error) {
	if row < k.from || row >= k.to {
		if err := k.load(c, row); err != nil {
			return nil, 0, err
		}
	}
	return k.batch, row - k.from, nil
}

// load makes the batch that has a row.
func (k *cursor) load(c *Ctx, row int) error {
	s := k.of
	i := sort.Search(len(s.blocks), func(i int) bool { return s.blocks[i].from > row }) - 1
	if from := s.n - s.tail.n; row >= from {
		k.tail.N, k.tail.Cols = s.tail.n, k.tail.Cols[:0]
		for j := range s.tail.cols {
			k.tail.Cols = append(k.tail.Cols, &s.tail.cols[j])
		}
		k.batch, k.from, k.to = &k.tail, from, from
		if s.done { // else it may be sealed: it is looked up each time
			k.to = s.n
		}
		return nil
	}
	b := s.blocks[i]
	if k.batch = b.batch; k.batch == nil {
		src, err := c.Scratch.read(c, b.at)
		if err != nil {
			return err
		}
		if k.vecs == nil {
			k.vecs = make([]types.Vec, max(s.width, len(s.tail.cols)))
		}
		k.tail.N, k.tail.Cols = decodeBatch(src, k.vecs), k.tail.Cols[:0]
		for j := range k.vecs {
			k.tail.Cols = append(k.tail.Cols, &k.vecs[j])
		}
		k.batch = &k.tail
	}
	k.from, k.to = b.from, b.from+k.batch.N
	return nil
}

// next is the rows behind those at hand, up to the end of their block; nil: there are none. The
// spool is done.
func (k *cursor) next(c *Ctx) (*types.Batch, error) {
	if k.to >= k.of.n {
		return nil, nil
	}
	b, _, err := k.at(c, k.to)
	return b, err
}

// fanout is into how many parts rows are divided by the hashes of their keys.
const (
	fanoutBits = 4
	fanout     = 1 << fanoutBits
)

// parts are rows divided by the hashes of their keys, in the scratch file.
type parts struct {
	spools [fanout]*spool
	level  int // how often they were divided before
	block  int // bytes
	used   bool
}

func newParts(level, most int) *parts { return &parts{level: level, block: blockBytes(most)} }

// part tells to which part a hash belongs. Each level goes by other bits.
func (p *parts) part(h uint64) int {
	h = (h ^ h>>33) * 0xff51afd7ed558ccd
	h = (h ^ h>>33) * 0xc4ceb9fe1a85ec53
	h ^= h >> 33
	h = h>>(fanoutBits*p.level%64) | h<<(64-fanoutBits*p.level%64)
	return int(h % fanout)
}

// add adds a row.
func (p *parts) add(c *Ctx, h uint64, b *types.Batch, i int) error {
	n := p.part(h)
	if p.spools[n] == nil {
		p.spools[n] = &spool{disk: true}
		if !p.used {
			p.used = true
			c.toDisk()
		}
	}
	return p.spools[n].add(c, b, i, p.block)
}

// job is rows that an operator of one input has still to read.
type job struct {
	rows  *spool
	level int
}

// jobs adds the parts to a list. No rows will be added to them.
func (p *parts) jobs(list []job) []job {
	for n := range p.spools {
		if s := p.take(n); s != nil {
			list = append(list, job{s, p.level + 1})
		}
	}
	return list
}

// endJob drops the last one of a list, which was read.
func endJob(c *Ctx, jobs []job) []job {
	last := len(jobs) - 1
	jobs[last].rows.drop(c)
	return jobs[:last]
}

func dropJobs(c *Ctx, jobs []job) {
	for _, j := range jobs {
		j.rows.drop(c)
	}
}

// staged is where an operator of one input stands that divides it: first the operator below is
// read, then the parts, one after the other, which may be divided again.
type staged struct {
	parts *parts
	from  *cursor // of the part that is read; nil: the operator below
	jobs  []job   // the last one is read
}

// advance goes on to the next part, which was divided level times; false: there is none.
func (s *staged) advance(c *Ctx) (level int, ok bool) {
	if s.from != nil && len(s.jobs) > 0 {
		s.jobs = endJob(c, s.jobs)
	}
	if s.jobs = s.parts.jobs(s.jobs); len(s.jobs) == 0 {
		s.from = &cursor{of: &spool{}}
		return 0, false
	}
	j := s.jobs[len(s.jobs)-1]
	s.from = &cursor{of: j.rows}
	return j.level, true
}

// drop gives up all that was divided.
func (s *staged) drop(c *Ctx) {
	s.parts.drop(c)
	dropJobs(c, s.jobs)
	*s = staged{}
}

// nextOf is the next batch of an operator, or of rows that were kept of it.
func nextOf(c *Ctx, op Op, from *cursor) (*types.Batch, error) {
	if from != nil {
		return from.next(c)
	}
	return op.Next(c)
}

// addKey adds a row by the key that the table has evaluated for it.
func (p *parts) addKey(c *Ctx, t *keyTable, b *types.Batch, i int) error {
	h, err := t.hash(i)
	if err != nil {
		return err
	}
	return p.add(c, h, b, i)
}

// take gives a part away; nil: it has no rows.
func (p *parts) take(n int) *spool {
	s := p.spools[n]
	if p.spools[n] = nil; s != nil {
		s.done = true
	}
	return s
}

// drop gives up all parts.
func (p *parts) drop(c *Ctx) {
	if p == nil {
		return
	}
	for _, s := range p.spools {
		if s != nil {
			s.drop(c)
		}
	}
}
