package btree

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/engine/buffer"
)

// TestConcurrent runs writers and scanners at once in a pool much smaller than the tree. Each
// writer owns the keys that end in its number and knows them all, so it can judge every scan it
// makes: keys ascend (descend), its own are all there with their values, no foreign one of its
// number. At the end the tree must hold exactly what the writers know.
func TestConcurrent(t *testing.T) {
	rng := newRand(t)
	for _, c := range []struct{ writers, frames, keys, keyLen, steps int }{
		{8, 64, 3000, 40, 1500},
		{8, 256, 300, 700, 1500}, // inner pages of few children: many splits and merges of all levels
		{3, 64, 20, 1000, 3000},  // a few leaves that come and go under everybody's feet
		{4, 64, 4, 6000, 3000},   // leaves of one or two records: often empty, often the only child
	} {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			e := newEnv(t, c.frames)
			models := make([]map[string]string, c.writers)
			errs := make(chan error, c.writers)
			var wg sync.WaitGroup
			for id := range c.writers {
				models[id] = map[string]string{}
				w := worker{e: e, id: byte(id), rng: rand.New(rand.NewPCG(rng.Uint64(), 0)), model: models[id], keys: c.keys, pad: make([]byte, c.keyLen)}
				wg.Go(func() { errs <- w.run(c.steps) })
			}
			stop := make(chan struct{})
			checked := make(chan error, 1)
			go func() { checked <- e.checkUntil(stop) }()
			wg.Wait()
			close(stop)
			require.NoError(t, <-checked)
			for range c.writers {
				require.NoError(t, <-errs)
			}
			all := map[string]string{}
			for _, m := range models {
				maps.Copy(all, m)
			}
			got, _ := e.check()
			require.True(t, maps.Equal(all, got), "%d records, want %d", len(got), len(all))
		})
	}
}

// checkUntil runs the checker again and again beside the writers; it must find nothing, and every
// key once.
func (e *env) checkUntil(stop chan struct{}) error {
	for {
		var last []byte
		_, err := e.tree.Check(func(key, _ []byte) error {
			if last != nil && bytes.Compare(last, key) >= 0 {
				return fmt.Errorf("check saw %s behind %s", key, last)
			}
			last = append(last[:0], key...)
			return nil
		})
		if err != nil {
			return err
		}
		select {
		case <-stop:
			return nil
		default:
		}
	}
}

type worker struct {
	e     *env
	id    byte
	rng   *rand.Rand
	model map[string]string
	keys  int
	pad   []byte
}

func (w *worker) key() []byte {
	i := w.rng.IntN(w.keys)
	return fmt.Appendf(nil, "%08d%s%c", i, w.pad[:i*7919%(len(w.pad)+1)], 'A'+w.id)
}

func (w *worker) run(steps int) error {
	for i := range steps {
		growing := i/(steps/6)%2 == 0
		var err error
		switch op := w.rng.IntN(100); {
		case op < 4:
			err = w.scan(true)
		case op < 8:
			err = w.scan(false)
		case op < 10:
			err = w.hop()
		case growing == (op < 80):
			err = w.put()
		default:
			err = w.del()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *worker) put() error {
	key, val := w.key(), make([]byte, w.rng.IntN(400))
	val = append(val, w.id)
	w.model[string(key)] = string(val)
	return w.e.put(key, val)
}

func (w *worker) del() error {
	key := w.key()
	found, err := w.e.del(key)
	if _, want := w.model[string(key)]; err == nil && found != want {
		err = fmt.Errorf("key %s: found %t, want %t", key, found, want)
	}
	delete(w.model, string(key))
	return err
}

// judge takes a record of a scan; seen collects the worker's own.
func (w *worker) judge(key, val, last []byte, forward bool, seen map[string]bool) error {
	if last != nil && (bytes.Compare(last, key) < 0) != forward {
		return fmt.Errorf("scan out of order: %s behind %s", key, last)
	}
	if key[len(key)-1] != 'A'+w.id {
		return nil
	}
	if want, ok := w.model[string(key)]; !ok || want != string(val) {
		return fmt.Errorf("scan found %s, known %t, value right %t", key, ok, want == string(val))
	}
	seen[string(key)] = true
	return nil
}

// scan walks the whole tree and expects every own key.
func (w *worker) scan(forward bool) error {
	m := w.e.pool.BeginRead()
	defer func() { m.Commit() }()
	seen := map[string]bool{}
	c, err := w.e.tree.Seek(m, nil, buffer.Shared)
	if !forward {
		m.Commit()
		m = w.e.pool.BeginRead()
		c, err = w.e.tree.SeekLast(m, nil, buffer.Shared)
	}
	var last []byte
	var p Position
	for err == nil && c.Valid() {
		if err := w.judge(c.Key(), c.Value(), last, forward, seen); err != nil {
			return err
		}
		last = append(last[:0], c.Key()...)
		if w.rng.IntN(50) == 0 { // let go and come back
			c.Save(&p)
			m.Commit()
			m = w.e.pool.BeginRead()
			if c, err = w.comeBack(m, &p, forward); err != nil {
				return err
			}
			continue
		}
		if forward {
			err = c.Next()
		} else {
			err = c.Prev()
		}
	}
	if err == nil && len(seen) != len(w.model) {
		err = fmt.Errorf("scan (forward %t) saw %d of %d keys", forward, len(seen), len(w.model))
	}
	return err
}

// comeBack restores a position and moves on to the record a scan wants next.
func (w *worker) comeBack(m *buffer.Mtr, p *Position, forward bool) (Cursor, error) {
	c, same, err := w.e.tree.Restore(m, p, buffer.Shared)
	switch {
	case err != nil:
	case forward && same:
		err = c.Next()
	case !forward:
		err = c.Prev()
	}
	return c, err
}

// hop looks at the surroundings of a key with the reads a locking insert makes.
func (w *worker) hop() error {
	key := w.key()
	m, c, err := w.e.tree.SeekWrite(key, 0)
	if err != nil {
		return err
	}
	defer m.Commit()
	_, want := w.model[string(key)]
	if c.Exact(key) != want {
		return fmt.Errorf("key %s: found %t, want %t", key, !want, want)
	}
	next, ok, err := c.PeekNext()
	if err == nil && ok && bytes.Compare(next, key) <= 0 {
		err = fmt.Errorf("key behind %s is %s", key, next)
	}
	return err
}
