package recovery

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/engine/buffer"
	"emberdb/engine/pagefile"
	"emberdb/engine/redo"
	"emberdb/internal/base"
	"emberdb/internal/testkit"
	"emberdb/internal/vfs"
)

// The random model: pages are created, changed and dropped with their spaces, while the redo of the
// life before goes on, the log is small, and memory is anything from one byte up, so that redo is
// done in many parts, also before the server opens. The power is cut at random, also during
// recovery. In the next life each page must be what the groups up to the end of the log made of it,
// whoever looks first: a reader, a writer or a pass.

type version struct {
	end  base.LSN
	body []byte
}

type model struct {
	pages   map[base.PageID][]version
	spaces  []base.SpaceID
	going   map[base.SpaceID]bool // being dropped when the power went
	next    base.SpaceID
	durable base.LSN // acknowledged
}

const modelPages = 48 // of a space

func TestRandomModel(t *testing.T) {
	lives := 60
	if n, err := strconv.Atoi(os.Getenv("EMBER_LIVES")); err == nil {
		lives = n
	}
	seed := testkit.Seed(t)
	rng := rand.New(rand.NewPCG(seed, 0))
	fs := vfs.NewMem(seed)
	w := &model{pages: map[base.PageID][]version{}, going: map[base.SpaceID]bool{}, next: base.FirstSpace}
	var total Stats
	opened := 0
	for life := range lives {
		o := envOptions{frames: 24 + rng.IntN(300), budget: []int64{1, 2 << 10, 32 << 10, 64 << 20}[rng.IntN(4)],
			capacity: []int64{512 << 10, 1 << 20, 4 << 20}[rng.IntN(3)], segment: 64 << 10}
		if life%5 != 4 {
			fs.CrashAt(int64(rng.IntN(1500)))
		}
		if rng.IntN(4) == 0 { // what is set aside is lost
			fs.Inject(vfs.Fault{Ops: vfs.OpRead | vfs.OpWrite, Match: "scratch", Nth: int64(rng.IntN(8)), Err: errors.New("bad disk"), Stay: rng.IntN(2) == 0})
		}
		e, err := openEnv(t, fs, o)
		if err == nil {
			opened++
			w.live(t, e, rng)
			s := e.redo.Stats()
			total.Passes += s.Passes
			total.Spilled += s.Spilled
			total.PagesDemanded += s.PagesDemanded
			total.Applied += s.Applied
			total.PagesNew += s.PagesNew
			fs.Crash()
		} else {
			require.True(t, errors.Is(err, vfs.ErrPowerLost) || errors.Is(err, base.ErrFailed), "life %d: %v", life, err)
		}
		fs.Crash()
		e.close()
		fs = fs.Reboot(rng.Uint64())
	}
	t.Logf("%d of %d lives opened: %d readings, %d bytes set aside, %d pages on demand, %d new, %d records", opened, lives, total.Passes, total.Spilled, total.PagesDemanded, total.PagesNew, total.Applied)
	require.Positive(t, total.PagesDemanded)
	require.Positive(t, total.Spilled)
}

// live is one life: redo goes on in the background while pages are read and changed.
func (w *model) live(t *testing.T, e *env, rng *rand.Rand) {
	w.settle(t, e)
	finished := make(chan error, 1)
	hot := w.sorted()
	rng.Shuffle(len(hot), func(i, j int) { hot[i], hot[j] = hot[j], hot[i] })
	hot = hot[:rng.IntN(len(hot)+1)]
	go func() { finished <- e.redo.Finish(context.Background(), func() []base.PageID { return hot }, nil) }()
	var err error
	for _, space := range slices.Sorted(maps.Keys(w.going)) {
		err = errors.Join(err, w.finishDrop(e, space))
	}
	for n := rng.IntN(600); n > 0 && err == nil; n-- {
		err = w.step(t, e, rng)
	}
	if redoErr := <-finished; redoErr == nil && err == nil {
		require.Zero(t, e.redo.Left())
		for id := range w.pages {
			if err = w.check(t, e, id); err != nil {
				break
			}
		}
		if err == nil && rng.IntN(2) == 0 {
			_ = e.pool.Flusher().All()
			e.checkpoint()
		}
	} else {
		err = errors.Join(err, redoErr)
	}
	require.True(t, err == nil || errors.Is(err, vfs.ErrPowerLost) || errors.Is(err, base.ErrFailed), "%v", err)
}

// settle cuts the versions that did not survive.
func (w *model) settle(t *testing.T, e *env) {
	end := e.redo.End()
	require.GreaterOrEqual(t, end, w.durable, "what was acknowledged is there")
	for id, versions := range w.pages {
		n := len(versions)
		for n > 0 && versions[n-1].end > end {
			n--
		}
		if n == 0 {
			delete(w.pages, id)
			continue
		}
		w.pages[id] = []version{versions[n-1]}
	}
}

