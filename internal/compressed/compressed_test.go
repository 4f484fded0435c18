package compressed

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

// pieces gives a stream in pieces of random sizes, with a deadline that has passed between them.
type pieces struct {
	r    *rand.Rand
	rest []byte
}

func (p *pieces) Read(b []byte) (int, error) {
	if p.r.IntN(3) == 0 {
		return 0, os.ErrDeadlineExceeded
	}
	if len(p.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(b, p.rest[:min(len(p.rest), 1+p.r.IntN(40000))])
	p.rest = p.rest[n:]
	return n, nil
}

func content(r *rand.Rand, n int) []byte {
	b := bytes.Repeat([]byte{'x'}, n)
	for i := 0; i < n; i += 1 + r.IntN(300) {
		b[i] = byte(r.Uint32())
	}
	return b
}

// What is written is read, whatever the sizes, wherever the stream is interrupted.
func TestRoundTrip(t *testing.T) {
	for _, a := range []Algorithm{None, Zlib, Zstd} {
		for _, level := range []int{1, 3, 9, MaxLevel} {
			r := rand.New(rand.NewPCG(uint64(a), uint64(level)))
			var wire, want bytes.Buffer
			w := NewWriter(&wire, NewReader(nil, a), level)
			for _, n := range []int{1, leastPacked - 1, leastPacked, 300, 20000, mostPacked, 3*mostPacked + 7, 5} {
				b := content(r, n)
				want.Write(b)
				m, err := w.Write(b)
				require.NoError(t, err)
				require.Equal(t, n, m)
			}
			require.Equal(t, wire.Len(), w.TakeSent())
			require.Zero(t, w.TakeSent())
			if a != None {
				require.Less(t, wire.Len(), want.Len()/3)
			}
			all := wire.Bytes()
			in := NewReader(&pieces{r, all}, a)
			var got bytes.Buffer
			for buf := make([]byte, 5000); ; {
				n, err := in.Read(buf)
				got.Write(buf[:n])
				if errors.Is(err, io.EOF) {
					break
				}
				if err != nil {
					require.ErrorIs(t, err, os.ErrDeadlineExceeded)
				}
			}
			require.True(t, bytes.Equal(want.Bytes(), got.Bytes()), "algorithm %d, level %d", a, level)
			require.Equal(t, len(all), in.TakeReceived())

			_, err := io.ReadAll(NewReader(bytes.NewReader(all[:len(all)-1]), a))
			require.ErrorIs(t, err, io.ErrUnexpectedEOF)
		}
	}
}

// A reader that stops anywhere is gone on with by another one.
func TestResume(t *testing.T) {
	for _, a := range []Algorithm{None, Zlib, Zstd} {
		r := rand.New(rand.NewPCG(3, uint64(a)))
		var wire bytes.Buffer
		want := content(r, 5000)
		w := NewWriter(&wire, NewReader(nil, a), 3)
		for part := range len(want) / 500 {
			_, err := w.Write(want[part*500 : part*500+500])
			require.NoError(t, err)
		}
		for cut := range wire.Len() {
			first := NewReader(iotest.TimeoutReader(io.MultiReader(bytes.NewReader(wire.Bytes()[:cut]), iotest.ErrReader(os.ErrDeadlineExceeded))), a)
			got := make([]byte, r.IntN(len(want)))
			n, _ := io.ReadFull(first, got)
			p := first.Pending()
			rest := wire.Bytes()[first.TakeReceived()+len(p.Frame):]
			second := NewReader(io.MultiReader(bytes.NewReader(p.Frame), bytes.NewReader(rest)), a)
			second.Resume(p)
			more, err := io.ReadAll(second)
			require.NoError(t, err)
			require.True(t, bytes.Equal(want, append(got[:n], more...)), "algorithm %d, cut at %d", a, cut)
		}
	}
}

// FuzzReader reads frames that a hostile peer sends: it gets an error or bytes, and no more memory
// than the frames announce.
func FuzzReader(f *testing.F) {
	for _, a := range []Algorithm{None, Zlib, Zstd} {
		var wire bytes.Buffer
		w := NewWriter(&wire, NewReader(nil, a), 3)
		_, err := w.Write(bytes.Repeat([]byte("ember"), 100))
		require.NoError(f, err)
		f.Add(wire.Bytes(), byte(a))
	}
	f.Fuzz(func(t *testing.T, wire []byte, a byte) {
		in := NewReader(bytes.NewReader(wire), Algorithm(a%3))
		n, err := io.Copy(io.Discard, in)
		require.LessOrEqual(t, n, int64(len(wire)/headerSize+1)*maxFrame)
		if err != nil {
			again, err := in.Read(make([]byte, 1))
			require.Zero(t, again)
			require.Error(t, err)
		}
	})
}
