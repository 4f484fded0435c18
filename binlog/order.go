package binlog

// Commit order. One Order at a time exists; it lives in the Log.

import (
	"fmt"
	"slices"

	"emberdb/internal/base"
	"emberdb/internal/invariants"
)

// Decision is what a transaction's name is, from gtid_mode and gtid_next. Nil: the next number of
// this server, or none, as SetNaming says.
type Decision struct {
	Assigned bool
	GTID     GTID // this one, if it is assigned; zero: anonymous
	Tag      Tag  // else that of the next number
	// OriginalTime (microseconds) and OriginalVersion are those of the server the transaction began
	// on; 0: this one.
	OriginalTime    uint64
	OriginalVersion uint32
}

// tag is that of the name to come.
func (d *Decision) tag() Tag {
	if d.Assigned {
		return d.GTID.Source.Tag
	}
	return d.Tag
}

// ErrGTIDUsed says that a GTID is in gtid_executed, or being committed.
var ErrGTIDUsed = fmt.Errorf("GTID is already in use: %w", base.ErrExists)

// Order is a transaction that holds the log's order: it is where it will stand in its file. The
// caller logs Records in redo, in the groups of the commit, the last record in the group of the
// commit record itself, and then calls Placed or, if redo took nothing, Abandon.
type Order struct {
	l       *Log
	u       unit
	undo    undoOrder
	scratch [maxRecordHead + 64]byte
	cache   *Cache
}

// undoOrder is where the log stood before.
type undoOrder struct {
	file                    uint32
	end, sequence, fileBase int64
	bare                    bool
}

// stand is where the log stands. REQUIRES: orderMu held.
func (l *Log) stand() undoOrder {
	return undoOrder{file: l.file, end: l.end, sequence: l.sequence, fileBase: l.fileBase, bare: l.bare}
}

// goBack makes it stand there again. REQUIRES: orderMu held.
func (l *Log) goBack(u undoOrder) {
	l.file, l.end, l.sequence, l.fileBase, l.bare = u.file, u.end, u.sequence, u.fileBase, u.bare
}

// Pending is a transaction ready to take the log's order: its events are in memory, or synced in
// the file that becomes its own.
type Pending struct {
	l      *Log
	cache  *Cache
	d      *Decision
	g      gtidEvent
	chunk  *chunk // holds the events, behind room for the Gtid event; nil: they are few, and still in the cache
	room   int    // for the event
	large  bool
	packed packed
}

// Order takes the log's order for the events of c, which stay the caller's until Placed.
func (l *Log) Order(c *Cache, d *Decision) (*Order, error) {
	p, err := l.Prepare(c, d)
	if err != nil {
		return nil, err
	}
	return p.Order()
}

// Prepare does what may take long: it reads what the cache has on disk, syncs the file of a large
// transaction, waits for the writer to catch up. Order or Drop follows, before the cache is asked
// again.
func (l *Log) Prepare(c *Cache, d *Decision) (*Pending, error) {
	p := &c.pending
	p.l, p.cache, p.d, p.chunk = l, c, d, nil
	p.large = c.Len() > l.o.Threshold
	p.g.describe(c, &l.o, d)
	var err error
	if p.packed = (packed{}); !p.large {
		if p.packed, err = l.pack(c); err != nil {
			return nil, err
		}
	}
	if p.packed.event != nil {
		p.g.length = uint64(len(p.packed.event))
	}
	if d != nil && d.tag() != (Tag{}) {
		p.room = maxTagged
	} else {
		p.room = p.g.size()
	}
	switch {
	case p.large:
		err = c.seal()
	case p.packed.event != nil:
		p.chunk = l.ownChunk()
		p.chunk.buf = append(slices.Grow(p.chunk.buf, p.room+len(p.packed.event))[:p.room], p.packed.event...)
	case c.spilled > 0 || len(c.buf) > mostShared:
		p.chunk = l.ownChunk()
		p.chunk.buf, err = c.load(slices.Grow(p.chunk.buf, p.room+int(c.Len()))[:p.room])
	}
	if err == nil {
		err = l.waitRoom()
	}
	if err != nil {
		p.Drop()
		return nil, err
	}
	return p, nil
}

