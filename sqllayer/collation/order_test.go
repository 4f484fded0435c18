package collation

import (
	"bufio"
	"bytes"
	"database/sql"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode"

	_ "github.com/go-sql-driver/mysql"
	"github.com/stretchr/testify/require"

	"emberdb/engine/row"
	"emberdb/sql/charset"
)

var (
	ask   = flag.String("mysql", "", "write testdata/orders anew, with the answers of the MySQL server behind this socket")
	pairs = flag.Int("pairs", 200, "pairs of texts for each collation")
)

const ordersFile = "testdata/orders"

// others are collations with another order than MySQL's: in the first four, what a character weighs
// depends on those around it, or on their bytes; in the others, bytes that are no character do.
var others = strings.Fields(`big5_chinese_ci cp1250_czech_cs latin2_czech_cs tis620_thai_ci
	armscii8_general_ci ascii_bin ascii_general_ci cp1256_bin cp1257_general_ci cp1257_lithuanian_ci geostd8_general_ci swe7_bin swe7_swedish_ci`)

// letters are characters that languages order apart, that weigh nothing, or as several.
var letters = []rune("aAbBcCdDeEgGhHiIjJlLnNoOrRsStTuUvVwWyYzZkq 019'-_.~,\x00\x01\t\n\x1f\x7f\u00a0\u00ad" +
	"éÉèëßẞæÆœŒøØåÅäÄöÖüÜñÑçÇčČćšŠžŽłŁđĐþÞðıİĳŀơƠưſﬁŋąęőűģķļņşșțţğĉǆǄǅǉǌÿ×÷¡¿ªº½²" +
	"\u0300\u0301\u0308\u030a\u030c\u0327\u0345\u200b\u200d\u2060\ufeff\u3000\u2003\ufffd\u0378\ue000" +
	"αΑάςσΣΩὰЖжйИйёЁіїґўҐәөүאבשׁ\u05b7ابةىيپکك\u064b\u0640کગકแเกไขา\u0e49\u0e4d" +
	"ກເ한하ㅏㄱ가각ᄀ\u1161\u11a8カがガかーゝゞヽァｱｶﾞｰゔ々中文字一丁亜龥阿吖安\u3400丽😀𝐀𠀀\U000e0100\U0010ffff" +
	"აბԱաևකකාකෟဂင်္ကᏣⱭꟼ①㈱㍿Ⅳㇰ")

// text makes a text of a character set.
func text(rng *rand.Rand, set *charset.Set) []rune {
	out := make([]rune, 0, 6)
	for n := rng.IntN(6); len(out) < n; {
		r := letters[rng.IntN(len(letters))]
		switch rng.IntN(8) {
		case 0, 1, 2:
			r = letters[rng.IntN(54)]
		case 3:
			if b := []byte{byte(0x81 + rng.IntN(0x7E)), byte(0x40 + rng.IntN(0xBE)), byte(0x81 + rng.IntN(0x7E)), byte(0x30 + rng.IntN(10))}; !set.IsUnicode() {
				if o, n := set.DecodeRune(b); n > 1 || set.MaxLen() == 1 {
					r = o
				}
			}
		}
		if set.Has(r) {
			out = append(out, r)
		}
	}
	return out
}

// like makes a text that may compare as another one, or close to it.
func like(rng *rand.Rand, set *charset.Set, a []rune) []rune {
	b := append([]rune(nil), a...)
	at := rng.IntN(len(b) + 1)
	switch rng.IntN(6) {
	case 0:
		return text(rng, set)
	case 1:
		return append(b, ' ')
	case 2:
		return append(b[:at:at], text(rng, set)...)
	}
	for i, r := range b {
		if o := unicode.SimpleFold(r); rng.IntN(3) == 0 && set.Has(o) {
			b[i] = o
		}
	}
	with := text(rng, set)
	return append(b[:at:at], append(with[:min(1, len(with))], b[at:]...)...)
}

func pairsOf(c *row.Collation, n int) (out [][2]string) {
	name, _, _ := strings.Cut(c.Name, "_")
	set, rng := charset.Find(name), rand.New(rand.NewPCG(uint64(c.ID), 7))
	for range n {
		a := text(rng, set)
		b := like(rng, set, a)
		out = append(out, [2]string{string(a), string(b)})
	}
	return out
}

func signOf(n int) byte { return "<=>"[n+1] }

// Texts are ordered as MySQL orders them, under each of its collations.
func TestOrders(t *testing.T) {
	if *ask != "" {
		writeOrders(t)
	}
	f, err := os.Open(ordersFile)
	require.NoError(t, err)
	defer f.Close()
	total, wrong := 0, 0
	for in := bufio.NewScanner(f); in.Scan(); {
		var id uint16
		var name, want string
		_, err := fmt.Sscan(in.Text(), &id, &name, &want)
		require.NoError(t, err)
		c := row.LookupCollation(id)
		if c == nil {
			t.Errorf("%s is not known", name)
			continue
		}
		if slices.Contains(others, name) {
			continue
		}
		bad, first := 0, ""
		for i, p := range pairsOf(c, len(want)) {
			got := signOf(bytes.Compare(key(id, row.NewestCodes(id), p[0]), key(id, row.NewestCodes(id), p[1])))
			if got != want[i] {
				if bad++; bad <= 3 {
					first += fmt.Sprintf(" %+q %c %+q, MySQL %c;", p[0], got, p[1], want[i])
				}
			}
		}
		total, wrong = total+len(want), wrong+bad
		if bad > 0 {
			t.Errorf("%s: %d of %d:%s", name, bad, len(want), first)
		}
	}
	t.Logf("%d of %d pairs differ", wrong, total)
}

func writeOrders(t *testing.T) {
	db, err := sql.Open("mysql", "root@unix("+*ask+")/?charset=utf8mb4")
	require.NoError(t, err)
	defer db.Close()
	rows, err := db.Query("SELECT id, collation_name, character_set_name FROM information_schema.collations WHERE collation_name <> 'binary' ORDER BY id")
	require.NoError(t, err)
	var out bytes.Buffer
	for rows.Next() {
		var id uint16
		var name, set string
		require.NoError(t, rows.Scan(&id, &name, &set))
		all := pairsOf(&row.Collation{ID: id, Name: name}, *pairs)
		signs := ""
		for len(all) > 0 {
			n := min(200, len(all))
			var q strings.Builder
			q.WriteString("SELECT CONCAT(''")
			for _, p := range all[:n] {
				q.WriteString(", CASE STRCMP(")
				for i, s := range p {
					b, _ := charset.Find(set).Encode(nil, []byte(s))
					fmt.Fprintf(&q, "%s_%s X'%X' COLLATE %s", strings.Repeat(",", i), set, b, name)
				}
				q.WriteString(") WHEN 0 THEN '=' WHEN 1 THEN '>' ELSE '<' END")
			}
			var got string
			require.NoError(t, db.QueryRow(q.String()+")").Scan(&got), name)
			signs, all = signs+got, all[n:]
		}
		fmt.Fprintln(&out, id, name, signs)
	}
	require.NoError(t, rows.Err())
	require.NoError(t, os.WriteFile(ordersFile, out.Bytes(), 0o666))
}
