package backup

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"log/slog"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"emberdb/engine"
	"emberdb/engine/pagefile"
	"emberdb/engine/warm"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// A Fetch brings the pages of a backup into a data directory: those that are asked for at once, the
// others in the background, hottest first.
//
// The unit is the chunk. A chunk is missing, then in its file, then durable: its file was synced
// and the map says so. The map, ember.fetch/map, has a bit for each chunk of the tablespaces at the
// backup's point, in the order of their ids. On disk; fixed:
//
//	0 8 magic "EMBFMAP1"   8 4 CRC-32C of the bits   12 4 number of bits   16 .. bits
//
// Invariants:
//
//	(1) A chunk is written into its file once a life of the process, and never once the map has
//	    its bit.
//	(2) The server writes to a chunk only when the map has its bit: what it has written is never
//	    written over by the backup's page after a crash.
//	(3) A chunk beyond the length to which the server cuts a file counts as durable before the
//	    file is cut.
type Fetch struct {
	fs     vfs.FS
	dir    string
	direct bool
	chain  *Chain
	state  fetchState
	logger *slog.Logger
	limit  limiter // of what comes in the background

	spaces   map[base.SpaceID]*fetchSpace
	bits     []atomic.Uint64 // in their file
	chunks   int
	total    int64 // chunks that the backup has something of
	done     atomic.Int64
	asked    atomic.Int32 // fetches that somebody waits for
	complete atomic.Bool
	began    time.Time
	had      int64 // chunks that were there when it began

	mu      sync.Mutex
	flights map[int]chan struct{}
	touched map[base.SpaceID]bool // written since the last save

	begins  chan struct{}      // closed when the background begins
	cancel  context.CancelFunc // of what Start has begun
	stopped chan struct{}

	saving sync.Mutex
	saved  []atomic.Uint64 // the map's bits
}

// fetchSpace is a tablespace of the backup.
type fetchSpace struct {
	id    base.SpaceID
	first int // number of its first chunk
	n     int

	mu   sync.Mutex
	file vfs.File
	gone bool
}

const (
	stateFile = "state"
	mapFile   = "map"
	mapMagic  = "EMBFMAP1"
	mapHead   = 16
)

// saveEvery is how often the map is saved while chunks come in the background.
const saveEvery = 2 * time.Second

func newFetch(fsys vfs.FS, dir string, direct bool, chain *Chain, state fetchState, logger *slog.Logger) (*Fetch, error) {
	f := &Fetch{fs: fsys, dir: dir, direct: direct, chain: chain, state: state, logger: logger, spaces: map[base.SpaceID]*fetchSpace{}, flights: map[int]chan struct{}{},
		touched: map[base.SpaceID]bool{}, begins: make(chan struct{}), began: time.Now(), limit: limiter{rate: state.Rate}}
	spaces := slices.Clone(chain.top().Point.Spaces)
	slices.SortFunc(spaces, func(a, b engine.SpaceFile) int { return int(int64(a.Space) - int64(b.Space)) })
	for _, s := range spaces {
		n := int((s.Pages + chunkPages - 1) / chunkPages)
		f.spaces[s.Space] = &fetchSpace{id: s.Space, first: f.chunks, n: n}
		f.chunks += n
	}
	f.bits, f.saved = make([]atomic.Uint64, f.chunks/64+1), make([]atomic.Uint64, f.chunks/64+1)
	have, err := f.readMap()
	if err != nil {
		return nil, err
	}
	for _, s := range f.spaces {
		for k := range s.n {
			i := s.first + k
			switch {
			case !chain.has(s.id, base.PageNo(k*chunkPages)): // nothing of it was ever written
				f.set(f.bits, i)
				f.set(f.saved, i)
				continue
			case have != nil && have[i/8]>>(i%8)&1 != 0:
				f.set(f.bits, i)
				f.set(f.saved, i)
				f.had++
			}
			f.total++
		}
	}
	f.done.Store(f.had)
	return f, nil
}

func (f *Fetch) set(bits []atomic.Uint64, i int)      { bits[i/64].Or(1 << (i % 64)) }
func (f *Fetch) has(bits []atomic.Uint64, i int) bool { return bits[i/64].Load()>>(i%64)&1 != 0 }

