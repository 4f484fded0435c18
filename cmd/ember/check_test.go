package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/engine"
	"emberdb/engine/catalog"
	"emberdb/engine/pagefile"
	"emberdb/engine/row"
	"emberdb/engine/txn"
	"emberdb/engine/warm"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// newDir makes a data directory with the table shop.orders of some rows; kill leaves it as a kill
// would, with redo to do.
func newDir(t *testing.T, kill bool) (dir string, space base.SpaceID) {
	t.Helper()
	ctx := context.Background()
	dir = t.TempDir()
	e, err := engine.Open(engine.Options{FS: vfs.NewOS(nil), DataDir: dir, PoolBytes: 16 << 20, RedoCapacity: 16 << 20, RedoSegment: 1 << 20, FlushLogAtCommit: 1, Doublewrite: true})
	require.NoError(t, err)
	def := &catalog.Table{Schema: "shop", Name: "orders", AutoInc: -1,
		Columns: []catalog.Column{{Name: "id", Column: row.Column{Type: row.TInt64}}, {Name: "note", Column: row.Column{Type: row.TVarchar, Length: 100, Collation: 255}}},
		Indexes: []*catalog.Index{
			{Name: "PRIMARY", Unique: true, Clustered: true, Parts: []row.KeyPart{{Column: 0}}},
			{Name: "by_note", Parts: []row.KeyPart{{Column: 1}}},
		}}
	tx := e.BeginDDL()
	require.NoError(t, e.CreateSchema(ctx, tx, "shop", nil))
	require.NoError(t, e.CreateTable(ctx, tx, def))
	require.NoError(t, e.Commit(ctx, tx))
	tx = e.Begin(txn.RepeatableRead, false)
	tab, err := e.Table(ctx, tx, "shop", "orders")
	require.NoError(t, err)
	for id := range int64(2000) {
		require.NoError(t, tab.Insert(ctx, tx, []row.Value{row.IntValue(id), row.BytesValue(fmt.Appendf(nil, "Note ä %d", id%100))}))
	}
	require.NoError(t, e.Commit(ctx, tx))
	require.NoError(t, e.Close(kill))
	if !kill {
		require.NoError(t, os.Remove(filepath.Join(dir, "doublewrite.edw"))) // or the next start repairs what a test breaks
	}
	return dir, def.Space
}

func TestCheckDirectory(t *testing.T) {
	for _, kill := range []bool{false, true} {
		dir, _ := newDir(t, kill)
		list, _ := os.ReadFile(filepath.Join(dir, warm.DefaultFilename))
		out, err := run("check", dir, "--quiet")
		require.NoError(t, err, out)
		require.Contains(t, out, "3 tables, 2")
		require.Contains(t, out, ": clean\n")
		out, err = run("check", dir, "--quiet", "--json")
		require.NoError(t, err)
		var r checkResult
		require.NoError(t, json.Unmarshal([]byte(out), &r))
		require.True(t, r.Clean)
		require.Equal(t, dir, r.Target)
		after, _ := os.ReadFile(filepath.Join(dir, warm.DefaultFilename))
		require.Equal(t, list, after, "the check's pool is nobody's warm state")
	}
}

func TestCheckDamagedDirectory(t *testing.T) {
	dir, space := newDir(t, false)
	path := pagefile.PathIn(dir, space)
	flip(t, path, 4*base.PageSize+9000)
	out, err := run("check", dir, "--quiet")
	require.ErrorIs(t, err, errVerdict)
	require.Contains(t, out, fmt.Sprintf("fault: shop.orders: file %s, page %d:4, offset %d: checksum", path, space, 4*base.PageSize))
	out, err = run("inspect", "page", dir, fmt.Sprintf("%d:4", space))
	require.ErrorIs(t, err, errVerdict)
	require.Contains(t, out, "BAD")
	_, err = run("inspect", "space", dir, "shop.orders")
	require.ErrorIs(t, err, errVerdict)
}

