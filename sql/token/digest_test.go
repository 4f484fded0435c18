package token

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDigest compares digests with those of MySQL 9.7 (STATEMENT_DIGEST_TEXT). testdata/digests.txt
// has a statement and its digest on the line below.
func TestDigest(t *testing.T) {
	data, err := os.ReadFile("testdata/digests.txt")
	require.NoError(t, err)
	n := 0
	for entry := range strings.SplitSeq(strings.TrimSpace(string(data)), "\n\n") {
		text, want, _ := strings.Cut(entry, "\n")
		if got := Digest(text, 0, nil, 1024); got != want {
			t.Errorf("%s\n want %s\n got  %s", text, want, got)
		}
		n++
	}
	require.Greater(t, n, 200)
}

// TestDigestBounds: a digest is never much longer than its limit allows, and any bytes have one.
func TestDigestBounds(t *testing.T) {
	require.Equal(t, "SELECT", Digest("select abc from t", 0, nil, 6))
	require.Equal(t, "...", Digest("select 1", 0, nil, 0))
	require.Equal(t, "SELECT `a` , ?, ...", Digest("select a"+strings.Repeat(",1", 100000), 0, nil, 1024))
	long := Digest("select a"+strings.Repeat(",abcdefg", 100000), 0, nil, 1024)
	require.True(t, strings.HasSuffix(long, "` ,") || strings.HasSuffix(long, "`"), "it is cut between two tokens")
	require.Less(t, len(long), 3*1024)
	require.Len(t, DigestID(long), 64)
}

func FuzzDigest(f *testing.F) {
	f.Add("select /*+ a(b */ 1, -x'4' from `a")
	f.Add("((((1),(2)) in (((")
	f.Fuzz(func(t *testing.T, text string) {
		if d := Digest(text, 0, nil, 1024); len(d) > 8*1024 {
			t.Fatal(len(d))
		}
	})
}

func BenchmarkDigest(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Digest("SELECT c, pad FROM sbtest1 WHERE id BETWEEN 100 AND 200 AND k IN (1,2,3) ORDER BY c", 0, nil, 1024)
	}
}
