package backup

import (
	"bytes"
	"context"
	"math/rand/v2"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
	"emberdb/internal/vfs"
)

func TestParseCompression(t *testing.T) {
	for _, text := range []string{"auto", "none", "zstd", "zstd:1", "zstd:22"} {
		_, err := ParseCompression(text)
		require.NoError(t, err, text)
	}
	for _, text := range []string{"", "lz4", "zstd:", "zstd:0", "zstd:23", "zstd:x", "auto:1", "none:1"} {
		_, err := ParseCompression(text)
		require.Error(t, err, text)
	}
}

// Every method gives the data back; what does not shrink is stored as it is; a piece says by itself
// how it is to be opened, also when it is encrypted.
func TestCompress(t *testing.T) {
	rng := rand.New(rand.NewPCG(testkit.Seed(t), 0))
	noise := make([]byte, 1<<20)
	for i := range noise {
		noise[i] = byte(rng.Uint32())
	}
	text := bytes.Repeat([]byte("a row of text, "), 70_000)
	for _, key := range [][]byte{nil, make([]byte, keySize)} {
		seal, err := newSealer(key)
		require.NoError(t, err)
		for _, c := range []struct {
			method string
			lags   bool
			codec  uint8
		}{{"auto", false, packedS2}, {"auto", true, packedZstd}, {"none", true, packedNot}, {"zstd", false, packedZstd}, {"zstd:9", false, packedZstd}} {
			how, err := ParseCompression(c.method)
			require.NoError(t, err)
			compress, err := newCompressor(how)
			require.NoError(t, err)
			compress.storeLags(c.lags)
			var scratch []byte
			for _, data := range [][]byte{text, noise, nil, {1}, text[:99]} {
				packed, codec := compress.piece(&scratch, data)
				switch len(data) {
				case len(text):
					require.Equal(t, c.codec, codec, c.method)
				case len(noise):
					require.EqualValues(t, packedNot, codec, c.method)
				}
				e := entry{kind: kindPages, codec: codec, size: uint32(len(data))}
				sealed := seal.encrypt(nil, packed, e.identity())
				got, err := seal.openPiece(sealed, &e)
				require.NoError(t, err, c.method)
				require.True(t, bytes.Equal(data, got), c.method)
				for other := range uint8(codecs) { // it is not mistaken for another one
					wrong := e
					if wrong.codec = other; other == codec {
						wrong.size++
					}
					if got, err := seal.openPiece(sealed, &wrong); err == nil {
						require.True(t, bytes.Equal(data, got))
					}
				}
			}
		}
	}
}

// slowStore answers a Put when it is let.
type slowStore struct {
	Store
	puts chan chan struct{}
}

func (s *slowStore) Put(ctx context.Context, name string, data []byte) error {
	let := make(chan struct{})
	s.puts <- let
	<-let
	return s.Store.Put(ctx, name, data)
}

// A pack is filled while the one before is written, and auto turns to zstd when it waits for that.
func TestPacksOverlap(t *testing.T) { synctest.Test(t, packsOverlap) }

func packsOverlap(t *testing.T) {
	store := &slowStore{newDirStore(vfs.NewMem(1), "/b"), make(chan chan struct{})}
	seal, err := newSealer(nil)
	require.NoError(t, err)
	defer seal.dec.Close()
	compress, err := newCompressor(Compression{})
	require.NoError(t, err)
	p := &packs{store: store, set: "s", seal: seal, compress: compress}
	w := p.packer()
	put := func(n int) {
		require.NoError(t, w.add(ctx, entry{kind: kindFile, at: uint64(n) << 20}, bytes.Repeat([]byte{byte(n)}, 1<<20)))
	}
	put(0)
	require.NoError(t, w.write(ctx))
	first := <-store.puts
	put(1) // while the first is written
	require.EqualValues(t, packedS2, w.entries[0].codec)
	go func() {
		synctest.Wait() // until the packer waits
		close(first)
		close(<-store.puts)
	}()
	require.NoError(t, w.write(ctx))
	put(2)
	require.EqualValues(t, packedZstd, w.entries[0].codec)
	go func() { close(<-store.puts) }()
	require.NoError(t, w.flush(ctx))
	p.writes.Wait()
	require.Len(t, p.entries, 3)
	for i := range p.entries {
		data, err := readPiece(ctx, store, "s", seal, &p.entries[i])
		require.NoError(t, err)
		require.Equal(t, bytes.Repeat([]byte{byte(p.entries[i].at >> 20)}, 1<<20), data)
	}
}
