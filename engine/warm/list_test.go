package warm

import (
	"encoding/hex"
	"errors"
	"io/fs"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// The format, byte by byte. On disk; fixed: a change of this test is a change of the version.
func TestListFormat(t *testing.T) {
	l := &List{UUID: [16]byte{0: 0xA0, 15: 0xAF}, Generation: 7, Created: time.UnixMilli(0x0102030405), Young: 2,
		IDs: []uint64{base.PageID{Space: 16, No: 3}.Uint64(), base.PageID{Space: 17, No: 0x01020304}.Uint64(), base.PageID{Space: 16, No: 4}.Uint64()}}
	const golden = "454d4245524c5255" + "01000000" + "ca4236cd" + "a00000000000000000000000000000af" +
		"0700000000000000" + "0504030201000000" + "0300000000000000" + "0200000000000000" +
		"0300000010000000" + "0403020111000000" + "0400000010000000"
	require.Equal(t, golden, hex.EncodeToString(l.encode()))
	back, detail := decode(l.encode())
	require.Empty(t, detail)
	require.Equal(t, l, back)
}

func TestListFiles(t *testing.T) {
	fsys := vfs.NewMem(1)
	require.NoError(t, fsys.MkdirAll(dir))
	_, err := ReadList(fsys, listPath)
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.Nil(t, readNewest(fsys, listPath, func(err error) { require.NoError(t, err) }))
	for g := uint64(1); g <= 3; g++ {
		require.NoError(t, (&List{Generation: g, IDs: []uint64{g}}).Write(fsys, listPath))
	}
	names, err := fsys.List(dir)
	require.NoError(t, err)
	require.Equal(t, []string{DefaultFilename, DefaultFilename + previousSuffix}, names, "no temporary file is left")
	newest, err := ReadList(fsys, listPath)
	require.NoError(t, err)
	require.EqualValues(t, 3, newest.Generation)
	before, err := ReadList(fsys, listPath+previousSuffix)
	require.NoError(t, err)
	require.EqualValues(t, 2, before.Generation)
	require.NoError(t, fsys.Remove(listPath), "a crash between the renames")
	require.EqualValues(t, 2, readNewest(fsys, listPath, nil).Generation)
}

// Whatever the bytes are, they are a list or they are refused.
func FuzzDecode(f *testing.F) {
	good := (&List{Generation: 1, Young: 1, IDs: []uint64{1, 2, 3}}).encode()
	f.Add(good)
	f.Add(good[:70])
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		l, detail := decode(b)
		if (l == nil) == (detail == "") {
			t.Fatalf("list %v, detail %q", l, detail)
		}
		if l != nil && l.Young > len(l.IDs) {
			t.Fatal(errors.New("more young pages than pages"))
		}
	})
}