// describe makes it the event of what is in c, but for its name and place.
func (g *gtidEvent) describe(c *Cache, o *Options, d *Decision) {
	g.gtid, g.bare, g.statements, g.length = GTID{}, false, c.statements, uint64(c.Len())
	g.immediateTime, g.immediateVer = uint64(o.Now().UnixMicro()), o.VersionNumber
	g.originalTime, g.originalVersion = g.immediateTime, g.immediateVer
	if d == nil {
		return
	}
	if d.OriginalTime != 0 {
		g.originalTime = d.OriginalTime
	}
	if d.OriginalVersion != 0 {
		g.originalVersion = d.OriginalVersion
	}
}

// Drop gives up.
func (p *Pending) Drop() { p.l.letGo(p.chunk, 1) }

// Order takes the log's order.
func (p *Pending) Order() (*Order, error) {
	l, c, g := p.l, p.cache, &p.g
	l.orderMu.Lock()
	for p.large {
		need := l.adoptRoom(p.room)
		if need <= c.reserve {
			break
		}
		l.orderMu.Unlock() // the sets have outgrown the room left for them: copy, and let others pass meanwhile
		if err := c.widen(need); err != nil {
			return nil, err
		}
		l.orderMu.Lock()
	}
	o := &l.order
	o.l, o.cache = l, c
	o.undo = l.stand()
	err := l.Err()
	if err == nil {
		err = l.name(g, p.d)
	}
	if err != nil {
		l.orderMu.Unlock()
		l.letGo(p.chunk, 1)
		return nil, err
	}
	u := &o.u
	*u = unit{pieces: u.pieces[:0], chunk: p.chunk, gtid: g.gtid}
	if p.large {
		l.placeLarge(c, g, u)
	} else {
		l.place(p, u)
	}
	if l.end >= l.maxSize.Load() && l.file < maxFile {
		l.placeRotate(u)
	}
	return o, nil
}

// name gives the transaction its GTID and its place in the logical clock.
func (l *Log) name(g *gtidEvent, d *Decision) (err error) {
	switch {
	case d != nil && d.Assigned:
		if g.gtid = d.GTID; l.taken.Contains(g.gtid) {
			return fmt.Errorf("%w: %s", ErrGTIDUsed, g.gtid)
		}
	case !l.anonymous:
		g.gtid.Source.Server = l.o.ServerUUID
		if d != nil {
			g.gtid.Source.Tag = d.Tag
		}
		g.gtid.N, err = l.nextNumber(g.gtid.Source)
	}
	return err
}

// tick counts the transaction. REQUIRES: orderMu held, l.file is where it goes.
func (l *Log) tick(c *Cache, g *gtidEvent, u *unit) {
	l.sequence++
	if c.statements {
		c.writes.block()
	}
	parent := l.history.place(&c.writes, l.sequence, l.committed.Load())
	u.sequence = l.sequence
	g.sequence, g.lastCommitted = l.sequence-l.fileBase, max(0, parent-l.fileBase)
	if g.gtid != (GTID{}) {
		l.taken.Add(g.gtid)
	}
}

// place puts the transaction at the end of the file. Positions and checksums of its events come
// later, when nobody waits for the order.
func (l *Log) place(p *Pending, u *unit) {
	c, g := p.cache, &p.g
	l.tick(c, g, u)
	l.countCompression(g, &p.packed)
	head := p.room
	if g.hasTag() { // the room was for any; how long it is, its numbers tell
		head = g.size()
	}
	var events []byte
	if u.chunk != nil {
		events = u.chunk.buf[p.room-head:]
	} else {
		u.chunk, events = l.share(head+len(c.buf), l.end)
		copy(events[head:], c.buf)
	}
	if l.bare {
		room := len(events)
		events = placeBareTransaction(events, l.headAt(g.seconds()), g, l.end)
		u.chunk.giveBack(room - len(events))
	} else {
		g.put(events[:head], l.headAt(g.seconds()), uint64(len(events)))
	}
	u.pieces = append(u.pieces, piece{file: l.file, off: l.end, data: events, raw: !l.bare})
	l.end += int64(len(events))
}

