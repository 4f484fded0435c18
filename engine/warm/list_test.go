package warm

import (
	"encoding/hex"
	"errors"
	"fmt"
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
	const golden = "454d4245524c5255" + "%s" + "a00000000000000000000000000000af" +
		"0700000000000000" + "0504030201000000" + "0300000000000000" + "0200000000000000" +
		"0300000010000000" + "0403020111000000" + "0400000010000000"
	l.Names = map[base.SpaceID]TableName{16: {"db", "t"}, 17: {"d", "lines"}}
	require.Equal(t, fmt.Sprintf(golden, "02000000"+"764b3866")+"10000000"+"0200"+"6462"+"0100"+"74"+"11000000"+"0100"+"64"+"0500"+"6c696e6573",
		hex.EncodeToString(bytesOf(t, l)))
	back, detail := decode(bytesOf(t, l))
	require.Empty(t, detail)
	require.Equal(t, l, back)

	v1, err := hex.DecodeString(fmt.Sprintf(golden, "01000000"+"ca4236cd"))
	require.NoError(t, err)
	back, detail = decode(v1)
	require.Empty(t, detail)
	l.Names = map[base.SpaceID]TableName{}
	require.Equal(t, l, back, "version 1 is the same without names")
}

// bytesOf writes a list and returns the file's bytes.
func bytesOf(t testing.TB, l *List) []byte {
	fsys := vfs.NewMem(1)
	require.NoError(t, fsys.MkdirAll(dir))
	require.NoError(t, l.WriteFile(fsys, listPath))
	b, err := vfs.ReadFile(fsys, listPath)
	require.NoError(t, err)
	return b
}

func TestListFiles(t *testing.T) {
	fsys := vfs.NewMem(1)
	require.NoError(t, fsys.MkdirAll(dir))
	_, err := ReadList(fsys, listPath)
	require.ErrorIs(t, err, fs.ErrNotExist)
	l, _ := readNewest(fsys, listPath, func(err error) { require.NoError(t, err) })
	require.Nil(t, l)
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
	l, file := readNewest(fsys, listPath, nil)
	require.EqualValues(t, 2, l.Generation)
	require.Equal(t, listPath+previousSuffix, file)
}

// Whatever the bytes are, they are a list or they are refused.
func FuzzDecode(f *testing.F) {
	good := bytesOf(f, &List{Generation: 1, Young: 1, IDs: []uint64{1, 2, 3}, Names: map[base.SpaceID]TableName{4: {"a", "b"}}})
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
