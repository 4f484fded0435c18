package texts

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"strings"
	"testing"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/stretchr/testify/require"
)

// FuzzUncompress reads compressed values: nothing is larger than its length says.
func FuzzUncompress(f *testing.F) {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	_, _ = w.Write(make([]byte, 100000))
	_ = w.Close()
	for _, size := range []uint32{0, 1, 99999, 100000, 100001, 1<<32 - 1} {
		f.Add(append(binary.LittleEndian.AppendUint32(nil, size), b.Bytes()...))
	}
	f.Add([]byte("x"))
	f.Fuzz(func(t *testing.T, data []byte) {
		out, _ := uncompress(sql.NewEmptyContext(), data).([]byte)
		if len(data) > 4 {
			require.LessOrEqual(t, int64(len(out)), int64(binary.LittleEndian.Uint32(data)&lengthMask))
		}
	})
}

// FuzzPattern compiles regular expressions.
func FuzzPattern(f *testing.F) {
	for _, p := range []string{"a", "(a|b)*", `\Q(\E`, "[[:alpha:]]", "a{1,2}", "(?<n>a)\\k<n>", strings.Repeat("(", 2000), "[", `\`, "(?", "a{1000000000}"} {
		f.Add(p)
	}
	f.Fuzz(func(_ *testing.T, p string) { _, _ = compileRegexp(regexpKey{pattern: p}) })
}