// placeBareTransaction makes the events in buf, behind the room for the Gtid event, those of a file
// without checksums.
func placeBareTransaction(buf []byte, h Head, g *gtidEvent, pos int64) []byte {
	events := buf[g.size():]
	for rest := events; len(rest) > 0; rest = rest[eventLength(rest):] {
		g.length -= checksumSize
	}
	g.bare = true
	buf = placeBare(buf[:0], appendGTID(nil, h, g), pos)
	return placeBare(buf, events, pos+int64(len(buf)))
}

// adoptRoom is the size of the head of a file of its own with the sets of now, and room for the
// Gtid event. The filler takes at least the space of an event.
func (l *Log) adoptRoom(room int) int64 {
	return int64(len(magic)+formatSize+minEvent+l.taken.BinarySize()+room) + minEvent
}

// placeLarge makes the cache's file the next file of the log.
func (l *Log) placeLarge(c *Cache, g *gtidEvent, u *unit) {
	previous := l.taken.Clone()
	rotate := AppendRotate(nil, l.head(), l.Name(l.file+1), uint64(len(magic)))
	rotate = l.placed(rotate, l.end)
	u.pieces = append(u.pieces, piece{file: l.file, off: l.end, data: rotate})
	l.file, l.fileBase, l.bare = l.file+1, l.sequence, false
	l.tick(c, g, u)
	l.countCompression(g, &c.pending.packed)
	head := l.appendHead(make([]byte, 0, c.reserve), previous, 0, false)
	from := len(head)
	head = appendIgnorable(head, l.head(), int(c.reserve)-len(head)-g.size())
	head = appendGTID(head, l.headAt(g.seconds()), g)
	Place(head[from:], int64(from))
	l.end = c.reserve + c.spilled
	u.pieces = append(u.pieces, piece{file: l.file, adopt: c.name, data: head, size: l.end})
}

// placeRotate ends the file and begins the next one.
func (l *Log) placeRotate(u *unit) {
	rotate := AppendRotate(nil, l.head(), l.Name(l.file+1), uint64(len(magic)))
	rotate = l.placed(rotate, l.end)
	u.pieces = append(u.pieces, piece{file: l.file, off: l.end, data: rotate})
	l.bare = l.noSums.Load()
	head := l.appendHead(nil, l.taken, 0, l.bare)
	l.file, l.fileBase, l.end = l.file+1, l.sequence, int64(len(head))
	u.pieces = append(u.pieces, piece{file: l.file, off: 0, data: head})
}

// GTID is the transaction's name; zero if it is anonymous.
func (o *Order) GTID() GTID { return o.u.gtid }

// End is where the log stands once the transaction is in it.
func (o *Order) End() Position { return Position{o.l.file, o.l.end} }

// Records gives the bodies of the redo records, none longer than max (but that of a transaction
// with its own file, which is as long as the head of a file).
func (o *Order) Records(max int) Records {
	return Records{pieces: o.u.pieces, max: max, scratch: o.scratch[:0]}
}

// Placed tells that redo holds the records up to lsn, and gives the order back. The transaction is
// in the log once Durable reaches lsn.
func (o *Order) Placed(lsn base.LSN) {
	l := o.l
	if o.adopts() {
		o.cache.handOver()
		l.stats.adopted.Add(1)
	}
	l.stats.transactions.Add(1)
	o.cache = nil
	l.enqueue(&o.u, lsn)
	l.orderMu.Unlock()
}

func (o *Order) adopts() bool {
	for i := range o.u.pieces {
		if o.u.pieces[i].adopt != "" {
			return true
		}
	}
	return false
}

