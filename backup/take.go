package backup

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"filippo.io/age"

	"emberdb/engine"
	"emberdb/internal/base"
)

// TakeOptions of a backup.
type TakeOptions struct {
	Incremental bool   // only the pages changed since the newest set of the same server, or since that of Base
	Base        string // a set
	Recipients  []age.Recipient
	Identities  []age.Identity // to go on with an encrypted backup that was interrupted
	Rate        int64          // bytes a second; 0: as fast as it goes
	Parallel    int            // connections; 0: DefaultParallel
	Compress    Compression
	Fresh       bool // an interrupted backup is not gone on with
	Progress    func(done, total int64, at string)
}

// taker takes one backup.
type taker struct {
	puller
	o     TakeOptions
	store Store
	begun Begun
	key   []byte
	seal  *sealer
	packs *packs
	kept  int64 // pages that an interrupted attempt has copied

	mu    sync.Mutex
	files map[string]uint32 // numbers by name
	list  []SetFile
}

// Take backs up the server behind db into the store and returns the manifest. One that was
// interrupted, of the same server and kind, is gone on with.
func Take(ctx context.Context, db *sql.DB, store Store, o TakeOptions) (*Manifest, error) {
	t := &taker{o: o, store: store, files: map[string]uint32{}, puller: puller{known: map[uint64]bool{}, limit: limiter{rate: o.Rate}, progress: o.Progress}}
	if err := t.open(ctx, db, o.Parallel); err != nil {
		return nil, err
	}
	defer t.donor.close()
	if err := t.begin(ctx); err != nil {
		return nil, err
	}
	defer t.packs.writes.Wait()
	t.since, t.start = t.begun.Since, t.begun.Start
	point, err := t.pull(ctx, func() sink { return &setSink{t, t.packs.packer()} })
	if err != nil {
		return nil, err
	}
	return t.finish(ctx, point)
}

// begin names the set, or goes on with one.
func (t *taker) begin(ctx context.Context) error {
	complete, incomplete, err := List(ctx, t.store)
	if err != nil {
		return err
	}
	b := &t.begun
	*b = Begun{Format: formatVersion, Kind: Full, UUID: t.donor.begin().UUID, Began: time.Now().UTC(), Start: t.donor.begin().Start}
	if t.o.Incremental {
		if err := t.findBase(complete); err != nil {
			return err
		}
	}
	if !t.o.Fresh {
		for _, id := range incomplete {
			if ok, err := t.goOn(ctx, id); err != nil || ok {
				return err
			}
		}
	}
	b.ID = b.Began.Format("20060102T150405.000Z") + "-" + b.Kind
	if len(t.o.Recipients) > 0 {
		if t.key, b.Encrypted, err = newKey(t.o.Recipients); err != nil {
			return err
		}
	}
	if err := t.prepare(); err != nil {
		return err
	}
	text, err := json.MarshalIndent(b, "", " ")
	if err != nil {
		return err
	}
	return t.store.Put(ctx, b.ID+"/begin", text)
}

func (t *taker) prepare() (err error) {
	if t.seal, err = newSealer(t.key); err != nil {
		return err
	}
	t.packs = &packs{store: t.store, set: t.begun.ID, seal: t.seal}
	t.packs.compress, err = newCompressor(t.o.Compress)
	return err
}

// findBase finds the set that an incremental one stands on.
func (t *taker) findBase(complete []*Manifest) error {
	b := &t.begun
	for _, m := range complete {
		if m.UUID == b.UUID && (t.o.Base == "" || m.ID == t.o.Base) {
			b.Kind, b.Base, b.Since = Incremental, m.ID, m.Start
		}
	}
	if b.Base == "" {
		return fmt.Errorf("%s holds no complete backup%s of server %s for an incremental one to stand on", t.store.URL(), strings.TrimRight(" "+t.o.Base, " "), b.UUID)
	}
	return nil
}

