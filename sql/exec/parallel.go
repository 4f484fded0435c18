package exec

import (
	"cmp"
	"slices"
	"sync"

	"emberdb/engine/table"
	"emberdb/sql/types"
)

// Parallel is the rows of a divisible operator, in its order, which several goroutines make. Each
// takes a part of the scan's range, makes its rows, and takes the next one. What it makes has the
// number of the part as a tag. Next gives batches by ascending tags, so whoever reads them sees
// what one goroutine would have made: first rows of groups, sums of DOUBLEs and rows without ORDER
// BY are the same.
//
//	scan: part 0 | part 1 | part 2 | ...        taken in order
//	        |        |
//	     worker   worker   queue of batches each, by ascending tags, bounded
//	         \      /
//	          Next       the lowest tag, once no worker can come with a lower one
//
// With Groups the goroutines make groups of their rows, whose columns Next gives in place of them
// (partial.go).
//
// Where no goroutine is free, or there is one part, In runs as it is.
//
// Invariants:
//
//	(1) Parts are taken in ascending order, and a worker makes all of one before it takes another:
//	    the tags of its batches ascend, and none is below its bound.
//	(2) A worker waits only while its queue is full, and Next only for one whose queue is empty.
//	(3) Close returns when all goroutines have ended.
type Parallel struct {
	In     Op
	Groups *Group // over In; nil: rows

	mu      sync.Mutex
	filled  *sync.Cond // something has come to a queue, or a bound has risen
	drained *sync.Cond // something was taken from a queue
	parts   []table.ScanOptions
	taken   int // parts
	ended   bool
	workers []*worker
	free    []*tagged
	running sync.WaitGroup

	begun bool // Open has nothing to do
	given *tagged
	lent  int // of Threads
}

// worker is a goroutine that makes rows.
type worker struct {
	p      *Parallel
	c      Ctx
	op     Op
	group  *Group
	narrow narrow  // what the group takes
	firsts []int32 // by group: the part of its first row
	part   int     // that is read

	// Guarded by Parallel.mu.
	queue []*tagged
	bytes int
	bound int // no batch that is to come has a lower tag
	done  bool
}

// tagged is a copy of a batch, or the end of a worker.
type tagged struct {
	tag   int
	batch types.Batch
	vecs  []types.Vec
	arena []byte
	size  int
	err   error
	panic any
}

// queueBytes is how much a worker may be ahead.
const queueBytes = 2 << 20

// IDs implements Op.
func (p *Parallel) IDs() []int {
	if p.Groups != nil {
		return p.Groups.IDs()
	}
	return p.In.IDs()
}

// Open implements Op.
func (p *Parallel) Open(c *Ctx) error {
	if p.begun {
		return nil
	}
	if divided, err := p.begin(c); divided || err != nil {
		return err
	}
	return p.In.Open(c)
}

// begin starts goroutines if some are free and there is work for them; false: nothing was done.
func (p *Parallel) begin(c *Ctx) (divided bool, err error) {
	p.Close(c)
	if c.Helpers == 0 {
		return false, nil
	}
	defer func() {
		if !divided {
			p.Close(c)
		}
	}()
	if err := p.In.Open(c); err != nil {
		return false, err
	}
	scan := Divisible(p.In)
	if !scan.whole || spilled(p.In) {
		return false, nil
	}
	if p.parts, err = scan.divide(c); err != nil {
		return false, err
	}
	if p.lent = c.Threads.take(min(len(p.parts)-1, c.Helpers)); p.lent == 0 {
		return false, nil
	}
	c.Tx.View() // they share it
	p.begun, p.taken, p.ended = true, 0, false
	p.filled, p.drained = sync.NewCond(&p.mu), sync.NewCond(&p.mu)
	for range p.lent + 1 {
		p.workers = append(p.workers, p.worker(c))
	}
	p.running.Add(len(p.workers))
	for _, w := range p.workers {
		go w.run()
	}
	return true, nil
}

// worker makes a goroutine's copies.
func (p *Parallel) worker(c *Ctx) *worker {
	w := &worker{p: p, c: *c}
	n := p.lent + 1
	w.c.Scratch, w.c.Limits = nil, Limits{c.Limits.Sort / n, c.Limits.Join / n, c.Limits.Table / n}
	w.op = fork(&w.c, p.In, w.take)
	if p.Groups != nil {
		w.group = p.Groups.fork(w.op)
	}
	return w
}

// take takes the next part.
func (w *worker) take() (table.ScanOptions, bool) {
	p := w.p
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended || p.taken == len(p.parts) {
		return table.ScanOptions{}, false
	}
	w.part = p.taken
	p.taken++
	if len(w.firsts) == 0 { // else there are groups of earlier parts
		w.bound = w.part
		p.filled.Signal()
	}
	return p.parts[w.part], true
}

