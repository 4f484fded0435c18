package backup

import (
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"
)

// Compression says how the pieces of a backup are compressed. The zero value is automatic: by a
// fast method while the store takes packs as fast as they come, by zstd while it is waited for.
type Compression struct {
	none  bool
	level zstd.EncoderLevel // 0: automatic
}

// ParseCompression reads auto, none, zstd or zstd:LEVEL.
func ParseCompression(text string) (c Compression, err error) {
	method, level, leveled := strings.Cut(text, ":")
	switch {
	case method == "zstd" && !leveled:
		c.level = zstd.SpeedFastest
	case method == "zstd":
		n, err := strconv.Atoi(level)
		if err != nil || n < 1 || n > 22 {
			return c, fmt.Errorf("level %q of zstd: it is 1 to 22", level)
		}
		c.level = zstd.EncoderLevelFromZstd(n)
	case text == "none":
		c.none = true
	case text != "auto":
		return c, fmt.Errorf("%q: compression is auto, none, zstd or zstd:LEVEL", text)
	}
	return c, nil
}

// compressor compresses pieces. It may be used concurrently.
type compressor struct {
	how  Compression
	zstd *zstd.Encoder
	lags atomic.Bool // the store was waited for last
}

func newCompressor(how Compression) (*compressor, error) {
	level := how.level
	if level == 0 {
		level = zstd.SpeedFastest
	}
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(level), zstd.WithEncoderCRC(false))
	return &compressor{how: how, zstd: enc}, err
}

// storeLags notes whether the store was waited for.
func (c *compressor) storeLags(late bool) { c.lags.Store(late) }

// leastGain is the part of a piece, as a shift, that compression must save to be worth opening it.
const leastGain = 4

// piece returns the compressed form of data, which may be in scratch, or data itself where that
// hardly gets smaller.
func (c *compressor) piece(scratch *[]byte, data []byte) (packed []byte, codec uint8) {
	switch {
	case c.how.none:
		return data, packedNot
	case c.how.level == 0 && !c.lags.Load():
		if n := s2.MaxEncodedLen(len(data)); cap(*scratch) < n {
			*scratch = make([]byte, n)
		}
		packed, codec = s2.Encode((*scratch)[:cap(*scratch)], data), packedS2
	default:
		*scratch = c.zstd.EncodeAll(data, (*scratch)[:0])
		packed, codec = *scratch, packedZstd
	}
	if len(packed) > len(data)-len(data)>>leastGain {
		return data, packedNot
	}
	return packed, codec
}