// goOn takes up an interrupted set, if it is one of the same kind of the same server.
func (t *taker) goOn(ctx context.Context, id string) (bool, error) {
	text, err := t.store.Get(ctx, id+"/begin", 0, -1)
	if err != nil {
		return false, err
	}
	var b Begun
	if err := json.Unmarshal(text, &b); err != nil {
		return false, damaged(id+"/begin", "%v", err)
	}
	if b.ID != id || b.Format != formatVersion || b.UUID != t.begun.UUID || b.Kind != t.begun.Kind || b.Base != t.begun.Base || b.Start > t.begun.Start ||
		(b.Encrypted != nil) != (len(t.o.Recipients) > 0) {
		return false, nil
	}
	if b.Encrypted != nil {
		if t.key, err = unwrapKey(b.Encrypted, t.o.Identities); errors.Is(err, errNoIdentity) {
			return false, nil // it was made for others to read; another one is begun
		}
		if err != nil {
			return false, err
		}
	}
	t.begun = b
	if err := t.prepare(); err != nil {
		return false, err
	}
	return true, t.readPacks(ctx)
}

// readPacks learns what an interrupted set has. Its files are of a log that was never completed.
func (t *taker) readPacks(ctx context.Context) error {
	objects, err := t.store.List(ctx, t.begun.ID+"/pack.")
	if err != nil {
		return err
	}
	for _, o := range objects {
		entries, err := readPack(ctx, t.store, t.begun.ID, o)
		if err != nil {
			return err
		}
		t.packs.stored.Add(o.Size)
		for _, e := range entries {
			t.packs.next.Store(max(t.packs.next.Load(), e.pack))
			if e.kind == kindPages {
				t.known[chunkKey(base.SpaceID(e.id), base.PageNo(e.at))] = true
				t.packs.entries = append(t.packs.entries, e)
				t.kept += int64(pagesIn(e.present))
			}
		}
	}
	return nil
}

// setSink puts what comes into the packs of a set.
type setSink struct {
	t *taker
	w *packer
}

func (s *setSink) pages(ctx context.Context, space base.SpaceID, first base.PageNo, present uint64, pages []byte) error {
	return s.w.add(ctx, entry{kind: kindPages, id: uint32(space), at: uint64(first), present: present}, pages)
}

func (s *setSink) file(ctx context.Context, name string, off int64, data []byte) error {
	return s.w.add(ctx, entry{kind: kindFile, id: s.t.file(name, off+int64(len(data))), at: uint64(off)}, data)
}

func (s *setSink) flush(ctx context.Context) error { return s.w.flush(ctx) }

// file is the number of a file that is at least that long.
func (t *taker) file(name string, size int64) uint32 {
	t.mu.Lock()
	defer t.mu.Unlock()
	n, ok := t.files[name]
	if !ok {
		n = uint32(len(t.list))
		t.files[name] = n
		t.list = append(t.list, SetFile{Name: name})
	}
	t.list[n].Size = max(t.list[n].Size, size)
	return n
}

// finish completes the set.
func (t *taker) finish(ctx context.Context, point *engine.BackupPoint) (*Manifest, error) {
	m := &Manifest{Begun: t.begun, Server: t.donor.begin().Server, Ended: time.Now().UTC(), Checkpoint: t.donor.begin().Checkpoint, Point: point, Files: t.list,
		Packs: t.packs.next.Load(), Pages: t.kept + t.copied.Load(), Bytes: t.bytes.Load(), Stored: t.packs.stored.Load()}
	if err := t.complete(point); err != nil {
		return nil, err
	}
	return m, writeManifest(ctx, t.store, m, t.seal, t.key, t.packs.entries)
}

// complete fails if a segment of the log that the point needs was not sent.
func (t *taker) complete(point *engine.BackupPoint) error {
	for _, s := range point.Segments {
		name := segmentName(s)
		if n, ok := t.files[name]; !ok || t.list[n].Size != s.FileRange(point.LSN) {
			return fmt.Errorf("the server did not send all of %s", name)
		}
	}
	return nil
}
