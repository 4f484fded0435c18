package inspect

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/engine/pagefile"
	"emberdb/engine/warm"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// damage changes one file of a directory.
func damage(t *testing.T, path string, change func(b []byte) []byte) {
	t.Helper()
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, change(b), 0o600))
}

func flipAt(off int) func([]byte) []byte {
	return func(b []byte) []byte {
		b[off] ^= 0x40
		return b
	}
}

func cutTo(n int) func([]byte) []byte { return func(b []byte) []byte { return b[:n] } }

// everything runs all inspectors and returns what they print. None may panic.
func everything(t *testing.T, dir string) string {
	t.Helper()
	var b bytes.Buffer
	d, err := Open(vfs.NewOS(nil), dir)
	if err != nil {
		return err.Error()
	}
	defer d.Close()
	note := func(err error) {
		if err != nil {
			fmt.Fprintf(&b, "error: %v\n", err)
		}
	}
	for s := range base.SpaceID(itemsSpace + 1) {
		if s > base.UndoSpace && s < itemsSpace {
			continue
		}
		r, err := d.Space(s)
		note(err)
		if err == nil {
			note(r.WriteText(&b, true))
		}
		for no := range base.PageNo(17) {
			r, err := d.Page(base.PageID{Space: s, No: no}, PageOptions{Records: true})
			note(err)
			if err == nil {
				note(r.WriteText(&b))
			}
		}
	}
	for _, filter := range []string{"", "test.items"} {
		r, err := d.Catalog(filter)
		note(err)
		if err == nil {
			note(r.WriteText(&b))
		}
	}
	_, err = d.Redo(&b, RedoOptions{All: true})
	note(err)
	lists, err := d.Warm("")
	note(err)
	for _, r := range lists {
		note(r.WriteText(&b, 0))
	}
	note(d.Verify(context.Background(), func(p Problem) { fmt.Fprintf(&b, "verify: %s\n", p) }, nil))
	return b.String()
}

// Planted damage is told with file, page and offset, and the rest is shown.
func TestDamage(t *testing.T) {
	whole := fixture(t)
	items := "spaces/00000010.ebs"
	for _, c := range []struct {
		name   string
		file   string
		change func([]byte) []byte
		want   []string // DIR stands for the directory
	}{
		{"leaf", items, flipAt(4*base.PageSize + 5000), []string{
			"damaged: file DIR/spaces/00000010.ebs, page 16:4, offset 65536: checksum",
			"tree 1025 test.items.PRIMARY, root 2",
			"verify: file DIR/spaces/00000010.ebs, page 16:4, offset 65536: checksum"}},
		{"root", items, flipAt(2*base.PageSize + 40), []string{"page 16:2, offset 32768: checksum", "tree 1026 test.items.by_k, root 3, 600 records"}},
		{"header", items, flipAt(50), []string{"page 16:0, offset 0: checksum", "tree 1025 test.items.PRIMARY, no root names it, 600 records"}},
		{"bitmap", items, flipAt(base.PageSize + 3000), []string{"page 16:1, offset 16384: checksum", "tree 1025 test.items.PRIMARY, root 2, 600 records"}},
		{"cut in a page", items, cutTo(9*base.PageSize + 77), []string{
			"the header says 16 pages, the file has 9", "page 16:9, offset 147456: the file ends after 9 pages and 77 bytes"}},
		{"empty", items, cutTo(0), []string{"page 16:0, offset 0: the file ends after 0 pages and 0 bytes"}},
		{"catalog leaf", "spaces/00000000.ebs", flipAt(2*base.PageSize + 9000), []string{
			"damaged: file DIR/spaces/00000000.ebs, page 0:2, offset 32768: checksum", "space 16 \n", "tree 1025 , root 2, 600 records",
			"error: test.items: not found in the catalog"}},
		{"catalog gone", "spaces/00000000.ebs", cutTo(0), []string{"page 0:0, offset 0: the file ends"}},
		{"undo", "spaces/00000001.ebs", flipAt(3*base.PageSize + 100), []string{"page 1:3, offset 49152: checksum"}},
		{"newest checkpoint", "redo/checkpoint.0", flipAt(44), []string{"file DIR/redo/checkpoint.0, offset 0: checksum", "checkpoint 1 at LSN 4096", "210655..210796"}},
		{"checkpoint cut", "redo/checkpoint.0", cutTo(10), []string{"file DIR/redo/checkpoint.0, offset 0: length 10"}},
		{"segment header", "redo/0000000000000001.redo", flipAt(20), []string{"file DIR/redo/0000000000000001.redo, offset 0: header checksum"}},
		{"segment cut", "redo/0000000000000001.redo", cutTo(9000), []string{"the file has 9000 bytes, its header says 266240"}},
		{"group", "redo/0000000000000001.redo", flipAt(100_000), []string{
			"file DIR/redo/0000000000000001.redo, offset 84839: the group at LSN 84839 does not verify; the log was durable up to 210299", "4652..4767 115 bytes"}},
		{"identity", "ember.json", cutTo(3), []string{"table test.items, id 1024"}},
		{"list", warm.DefaultFilename, flipAt(100), []string{"damaged: file DIR/ib_buffer_pool, offset 0: checksum", "generation 7"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := copyDir(t, whole)
			damage(t, filepath.Join(dir, c.file), c.change)
			before := snapshot(t, dir)
			text := everything(t, dir)
			for _, want := range c.want {
				require.Contains(t, text, string(bytes.ReplaceAll([]byte(want), []byte("DIR"), []byte(dir))))
			}
			require.Equal(t, before, snapshot(t, dir))
		})
	}
}

// A missing file is named.
func TestMissingFile(t *testing.T) {
	dir := fixture(t)
	require.NoError(t, os.Remove(pagefile.PathIn(dir, itemsSpace)))
	text := everything(t, dir)
	require.Contains(t, text, pagefile.PathIn(dir, itemsSpace)+": no such file")
	require.Contains(t, text, "table test.items, id 1024", "the catalog does not need it")
}

// Pages whose checksum is right and whose content is not: no inspector trusts a count or an offset.
func TestRandomDamage(t *testing.T) {
	whole := fixture(t)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 1))
	files := []string{"spaces/00000000.ebs", "spaces/00000001.ebs", "spaces/00000010.ebs", "redo/0000000000000001.redo", "redo/checkpoint.0", warm.DefaultFilename}
	for range 60 {
		dir := copyDir(t, whole)
		name := files[rng.IntN(len(files))]
		restamp := filepath.Ext(name) == ".ebs" && rng.IntN(4) > 0
		damage(t, filepath.Join(dir, name), func(b []byte) []byte {
			for range 1 + rng.IntN(40) {
				at := rng.IntN(len(b))
				if restamp && rng.IntN(2) == 0 { // the part of a page that steers
					at = at/base.PageSize*base.PageSize + 12 + rng.IntN(80)
				}
				b[at] = byte(rng.Uint32())
			}
			for at := 0; restamp && at < len(b); at += base.PageSize {
				pagefile.Stamp(b[at:][:base.PageSize])
			}
			return b
		})
		require.NotPanics(t, func() { everything(t, dir) }, "seed %d, %s", seed, name)
	}
}
