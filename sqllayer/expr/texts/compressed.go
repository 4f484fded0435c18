package texts

import (
	"bytes"
	"compress/zlib"
	"crypto/rand"
	"encoding/binary"
	"io"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/sqllayer/expr/operand"
)

// Warnings of UNCOMPRESS.
const (
	erUncompressedSize = 1256
	erZlibBuffer       = 1258
	erZlibData         = 1259
)

// lengthMask are the bits of the length in front of compressed data.
const lengthMask = 1<<30 - 1

func init() {
	operand.Register(
		operand.NewScalar("uncompress", 1, 1, types.LongBlob, func(ctx *sql.Context, a []any) (any, error) {
			text, err := operand.ShownText(ctx, a[0])
			if err != nil || text == "" {
				return []byte(text), err
			}
			return uncompress(ctx, []byte(text)), nil
		}),
		operand.NewScalar("random_bytes", 1, 1, types.LongBlob, func(ctx *sql.Context, a []any) (any, error) {
			n, err := operand.IntegerIn(ctx, a[0])
			if err != nil {
				return nil, err
			}
			if n < 1 || n > 1024 {
				return nil, mysql.NewSQLError(mysql.ERDataOutOfRange, "22003", "length value is out of range in 'random_bytes'")
			}
			out := make([]byte, n)
			_, err = rand.Read(out)
			return out, err
		}))
}

// uncompress reads data behind its length, which may be more than there is. NULL is what cannot be
// read; a warning tells why.
func uncompress(ctx *sql.Context, data []byte) any {
	if len(data) <= 4 {
		ctx.Warn(erZlibData, "ZLIB: Input data corrupted")
		return nil
	}
	size := int64(binary.LittleEndian.Uint32(data) & lengthMask)
	if size > operand.Most(ctx) {
		ctx.Warn(erUncompressedSize, "Uncompressed data size too large; the maximum size is %d (probably, length of uncompressed data was corrupted)", operand.Most(ctx))
		return nil
	}
	r, err := zlib.NewReader(bytes.NewReader(data[4:]))
	var out []byte
	if err == nil {
		out, err = io.ReadAll(io.LimitReader(r, size+1))
	}
	switch {
	case err != nil:
		ctx.Warn(erZlibData, "ZLIB: Input data corrupted")
		return nil
	case int64(len(out)) > size:
		ctx.Warn(erZlibBuffer, "ZLIB: Not enough room in the output buffer (probably, length of uncompressed data was corrupted)")
		return nil
	}
	return out
}