func (w *model) step(t *testing.T, e *env, rng *rand.Rand) error {
	switch {
	case len(w.spaces) < 2 || len(w.spaces) < 6 && rng.IntN(100) == 0:
		return w.addSpace(e)
	case rng.IntN(400) == 0:
		return w.dropSpace(e, rng)
	case rng.IntN(4) == 0 && len(w.pages) > 0:
		ids := w.sorted()
		return w.check(t, e, ids[rng.IntN(len(ids))])
	case rng.IntN(20) == 0:
		lsn := e.log.Appended()
		if err := e.log.FlushTo(lsn); err != nil {
			return err
		}
		w.durable = lsn
		return nil
	case rng.IntN(60) == 0:
		e.checkpoint()
		return nil
	}
	return w.change(e, rng)
}

func (w *model) sorted() []base.PageID {
	return slices.SortedFunc(maps.Keys(w.pages), func(a, b base.PageID) int { return cmp.Compare(a.Uint64(), b.Uint64()) })
}

func (w *model) check(t *testing.T, e *env, id base.PageID) error {
	got, err := e.body(id)
	if err != nil {
		return err
	}
	versions := w.pages[id]
	require.True(t, bytes.Equal(versions[len(versions)-1].body, got), "page %s, changed up to LSN %d; %+v", id, versions[len(versions)-1].end, e.redo.Stats())
	return nil
}

// change changes some pages in one group. Some pages are changed far more often than others.
func (w *model) change(e *env, rng *rand.Rand) error {
	m := e.pool.Begin()
	changed := map[base.PageID][]byte{}
	var pages []func() buffer.Page
	var err error
	for n := 1 + rng.IntN(3); n > 0; n-- {
		id := base.PageID{Space: w.spaces[rng.IntN(len(w.spaces))], No: base.PageNo(rng.IntN(modelPages))}
		if rng.IntN(2) == 0 {
			id.No %= 3
		}
		_, known := w.pages[id]
		if changed[id] != nil {
			known = true
		}
		if !known || rng.IntN(30) == 0 {
			var fresh buffer.NewPage
			fresh, err = m.ReserveNew(id)
			pages = append(pages, func() buffer.Page { return m.Create(fresh, pagefile.TypeOverflow) })
		} else {
			var pg buffer.Page
			pg, err = m.Pin(id, buffer.Exclusive)
			pages = append(pages, func() buffer.Page { return pg })
		}
		if err != nil {
			pages = pages[:len(pages)-1]
			break
		}
		changed[id] = []byte{}
	}
	for _, page := range pages {
		pg := page()
		b := make([]byte, 1+rng.IntN(400))
		for i := range b {
			b[i] = byte(rng.Uint32())
		}
		m.WriteBytes(pg, pagefile.HeaderSize+rng.IntN(base.PageSize-pagefile.HeaderSize-len(b)), b)
		changed[pg.ID()] = bytes.Clone(pg.Data()[pagefile.HeaderSize:])
	}
	end, refused := m.Commit()
	if refused != nil {
		return refused
	}
	for id, body := range changed {
		w.pages[id] = append(w.pages[id], version{end, body})
	}
	return err
}

func (w *model) addSpace(e *env) error {
	space := w.next
	w.next++
	if err := e.files.Create(space, modelPages); err != nil {
		w.going[space] = true
		return err
	}
	w.spaces = append(w.spaces, space)
	return nil
}

// dropSpace drops a space in the engine's order. When the power goes meanwhile, the drop is
// finished in the next life.
func (w *model) dropSpace(e *env, rng *rand.Rand) error {
	k := rng.IntN(len(w.spaces))
	space := w.spaces[k]
	w.spaces = slices.Delete(w.spaces, k, k+1)
	maps.DeleteFunc(w.pages, func(id base.PageID, _ []version) bool { return id.Space == space })
	w.going[space] = true
	return w.finishDrop(e, space)
}

func (w *model) finishDrop(e *env, space base.SpaceID) error {
	e.pool.DropSpace(space)
	m := e.pool.Begin()
	if err := m.Ready(); err != nil {
		m.Commit()
		return err
	}
	m.LogSpace(redo.OpSpaceDrop, space)
	lsn, err := m.Commit()
	if err == nil {
		err = e.log.FlushTo(lsn)
	}
	if err != nil {
		return err
	}
	if err := e.files.Drop(space); err != nil {
		return err
	}
	delete(w.going, space)
	return nil
}