// readMap returns the bits of the map; nil if there is none.
func (f *Fetch) readMap() ([]byte, error) {
	path := mapPath(f.dir)
	data, err := vfs.ReadFile(f.fs, path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	n := (f.chunks + 7) / 8
	switch {
	case len(data) != mapHead+n || string(data[:8]) != mapMagic || int(binary.LittleEndian.Uint32(data[12:])) != f.chunks:
		return nil, damaged(path, "it is not the map of backup %s", f.state.Set)
	case crc32.Checksum(data[mapHead:], castagnoli) != binary.LittleEndian.Uint32(data[8:]):
		return nil, damaged(path, "checksum mismatch")
	}
	return data[mapHead:], nil
}

// save makes the chunks that are in their files durable, and the map say so.
func (f *Fetch) save() error {
	f.saving.Lock()
	defer f.saving.Unlock()
	if f.complete.Load() {
		return nil // the last save of Run has seen to all of it, and the map is gone
	}
	now := make([]uint64, len(f.bits))
	for i := range f.bits {
		now[i] = f.bits[i].Load()
	}
	f.mu.Lock()
	touched := f.touched // a chunk's bit is set behind its file's entry
	f.touched = map[base.SpaceID]bool{}
	f.mu.Unlock()
	for id := range touched {
		if err := f.spaces[id].sync(); err != nil {
			f.mu.Lock()
			for id := range touched {
				f.touched[id] = true
			}
			f.mu.Unlock()
			return err
		}
	}
	data := make([]byte, mapHead, mapHead+8*len(now))
	copy(data, mapMagic)
	binary.LittleEndian.PutUint32(data[12:], uint32(f.chunks))
	for _, w := range now {
		data = binary.LittleEndian.AppendUint64(data, w)
	}
	data = data[:mapHead+(f.chunks+7)/8]
	binary.LittleEndian.PutUint32(data[8:], crc32.Checksum(data[mapHead:], castagnoli))
	if err := writeFile(f.fs, mapPath(f.dir), data); err != nil {
		return err
	}
	for i, w := range now {
		f.saved[i].Store(w)
	}
	return nil
}

func (s *fetchSpace) sync() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == nil || s.gone {
		return nil
	}
	return s.file.Sync()
}

// chunksOf is the range of the chunks that n bytes at off of a tablespace lie in.
func (s *fetchSpace) chunksOf(off, n int64) (from, to int) {
	const size = chunkPages * base.PageSize
	if n <= 0 || off < 0 {
		return 0, 0
	}
	from, to = int(off/size), int((off+n-1)/size)+1
	return s.first + min(from, s.n), s.first + min(to, s.n)
}

// want brings what n bytes at off of a tablespace are into its file; durable: and into the map.
func (f *Fetch) want(s *fetchSpace, off, n int64, durable bool) error {
	if f.complete.Load() {
		return nil
	}
	from, to := s.chunksOf(off, n)
	save := false
	for i := from; i < to; i++ {
		if !f.has(f.bits, i) {
			f.asked.Add(1)
			err := f.patiently(s, i)
			f.asked.Add(-1)
			if err != nil {
				return err
			}
		}
		save = save || durable && !f.has(f.saved, i)
	}
	if save {
		return f.save()
	}
	return nil
}

// Patience with a store that does not answer.
const (
	patience    = 30 * time.Second
	firstWait   = 50 * time.Millisecond
	longestWait = 10 * time.Second
)

// patiently fetches a chunk that somebody waits for. A store that does not answer is asked again
// for a while; what is damaged is not.
func (f *Fetch) patiently(s *fetchSpace, i int) error {
	began := time.Now()
	for wait := firstWait; ; wait = min(2*wait, longestWait) {
		err := f.fetch(context.Background(), s, i)
		if err == nil || errors.Is(err, base.ErrCorrupt) || errors.Is(err, base.ErrDiskFull) || time.Since(began) > patience {
			return err
		}
		f.logger.Warn("a page that is asked for cannot be fetched from the backup; trying again", "space", s.id, "err", err)
		time.Sleep(wait)
	}
}

var chunkBuffers = sync.Pool{New: func() any { b := vfs.AlignedBlock(chunkPages * base.PageSize); return &b }}

// fetch brings a chunk into its file, unless it is there.
func (f *Fetch) fetch(ctx context.Context, s *fetchSpace, i int) error {
	for {
		f.mu.Lock()
		if f.has(f.bits, i) {
			f.mu.Unlock()
			return nil
		}
		other := f.flights[i]
		if other == nil {
			f.flights[i] = make(chan struct{})
			f.mu.Unlock()
			break
		}
		f.mu.Unlock()
		<-other
	}
	err := f.fill(ctx, s, i)
	f.mu.Lock()
	defer f.mu.Unlock()
	if err == nil {
		f.touched[s.id] = true
		f.set(f.bits, i)
		f.done.Add(1)
	}
	close(f.flights[i])
	delete(f.flights, i)
	return err
}

