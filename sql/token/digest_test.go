package token

import (
	"math/rand/v2"
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

// slowDigest reads every token.
func slowDigest(text string, limit int) string {
	d := digester{text: text, room: limit, items: -1, slow: true}
	return d.read(0, nil)
}

// TestDigestOfLists: what is passed over changes nothing.
func TestDigestOfLists(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	words := []string{"1", "22", "'a'", "'b, c'", "'it''s'", `'\\'`, "NULL", "-1", "1.5", "1e3", "0x1f", "x'1f'", "?", "a", "f(1)", "DEFAULT", "1 ", "'a' 'b'", "\n7", "'é'", "1/* c */", "2 -- c\n", "3 # c\n", "2a", "'", "(1)", "(1,2)"}
	heads := []string{"INSERT INTO t VALUES ", "SELECT 1 IN ", "SELECT ", "SELECT * FROM t ORDER BY ", "SELECT * FROM t WHERE (a,b) IN (", "SELECT * FROM t GROUP BY 1, 2 LIMIT ", ""}
	passed := 0
	for range 20000 {
		text := heads[rnd.IntN(len(heads))]
		few := words[:2+rnd.IntN(len(words)-2)]
		for range 1 + rnd.IntN(5) {
			row := []string{}
			for range 1 + rnd.IntN(3) {
				row = append(row, few[rnd.IntN(len(few))])
			}
			if one := strings.Join(row, ","); rnd.IntN(4) > 0 {
				text += strings.Repeat("("+one+"),", 1+rnd.IntN(3)) + []string{"", " ", "\n"}[rnd.IntN(3)]
			} else {
				text += strings.Repeat(one+",", 1+rnd.IntN(3))
			}
		}
		if text = strings.TrimSuffix(text, ","); rnd.IntN(3) == 0 {
			text += []string{") AND b = 1", " ON DUPLICATE KEY UPDATE a = 1", ", a", "; SELECT 1", ", 1"}[rnd.IntN(5)]
		}
		limit := []int{10, 20, 33, 1024}[rnd.IntN(4)]
		d := digester{text: text, room: limit, items: -1}
		require.Equal(t, slowDigest(text, limit), d.read(0, nil), text)
		if strings.Contains(d.print(), "...") {
			passed++
		}
	}
	require.Greater(t, passed, 1000)
}

func FuzzDigest(f *testing.F) {
	f.Add("select /*+ a(b */ 1, -x'4' from `a")
	f.Add("((((1),(2)) in (((")
	f.Fuzz(func(t *testing.T, text string) {
		d := Digest(text, 0, nil, 1024)
		if len(d) > 8*1024 {
			t.Fatal(len(d))
		}
		for _, limit := range []int{24, 40, 1024} {
			require.Equal(t, slowDigest(text, limit), Digest(text, 0, nil, limit))
		}
	})
}

func BenchmarkDigest(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Digest("SELECT c, pad FROM sbtest1 WHERE id BETWEEN 100 AND 200 AND k IN (1,2,3) ORDER BY c", 0, nil, 1024)
	}
}

func BenchmarkDigestOfRows(b *testing.B) {
	text := "INSERT INTO t VALUES " + strings.Repeat("(123456),", 100000) + "(1)"
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Digest(text, 0, nil, 1024)
	}
}
