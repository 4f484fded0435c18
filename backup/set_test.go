package backup

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"filippo.io/age"
	"github.com/stretchr/testify/require"

	"emberdb/engine"
	"emberdb/engine/pagefile"
	"emberdb/internal/base"
	"emberdb/internal/testkit"
	"emberdb/internal/vfs"
)

var ctx = context.Background()

// makePage is a page whose body tells its version.
func makePage(space base.SpaceID, no base.PageNo, version byte) []byte {
	p := make([]byte, base.PageSize)
	pagefile.Init(p, base.PageID{Space: space, No: no}, pagefile.TypeTree)
	for i := range 100 {
		p[pagefile.HeaderSize+i] = version
	}
	pagefile.SetLSN(p, base.LSN(version))
	pagefile.Stamp(p)
	return p
}

// makeSet writes a set: pages gives the version of each page, by tablespace.
func makeSet(t *testing.T, store Store, b Begun, key []byte, pages map[base.PageID]byte, file []byte) {
	t.Helper()
	seal, err := newSealer(key)
	require.NoError(t, err)
	compress, err := newCompressor(Compression{})
	require.NoError(t, err)
	p := &packs{store: store, set: b.ID, seal: seal, compress: compress}
	w := p.packer()
	chunks := map[uint64]*entry{}
	for id := range pages {
		k := chunkKey(id.Space, id.No)
		if chunks[k] == nil {
			chunks[k] = &entry{kind: kindPages, id: uint32(id.Space), at: uint64(id.No / chunkPages * chunkPages)}
		}
		chunks[k].present |= 1 << (id.No % chunkPages)
	}
	longest := base.PageNo(0)
	for _, e := range chunks {
		var data []byte
		for i := range base.PageNo(chunkPages) {
			if e.present>>i&1 != 0 {
				no := base.PageNo(e.at) + i
				longest = max(longest, no+1)
				data = append(data, makePage(base.SpaceID(e.id), no, pages[base.PageID{Space: base.SpaceID(e.id), No: no}])...)
			}
		}
		require.NoError(t, w.add(ctx, *e, data))
	}
	for off := 0; off < len(file); off += filePiece {
		part := file[off:min(off+filePiece, len(file))]
		require.NoError(t, w.add(ctx, entry{kind: kindFile, at: uint64(off)}, part))
	}
	require.NoError(t, w.flush(ctx))
	require.NoError(t, store.Put(ctx, b.ID+"/begin", []byte("{}")))
	b.Format, b.UUID = formatVersion, "u"
	m := &Manifest{Begun: b, Point: &engine.BackupPoint{LSN: 9, Spaces: []engine.SpaceFile{{Space: 20, Pages: longest}}}, Files: []SetFile{{listFile, int64(len(file))}}, Ended: b.Began}
	require.NoError(t, writeManifest(ctx, store, m, seal, key, p.entries))
}

// TestChain reads a full set with two incremental ones over it: each page is that of the newest set
// that has it.
func TestChain(t *testing.T) {
	rng := rand.New(rand.NewPCG(testkit.Seed(t), 0))
	for _, encrypted := range []bool{false, true} {
		store := newDirStore(vfs.NewMem(1), "/b")
		id, err := age.GenerateX25519Identity()
		require.NoError(t, err)
		want := map[base.PageID]byte{}
		for n, kind := range []string{Full, Incremental, Incremental} {
			b := Begun{ID: fmt.Sprint("s", n), Kind: kind, Start: base.LSN(10 + n)}
			if n > 0 {
				b.Base, b.Since = fmt.Sprint("s", n-1), base.LSN(10+n-1)
			}
			var key []byte
			if encrypted {
				key, b.Encrypted, err = newKey([]age.Recipient{id.Recipient()})
				require.NoError(t, err)
			}
			pages := map[base.PageID]byte{}
			for range []int{400, 60, 30}[n] {
				p := base.PageID{Space: 20, No: base.PageNo(rng.IntN(300))}
				pages[p], want[p] = byte(n+1), byte(n+1)
			}
			makeSet(t, store, b, key, pages, bytes.Repeat([]byte("list"), 400_000))
		}
		if encrypted {
			_, err = OpenChain(ctx, store, "s2", nil)
			require.ErrorIs(t, err, errNoIdentity)
			other, err := age.GenerateX25519Identity()
			require.NoError(t, err)
			_, err = OpenChain(ctx, store, "s2", []age.Identity{other})
			require.ErrorContains(t, err, "key")
		}
		c, err := OpenChain(ctx, store, "s2", []age.Identity{id})
		require.NoError(t, err)
		buf := make([]byte, chunkPages*base.PageSize)
		for first := base.PageNo(0); first < 320; first += chunkPages {
			present, err := c.chunk(ctx, 20, first, buf)
			require.NoError(t, err)
			for i := range base.PageNo(chunkPages) {
				v, ok := want[base.PageID{Space: 20, No: first + i}]
				require.Equal(t, ok, present>>i&1 != 0)
				if ok {
					require.Equal(t, makePage(20, first+i, v), buf[i*base.PageSize:][:base.PageSize])
				}
			}
		}
		v, err := Verify(ctx, c, nil)
		require.NoError(t, err)
		require.Len(t, v.Faults, 1, "the checkpoint of these sets is none")
	}
}