// run makes rows until there are no parts.
func (w *worker) run() {
	defer w.p.running.Done()
	last := &tagged{tag: len(w.p.parts)}
	defer func() {
		if last.panic = recover(); last.panic != nil || last.err != nil {
			last.tag = w.part
		}
		w.finish(last)
	}()
	if w.group != nil {
		last.err = w.groups()
		return
	}
	for {
		b, err := w.op.Next(&w.c)
		if b == nil || err != nil {
			last.err = err
			return
		}
		if !w.put(w.part, b) {
			return
		}
	}
}

// finish ends a worker: what it holds, and its queue.
func (w *worker) finish(last *tagged) {
	func() {
		defer func() {
			if x := recover(); x != nil && last.panic == nil {
				last.panic = x
			}
		}()
		if w.group != nil {
			w.group.drop(&w.c)
		}
		w.op.Close(&w.c)
	}()
	p := w.p
	p.mu.Lock()
	defer p.mu.Unlock()
	if w.done = true; last.err != nil || last.panic != nil {
		w.queue = append(w.queue, last)
	}
	p.filled.Signal()
}

// put copies a batch into the queue, and waits while it is full. false: nobody wants more.
func (w *worker) put(tag int, b *types.Batch) bool {
	p := w.p
	p.mu.Lock()
	var t *tagged
	if n := len(p.free); n > 0 {
		t, p.free = p.free[n-1], p.free[:n-1]
	}
	p.mu.Unlock()
	if t == nil {
		t = &tagged{}
	}
	t.copy(tag, b)
	if err := w.c.Take(int64(t.size)); err != nil {
		t.err, t.size = err, 0
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for w.bytes > queueBytes && !p.ended {
		p.drained.Wait()
	}
	w.queue, w.bytes, w.bound = append(w.queue, t), w.bytes+t.size, tag
	p.filled.Signal()
	return !p.ended
}

// copy makes t a copy of a batch.
func (t *tagged) copy(tag int, b *types.Batch) {
	if len(t.vecs) != len(b.Cols) {
		t.vecs = make([]types.Vec, len(b.Cols))
	}
	t.tag, t.err, t.size, t.arena = tag, nil, 0, t.arena[:0]
	t.batch.N, t.batch.Cols = b.N, t.batch.Cols[:0]
	for k, v := range b.Cols {
		t.arena = v.CopyTo(&t.vecs[k], b.N, t.arena)
		t.size += t.vecs[k].Bytes()
		t.batch.Cols = append(t.batch.Cols, &t.vecs[k])
	}
	t.size += len(t.arena)
}

// Next implements Op.
func (p *Parallel) Next(c *Ctx) (*types.Batch, error) {
	if !p.begun {
		return p.In.Next(c)
	}
	p.giveBack(c)
	t := p.next()
	if t == nil {
		return nil, nil
	}
	p.given = t
	if t.panic != nil {
		panic(t.panic)
	}
	if t.err != nil {
		return nil, t.err
	}
	return &t.batch, nil
}

// giveBack lets the batch that was given last be used again.
func (p *Parallel) giveBack(c *Ctx) {
	if p.given == nil {
		return
	}
	_ = c.Take(int64(-p.given.size))
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free, p.given = append(p.free, p.given), nil
}

// next takes the batch with the lowest tag; nil: there are no more.
func (p *Parallel) next() *tagged {
	p.mu.Lock()
	defer p.mu.Unlock()
	for {
		least := slices.MinFunc(p.workers, func(a, b *worker) int { return cmp.Compare(a.lowest(), b.lowest()) })
		if len(least.queue) > 0 {
			t := least.queue[0]
			least.queue, least.bytes = least.queue[1:], least.bytes-t.size
			p.drained.Broadcast()
			return t
		}
		if least.done {
			return nil
		}
		p.filled.Wait()
	}
}

// lowest is the lowest tag that a worker can come with.
func (w *worker) lowest() int {
	switch {
	case len(w.queue) > 0:
		return w.queue[0].tag
	case w.done:
		return len(w.p.parts)
	}
	return w.bound
}

// Close implements Op.
func (p *Parallel) Close(c *Ctx) {
	if p.begun {
		p.mu.Lock()
		p.ended = true
		p.drained.Broadcast()
		p.mu.Unlock()
		p.running.Wait()
		p.giveBack(c)
		for _, w := range p.workers {
			for _, t := range w.queue {
				_ = c.Take(int64(-t.size))
			}
		}
		c.Threads.give(p.lent)
	}
	p.In.Close(c)
	p.begun, p.lent, p.workers, p.parts, p.free = false, 0, nil, nil, nil
}
