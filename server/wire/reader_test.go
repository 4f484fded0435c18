package wire

import (
	"bufio"
	"bytes"
	"io"
	"math/rand/v2"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

// dribble gives its bytes in pieces of random size, the last one with io.EOF.
type dribble struct {
	r    *rand.Rand
	left []byte
}

func (d *dribble) Read(p []byte) (int, error) {
	n := min(len(p), len(d.left), d.r.IntN(3000))
	copy(p, d.left[:n])
	d.left = d.left[n:]
	if len(d.left) == 0 {
		return n, io.EOF
	}
	return n, nil
}

// Whatever the calls and the pieces, nothing is lost, doubled or moved.
func TestReaderGivesTheStream(t *testing.T) {
	seed := rand.Uint64()
	t.Log("seed", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	for range 200 {
		text := make([]byte, r.IntN(100_000))
		for i := range text {
			text[i] = byte(r.Uint32())
		}
		rd := NewReader(&dribble{r, text})
		for at := 0; ; {
			var err error
			n := r.IntN(smallBuffer)
			if r.IntN(3) == 0 {
				n = r.IntN(4 * largeBuffer)
			}
			switch r.IntN(4) {
			case 0:
				var b []byte
				if b, err = rd.Peek(n); err == nil {
					require.Equal(t, text[at:at+n], b)
				} else {
					require.Greater(t, n, len(text)-at)
				}
			case 1:
				b := make([]byte, n)
				n, err = rd.Read(b)
				require.True(t, bytes.Equal(text[at:at+n], b[:n]))
				at += n
			case 2:
				n, err = rd.Discard(n)
				at += n
			case 3:
				rd.Rest()
			}
			if err != nil {
				require.Equal(t, io.EOF, err)
				rest, err := io.ReadAll(io.MultiReader(rd))
				require.NoError(t, err)
				require.True(t, bytes.Equal(text[at:], rest))
				break
			}
		}
	}
}

func TestReaderBorrowsALargeBuffer(t *testing.T) {
	rd := NewReader(bytes.NewReader(make([]byte, 3*largeBuffer)))
	_, err := rd.Peek(smallBuffer)
	require.NoError(t, err)
	require.Nil(t, rd.large)
	_, err = rd.Peek(largeBuffer)
	require.NoError(t, err)
	_, err = rd.Peek(hugeBuffer + 1)
	require.Equal(t, bufio.ErrBufferFull, err)
	rd.Rest()
	require.NotNil(t, rd.large, "it is not empty")
	_, err = rd.Peek(largeBuffer + 1)
	require.NoError(t, err)
	require.Nil(t, rd.large)
	require.NotNil(t, rd.huge)
	_, err = rd.Discard(rd.end - rd.at)
	require.NoError(t, err)
	rd.Rest()
	require.Nil(t, rd.huge)
	require.Len(t, rd.buf, smallBuffer)

	rd = NewReader(iotest.ErrReader(io.ErrUnexpectedEOF))
	_, err = rd.Peek(1)
	require.Equal(t, io.ErrUnexpectedEOF, err)
}

// TestReaderCutsAFrame takes bytes out of a frame and leaves what stands around them.
func TestReaderCutsAFrame(t *testing.T) {
	r := NewReader(bytes.NewReader(append(Frame(3, []byte("abcdefgh")), "rest"...)))
	_, err := r.Peek(HeaderSize + 8)
	require.NoError(t, err)
	r.CutFrame(HeaderSize+1, 3)
	seq, payload, err := ReadFrame(r, 100)
	require.NoError(t, err)
	require.Equal(t, byte(3), seq)
	require.Equal(t, "aefgh", string(payload))
	rest, err := r.Peek(4)
	require.NoError(t, err)
	require.Equal(t, "rest", string(rest))
}