// TestDamage flips a bit of each object at random places and cuts it short: what comes of it is an
// error, or the same bytes.
func TestDamage(t *testing.T) {
	rng := rand.New(rand.NewPCG(testkit.Seed(t), 0))
	for _, encrypted := range []bool{false, true} {
		store := newDirStore(vfs.NewMem(1), "/b")
		id, err := age.GenerateX25519Identity()
		require.NoError(t, err)
		b := Begun{ID: "s", Kind: Full, Start: 1, Began: time.Unix(1, 0)}
		var key []byte
		if encrypted {
			key, b.Encrypted, err = newKey([]age.Recipient{id.Recipient()})
			require.NoError(t, err)
		}
		pages := map[base.PageID]byte{}
		for no := range base.PageNo(100) {
			pages[base.PageID{Space: 20, No: no}] = byte(no)
		}
		makeSet(t, store, b, key, pages, []byte("a list"))
		read := func() (err error) {
			c, err := OpenChain(ctx, store, "s", []age.Identity{id})
			if err != nil {
				return err
			}
			buf := make([]byte, chunkPages*base.PageSize)
			for first := base.PageNo(0); first < 128; first += chunkPages {
				present, err := c.chunk(ctx, 20, first, buf)
				if err != nil {
					return err
				}
				for i := range base.PageNo(chunkPages) {
					if present>>i&1 != 0 {
						require.Equal(t, makePage(20, first+i, byte(first+i)), buf[i*base.PageSize:][:base.PageSize])
					}
				}
				require.Equal(t, min(chunkPages, 100-int(first)), pagesIn(present))
			}
			return c.files(ctx, 1, func(string) bool { return true }, func(_ SetFile, _ int64, data []byte) error {
				require.Equal(t, "a list", string(data))
				return nil
			})
		}
		require.NoError(t, read())
		objects, err := store.List(ctx, "s/")
		require.NoError(t, err)
		for _, o := range objects {
			whole, err := store.Get(ctx, o.Name, 0, -1)
			require.NoError(t, err)
			counts := len(whole) // a set that is complete is read without the lists of its packs
			if o.Name == packName("s", 1) {
				counts = int(binary.LittleEndian.Uint64(whole[len(whole)-packTrailer+8:]))
			}
			for n := range 40 {
				bad := bytes.Clone(whole)
				if n%4 == 0 {
					bad = bad[:rng.IntN(counts)]
				} else {
					bad[rng.IntN(counts)] ^= 1 << rng.IntN(8)
				}
				require.NoError(t, store.Put(ctx, o.Name, bad))
				if err := read(); err == nil {
					magic := o.Name == packName("s", 1) && bytes.Equal(bad[len(packMagic):], whole[len(packMagic):])
					require.True(t, o.Name == "s/begin" || magic || o.Name == "s/manifest" && n%4 != 0, "%s: damage %d was not seen", o.Name, n)
				}
			}
			require.NoError(t, store.Put(ctx, o.Name, whole))
		}
	}
}

