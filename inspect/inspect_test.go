package inspect

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/engine/pagefile"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

var rewrite = flag.Bool("rewrite", false, "write the goldens anew")

// golden compares text with a file of testdata; dir is shown as DIR.
func golden(t *testing.T, name, dir, got string) {
	t.Helper()
	got = strings.ReplaceAll(got, dir, "DIR")
	path := filepath.Join("testdata", name+".txt")
	if *rewrite {
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
		return
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), got, "%s (run with -rewrite when the change is meant)", path)
}

func openDir(t *testing.T, path string) *Dir {
	t.Helper()
	d, err := Open(vfs.NewOS(nil), path)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	return d
}

// textOf prints a report.
func textOf(t *testing.T, write func(b *bytes.Buffer) error) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, write(&b))
	return b.String()
}

func pageText(t *testing.T, d *Dir, id base.PageID, o PageOptions) string {
	t.Helper()
	r, err := d.Page(id, o)
	require.NoError(t, err)
	return shortened(textOf(t, func(b *bytes.Buffer) error { return r.WriteText(b) }))
}

// shortened leaves out the middle of a long text.
func shortened(text string) string {
	const keep = 10
	lines := strings.SplitAfter(text, "\n")
	if len(lines) <= 2*keep {
		return text
	}
	return strings.Join(lines[:keep], "") + fmt.Sprintf("  ... %d lines\n", len(lines)-2*keep) + strings.Join(lines[len(lines)-keep:], "")
}

// snapshot is the bytes and times of all files of a directory.
func snapshot(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		require.NoError(t, err)
		data, err := os.ReadFile(path)
		out[path] = info.ModTime().String() + string(data)
		return err
	}))
	return out
}

func TestGoldens(t *testing.T) {
	dir := fixture(t)
	before := snapshot(t, dir)
	d := openDir(t, dir)
	t.Run("pages", func(t *testing.T) {
		h, err := d.header(itemsSpace)
		require.NoError(t, err)
		root, _ := h.Root(itemsByK)
		var b strings.Builder
		b.WriteString(pageText(t, d, base.PageID{Space: itemsSpace}, PageOptions{}))
		b.WriteString(pageText(t, d, base.PageID{Space: itemsSpace, No: 1}, PageOptions{}))
		b.WriteString(pageText(t, d, base.PageID{Space: itemsSpace, No: root}, PageOptions{Records: true}))
		b.WriteString(pageText(t, d, base.PageID{Space: itemsSpace, No: pageOfType(t, d, itemsSpace, pagefile.TypeOverflow)}, PageOptions{}))
		b.WriteString(pageText(t, d, base.PageID{Space: base.UndoSpace, No: 2}, PageOptions{}))
		b.WriteString(pageText(t, d, base.PageID{Space: base.UndoSpace, No: 3}, PageOptions{Records: true}))
		b.WriteString(pageText(t, d, base.PageID{Space: base.UndoSpace, No: 7}, PageOptions{Records: true}))
		golden(t, "pages", dir, b.String())
	})
	t.Run("spaces", func(t *testing.T) {
		var b bytes.Buffer
		for _, s := range []base.SpaceID{base.SystemSpace, base.UndoSpace, itemsSpace} {
			r, err := d.Space(s)
			require.NoError(t, err)
			require.Empty(t, r.Problems)
			require.NoError(t, r.WriteText(&b, true))
		}
		golden(t, "spaces", dir, b.String())
	})
	t.Run("catalog", func(t *testing.T) {
		var b bytes.Buffer
		for _, filter := range []string{"", "test", "test.items", "test.few"} {
			r, err := d.Catalog(filter)
			require.NoError(t, err)
			fmt.Fprintf(&b, "--- %q\n", filter)
			require.NoError(t, r.WriteText(&b))
		}
		golden(t, "catalog", dir, b.String())
		_, err := d.Catalog("nowhere")
		require.ErrorIs(t, err, base.ErrNotFound)
	})
	t.Run("warm", func(t *testing.T) {
		lists, err := d.Warm("")
		require.NoError(t, err)
		require.Len(t, lists, 2)
		golden(t, "warm", dir, textOf(t, func(b *bytes.Buffer) error {
			for _, r := range lists {
				require.NoError(t, r.WriteText(b, 2))
			}
			return nil
		}))
	})
	t.Run("redo", func(t *testing.T) {
		golden(t, "redo", dir, redoText(t, d, RedoOptions{}, 0))
		golden(t, "redo_stats", dir, redoText(t, d, RedoOptions{All: true, Stats: true}, 0))
		page := base.PageID{Space: itemsSpace}
		golden(t, "redo_page", dir, redoText(t, d, RedoOptions{All: true, Page: &page, Limit: 12}, 0))
		golden(t, "redo_json", dir, redoText(t, d, RedoOptions{Op: "undo-log", JSON: true}, 0))
	})
	require.Equal(t, before, snapshot(t, dir), "an inspector has written")
}