func (f *Fetch) fill(ctx context.Context, s *fetchSpace, i int) error {
	file, err := f.fileOf(s)
	if file == nil || err != nil {
		return err
	}
	buf := *chunkBuffers.Get().(*[]byte)
	defer chunkBuffers.Put(&buf)
	first := base.PageNo((i - s.first) * chunkPages)
	present, err := f.chain.chunk(ctx, s.id, first, buf)
	if err != nil {
		return err
	}
	size, err := file.Size()
	if err != nil {
		return err
	}
	if end := int64(first) * base.PageSize; end < size { // pages of an older layer may lie beyond the end of the file now
		present &= 1<<min(uint64((size-end)/base.PageSize), chunkPages) - 1
	} else {
		present = 0
	}
	for k := 0; k < chunkPages; k++ {
		n := 0
		for k+n < chunkPages && present>>(k+n)&1 != 0 {
			n++
		}
		if n > 0 {
			if _, err := file.WriteAt(buf[k*base.PageSize:(k+n)*base.PageSize], (int64(first)+int64(k))*base.PageSize); err != nil {
				return err
			}
			k += n
		}
	}
	return nil
}

// fileOf is the file of a tablespace, for writing what is fetched; nil if the server has dropped
// it.
func (f *Fetch) fileOf(s *fetchSpace) (vfs.File, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.gone || s.file != nil {
		return s.file, nil
	}
	file, err := f.fs.Open(pagefile.PathIn(f.dir, s.id), vfs.Options{Direct: f.direct})
	if errors.Is(err, fs.ErrNotExist) {
		s.gone = true
		return nil, nil
	}
	if err == nil {
		s.file = file
	}
	return s.file, err
}

// Run fetches all that is missing, hottest pages first.
func (f *Fetch) Run(ctx context.Context, parallel int, tell func(done, total int64)) error {
	order := f.order()
	work, ctx := errgroup.WithContext(ctx)
	var next atomic.Int64
	for range max(parallel, 1) {
		work.Go(func() error {
			for {
				n := int(next.Add(1)) - 1
				if n >= len(order) || ctx.Err() != nil {
					return ctx.Err()
				}
				for f.asked.Load() > 0 { // who waits goes first
					time.Sleep(200 * time.Microsecond)
				}
				if err := f.limit.wait(ctx, chunkPages*base.PageSize); err != nil {
					return err
				}
				if err := f.fetch(ctx, order[n].space, order[n].chunk); err != nil {
					return err
				}
			}
		})
	}
	stop := make(chan struct{})
	saver := make(chan error, 1)
	go func() {
		tick := time.NewTicker(saveEvery)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				saver <- f.save()
				return
			case <-tick.C:
				if tell != nil {
					tell(f.done.Load(), f.total)
				}
				if err := f.save(); err != nil {
					f.logger.Warn("the map of fetched pages cannot be saved", "err", err)
				}
			}
		}
	}()
	err := work.Wait()
	close(stop)
	return errors.Join(err, <-saver)
}

// orderedChunk is a chunk that is missing.
type orderedChunk struct {
	space *fetchSpace
	chunk int
}

// order lists the missing chunks: those with pages of the LRU list first, hottest first, the others
// as they stand in the backup.
func (f *Fetch) order() []orderedChunk {
	var out []orderedChunk
	listed := make([]bool, f.chunks)
	add := func(id base.SpaceID, no base.PageNo) {
		s := f.spaces[id]
		if s == nil || int(no/chunkPages) >= s.n {
			return
		}
		if i := s.first + int(no/chunkPages); !listed[i] && !f.has(f.bits, i) {
			listed[i] = true
			out = append(out, orderedChunk{s, i})
		}
	}
	if list, _, err := warm.Newest(f.fs, filepath.Join(f.dir, warm.DefaultFilename)); err == nil && list != nil {
		for _, v := range list.IDs {
			id := base.PageIDFrom(v)
			add(id.Space, id.No)
		}
	}
	for _, set := range f.chain.Sets {
		for i := range set.entries {
			if e := &set.entries[i]; e.kind == kindPages {
				add(base.SpaceID(e.id), base.PageNo(e.at))
			}
		}
	}
	return out
}

// finish removes what the restore has kept in the directory: all pages are there.
func (f *Fetch) finish() error {
	f.saving.Lock()
	defer f.saving.Unlock()
	f.complete.Store(true)
	for _, s := range f.spaces {
		s.close()
	}
	return removeState(f.fs, f.dir)
}

func (s *fetchSpace) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file != nil {
		_ = s.file.Close() // it was synced
	}
	s.file, s.gone = nil, true
}

// Progress tells how far a fetch is.
type Progress struct {
	Done, Total int64 // bytes, in chunks
	ETA         time.Duration
	Complete    bool
}

// Progress tells how far it is.
func (f *Fetch) Progress() Progress {
	const size = chunkPages * base.PageSize
	done, spent := f.done.Load(), time.Since(f.began)
	p := Progress{Done: done * size, Total: f.total * size, Complete: f.complete.Load()}
	if fresh := done - f.had; fresh > 0 && !p.Complete {
		p.ETA = time.Duration(float64(spent) * float64(f.total-done) / float64(fresh))
	}
	return p
}

func (p Progress) String() string {
	return fmt.Sprintf("%d of %d MiB, %s left", p.Done>>20, p.Total>>20, p.ETA.Round(time.Second))
}