// TestTar takes a set into a tar file and reads it there; one that is not completed leaves nothing.
func TestTar(t *testing.T) {
	fsys := vfs.NewMem(1)
	require.NoError(t, fsys.MkdirAll("/b"))
	w, err := newTarWriter(fsys, "/b/x.tar")
	require.NoError(t, err)
	require.NoError(t, w.Put(ctx, "s/begin", []byte("{}")))
	require.NoError(t, w.Close())
	names, err := fsys.List("/b")
	require.NoError(t, err)
	require.Empty(t, names)

	w, err = newTarWriter(fsys, "/b/x.tar")
	require.NoError(t, err)
	pages := map[base.PageID]byte{}
	for no := range base.PageNo(100) {
		pages[base.PageID{Space: 20, No: no}] = byte(no)
	}
	makeSet(t, w, Begun{ID: "s", Kind: Full, Start: 1}, nil, pages, bytes.Repeat([]byte("list"), 400_000))
	require.NoError(t, w.Close())
	r, err := openTar(fsys, "/b/x.tar")
	require.NoError(t, err)
	defer r.Close()
	id, err := Newest(ctx, r)
	require.NoError(t, err)
	c, err := OpenChain(ctx, r, id, nil)
	require.NoError(t, err)
	v, err := Verify(ctx, c, nil)
	require.NoError(t, err)
	require.EqualValues(t, 100, v.Pages)
	require.Len(t, v.Faults, 1, "the checkpoint of this set is none")
	require.Error(t, r.Put(ctx, "s/more", nil))

	data, err := vfs.ReadFile(fsys, "/b/x.tar")
	require.NoError(t, err)
	require.NoError(t, vfs.WriteFile(fsys, "/b/cut.tar", data[:len(data)/1024*512+100]))
	_, err = openTar(fsys, "/b/cut.tar")
	require.ErrorIs(t, err, base.ErrCorrupt)
}

// TestPrune keeps what the rules want and what that stands on.
func TestPrune(t *testing.T) {
	store := newDirStore(vfs.NewMem(1), "/b")
	for n, below := range []string{"", "s0", "s1", "", "s3"} {
		kind := Full
		if below != "" {
			kind = Incremental
		}
		makeSet(t, store, Begun{ID: fmt.Sprint("s", n), Kind: kind, Base: below, Began: time.Unix(int64(n)*3600, 0).UTC()}, nil, map[base.PageID]byte{{Space: 20}: 1}, nil)
	}
	require.NoError(t, store.Put(ctx, "r9/begin", []byte("{}")))
	require.NoError(t, store.Put(ctx, "r9/pack.00000001", []byte("x")))
	now := time.Unix(5*3600, 0)
	gone, err := Prune(ctx, store, Keep(3, 0, now), true)
	require.NoError(t, err)
	require.Equal(t, []string{"r9"}, gone, "s2 stands on s1 and s0")
	gone, err = Prune(ctx, store, Keep(1, 0, now), false)
	require.NoError(t, err)
	require.Equal(t, []string{"s2", "s1", "s0", "r9"}, gone)
	left, incomplete, err := List(ctx, store)
	require.NoError(t, err)
	require.Empty(t, incomplete)
	require.Len(t, left, 2)
	_, err = OpenChain(ctx, store, "s1", nil)
	require.True(t, errors.Is(err, ErrNoObject))
}

// A restore makes what else a server needs while it makes the files, and fails with that.
func TestRestoreBeside(t *testing.T) {
	store := newDirStore(vfs.NewMem(1), "/b")
	makeSet(t, store, Begun{ID: "s", Kind: Full, Start: 1}, nil, map[base.PageID]byte{{Space: 20, No: 1}: 1}, []byte("list"))
	failed := errors.New("no room for keys")
	dir := t.TempDir()
	_, err := Restore(ctx, store, RestoreOptions{Dir: dir, Beside: func(at string) error {
		require.Equal(t, dir, at)
		return failed
	}})
	require.ErrorIs(t, err, failed)
	_, err = engine.Identity(vfs.NewOS(nil), dir)
	require.Error(t, err, "no server opens it")
}