// Abandon gives the order back as if the transaction had never asked for it.
// REQUIRES: redo has refused the group of its last record, so that the engine has failed, or holds
// none of its records.
func (o *Order) Abandon() {
	l, u := o.l, &o.u
	l.goBack(o.undo)
	if u.gtid != (GTID{}) {
		l.taken.Remove(u.gtid)
	}
	o.cache = nil
	l.letGo(u.chunk, 1)
	l.orderMu.Unlock()
}

// enqueue hands a unit to the writer, to be written when redo has it. REQUIRES: orderMu held.
func (l *Log) enqueue(u *unit, lsn base.LSN) {
	size := int64(0)
	l.mu.Lock()
	if invariants.Enabled {
		l.assertOnce(u, lsn)
	}
	for i := range u.pieces {
		l.mu.queue = append(l.mu.queue, queued{piece: u.pieces[i], lsn: lsn})
		size += int64(len(u.pieces[i].data))
	}
	last := &l.mu.queue[len(l.mu.queue)-1]
	last.gtid, last.sequence, last.chunk, last.users = u.gtid, u.sequence, u.chunk, 1
	l.mu.queued += size
	waiting := l.mu.queued
	if waiting > maxQueued {
		l.haltLocked()
	}
	ready := l.advanceLocked()
	l.mu.Unlock()
	clear(u.pieces)
	if ready {
		l.poke()
	}
	if waiting >= lingerBytes && waiting-size < lingerBytes {
		l.press()
	}
}

// Durable tells that redo up to lsn is as durable as its commits asked. It comes before their
// transactions become visible.
func (l *Log) Durable(lsn base.LSN) {
	if l.durable.Load() >= uint64(lsn) {
		return
	}
	l.mu.Lock()
	l.mu.durable = max(l.mu.durable, lsn)
	ready := l.advanceLocked()
	l.durable.Store(uint64(l.mu.durable))
	l.mu.Unlock()
	if ready {
		l.poke()
	}
}

// advanceLocked counts the units that have become durable. REQUIRES: l.mu held.
func (l *Log) advanceLocked() bool {
	before := l.mu.first
	for l.mu.first < len(l.mu.queue) && l.mu.queue[l.mu.first].lsn <= l.mu.durable {
		u := &l.mu.queue[l.mu.first]
		if u.gtid != (GTID{}) {
			l.mu.executed.Add(u.gtid)
		}
		if u.sequence > 0 {
			l.committed.Store(u.sequence)
		}
		l.mu.executedLSN = u.lsn
		l.mu.ready = appendReady(l.mu.ready, u)
		l.mu.first++
	}
	if l.mu.first == before {
		return false
	}
	if n := len(l.mu.queue) - l.mu.first; n <= l.mu.first { // few to move
		copy(l.mu.queue, l.mu.queue[l.mu.first:])
		clear(l.mu.queue[n:])
		l.mu.queue, l.mu.first = l.mu.queue[:n], 0
	}
	return true
}

// appendReady appends a unit, or makes it part of the one before it: thousands of small ones may
// wait for the writer, who needs to know of none of them.
func appendReady(ready []queued, u *queued) []queued {
	if n := len(ready); n > 0 {
		last := &ready[n-1]
		if last.file == u.file && last.adopt == "" && u.adopt == "" && last.chunk == u.chunk && last.raw == u.raw && adjoins(last.data, u.data) {
			last.data = last.data[:len(last.data)+len(u.data)]
			last.lsn, last.users = u.lsn, last.users+u.users
			return ready
		}
	}
	ready = append(ready, *u)
	ready[len(ready)-1].since = u.lsn
	return ready
}

// waitRoom waits until the writer has caught up; base.ErrDiskFull if it waits itself.
func (l *Log) waitRoom() error {
	if !l.halts.Load() {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.mu.queued > maxQueued && l.haltedLocked() == nil {
		l.press()
		l.idle.Wait()
	}
	return l.haltedLocked()
}