func redoText(t *testing.T, d *Dir, o RedoOptions, wantDamaged int) string {
	t.Helper()
	var b bytes.Buffer
	damaged, err := d.Redo(&b, o)
	require.NoError(t, err)
	require.Equal(t, wantDamaged, damaged, "%s", &b)
	return b.String()
}

// pageOfType returns the first page of a type.
func pageOfType(t *testing.T, d *Dir, s base.SpaceID, want pagefile.PageType) base.PageNo {
	t.Helper()
	n, err := d.pages(s)
	require.NoError(t, err)
	for no := range n {
		if page, err := d.page(base.PageID{Space: s, No: no}); err == nil && pagefile.Type(page) == want {
			return no
		}
	}
	t.Fatalf("space %d has no page of type %s", s, want)
	return 0
}

// Reports are JSON that reads back.
func TestJSON(t *testing.T) {
	d := openDir(t, fixture(t))
	space, err := d.Space(itemsSpace)
	require.NoError(t, err)
	catalog, err := d.Catalog("test.items")
	require.NoError(t, err)
	page, err := d.Page(base.PageID{Space: itemsSpace, No: 2}, PageOptions{})
	require.NoError(t, err)
	for _, r := range []any{space, catalog, page} {
		data, err := json.Marshal(r)
		require.NoError(t, err)
		var back map[string]any
		require.NoError(t, json.Unmarshal(data, &back))
		require.NotEmpty(t, back)
	}
	require.Equal(t, 595+5, space.Trees[0].Records, "delete-marked rows are records")
}

// With the log applied in memory the pages are what recovery would make of them; a page that is
// lost and has its beginning in the log is rebuilt.
func TestUseRedo(t *testing.T) {
	dir := fixture(t)
	damage(t, filepath.Join(dir, "spaces/00000000.ebs"), flipAt(9000))
	d := openDir(t, dir)
	problems, err := d.UseRedo()
	require.NoError(t, err)
	require.Empty(t, problems)
	r, err := d.Space(itemsSpace)
	require.NoError(t, err)
	require.Equal(t, 602, r.Trees[0].Records)
	require.Equal(t, 603, r.Trees[1].Records)
	page, err := d.Page(base.PageID{Space: itemsSpace, No: 13}, PageOptions{})
	require.NoError(t, err)
	require.Equal(t, 2, page.Redo)
	require.Contains(t, page.Header, "lsn 210607")
	page, err = d.Page(base.PageID{Space: base.SystemSpace}, PageOptions{})
	require.NoError(t, err)
	require.NotNil(t, page.Problem, "its beginning is before the checkpoint")

	// The other checkpoint stands at the beginning of the log.
	require.NoError(t, os.Remove(filepath.Join(dir, "redo/checkpoint.0")))
	d = openDir(t, dir)
	problems, err = d.UseRedo()
	require.NoError(t, err)
	require.Empty(t, problems)
	page, err = d.Page(base.PageID{Space: base.SystemSpace}, PageOptions{})
	require.NoError(t, err)
	require.Nil(t, page.Problem)
	c, err := d.Catalog("test.items")
	require.NoError(t, err)
	require.Len(t, c.Objects, 1)
}

// A tablespace file that lies anywhere, under any name.
func TestPageOfFile(t *testing.T) {
	dir := fixture(t)
	data, err := os.ReadFile(pagefile.PathIn(dir, itemsSpace))
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "copy.bin")
	require.NoError(t, os.WriteFile(path, data, 0o600))
	r, err := PageOfFile(vfs.NewOS(nil), path, base.PageID{No: 2}, true, PageOptions{})
	require.NoError(t, err)
	require.Nil(t, r.Problem)
	require.Equal(t, "16:2", r.Page)
	r, err = PageOfFile(vfs.NewOS(nil), path, base.PageID{Space: 17, No: 2}, false, PageOptions{})
	require.NoError(t, err)
	require.Contains(t, r.Problem.Detail, "says it is page 16:2")
}

func TestOpenRefuses(t *testing.T) {
	_, err := Open(vfs.NewOS(nil), filepath.Join(t.TempDir(), "nowhere"))
	require.ErrorIs(t, err, fs.ErrNotExist)
	_, err = Open(vfs.NewOS(nil), t.TempDir())
	require.ErrorIs(t, err, base.ErrForeign)
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	_, err = Open(vfs.NewOS(nil), file)
	require.ErrorContains(t, err, "is not a directory")
}