// A directory that the engine refuses to open: the cause, and every damaged page.
func TestCheckUnopened(t *testing.T) {
	dir, space := newDir(t, false)
	flip(t, pagefile.PathIn(dir, base.SystemSpace), 9000)
	flip(t, pagefile.PathIn(dir, space), 5*base.PageSize+1)
	out, err := run("check", dir, "--quiet")
	require.ErrorIs(t, err, errVerdict)
	require.Contains(t, out, "the directory cannot be opened")
	require.Contains(t, out, "page 0:0, offset 0: checksum")
	require.Contains(t, out, fmt.Sprintf("page %d:5, offset %d: checksum", space, 5*base.PageSize))
}

func TestCheckRefuses(t *testing.T) {
	_, err := run("check", t.TempDir())
	require.ErrorIs(t, err, base.ErrForeign)
	_, err = run("check", filepath.Join(t.TempDir(), "nowhere"))
	require.ErrorIs(t, err, base.ErrForeign)
	dir, _ := newDir(t, false)
	lock, err := vfs.NewOS(nil).Lock(filepath.Join(dir, "ember.lock"))
	require.NoError(t, err)
	defer lock.Close()
	_, err = run("check", dir)
	require.ErrorIs(t, err, base.ErrInUse)
	require.ErrorContains(t, err, "--port or --socket")
}

func flip(t *testing.T, path string, at int) {
	t.Helper()
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	b[at] ^= 0x10
	require.NoError(t, os.WriteFile(path, b, 0o600))
}

// The inspectors on a directory as the engine leaves it, clean or killed.
func TestInspectVerbs(t *testing.T) {
	for _, kill := range []bool{false, true} {
		dir, space := newDir(t, kill)
		for _, args := range []string{
			"inspect catalog DIR --redo", "inspect catalog DIR shop.orders --json --redo", "inspect redo DIR", "inspect redo DIR --all --stats",
			"inspect redo DIR --all --json --limit 5", "inspect redo DIR --all --op btree-insert --page SPACE:2", "inspect space DIR 1 --map --redo",
			"inspect space DIR SPACE --json --redo", "inspect page DIR SPACE:0 --json", "inspect page DIR 1:2 --records --hex",
			"inspect page DIR/spaces/00000000.ebs 1",
		} {
			out, err := run(strings.Fields(strings.NewReplacer("DIR", dir, "SPACE", fmt.Sprint(space)).Replace(args))...)
			require.NoError(t, err, "%s\n%s", args, out)
			require.NotEmpty(t, out, args)
		}
		out, err := run("inspect", "space", dir, "shop.orders", "--redo")
		require.NoError(t, err, out)
		require.Contains(t, out, "shop.orders.by_note, root 3, 2000 records")
		if kill {
			continue
		}
		out, err = run("inspect", "warm", dir)
		require.NoError(t, err)
		require.Contains(t, out, "shop.orders")
	}
}

func TestVersion(t *testing.T) {
	out, err := run("version")
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(out, "ember "))
	out, err = run("version", "--json")
	require.NoError(t, err)
	require.True(t, json.Valid([]byte(out)))
}

func TestWarmStatus(t *testing.T) {
	s := warmOf(serverNumbers{"innodb_buffer_pool_load_status": "Loaded 12/200 pages", "innodb_buffer_pool_load_percent": "6.0"})
	require.Equal(t, warmStatus{Load: "Loaded 12/200 pages", Loading: true, Done: 12, Total: 200, Percent: 6}, s)
	require.True(t, warmOf(serverNumbers{"innodb_buffer_pool_load_status": "Loading buffer pool(s) from /d/x"}).Loading)
	require.True(t, warmOf(serverNumbers{"innodb_buffer_pool_dump_status": "Dumping buffer pool(s) to /d/x"}).Dumping)
	require.False(t, warmOf(serverNumbers{"innodb_buffer_pool_load_status": "Buffer pool(s) load completed at 240101  1:02:03"}).Loading)
}
