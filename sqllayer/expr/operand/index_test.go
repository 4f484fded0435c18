package operand

import (
	"math/rand"
	"strings"
	"testing"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/stretchr/testify/require"
)

// TestIndexFindsTheFirst compares Index with a search that tries every place.
func TestIndexFindsTheFirst(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	letters := []rune("aAäbé")
	text := func(n int) string {
		var out strings.Builder
		for range n {
			out.WriteRune(letters[r.Intn(len(letters))])
		}
		return out.String()
	}
	found := 0
	for _, id := range []sql.CollationID{sql.Collation_utf8mb4_0900_ai_ci, sql.Collation_utf8mb4_bin, sql.Collation_binary} {
		c := Collate(id)
		for range 20000 {
			whole, part := text(r.Intn(12)), text(r.Intn(5))
			want := -1
			for at := range whole + " " {
				runes := []rune(whole[min(at, len(whole)):])
				n := len([]rune(part))
				if n > len(runes) {
					break
				}
				if c.Compare(string(runes[:n]), part) == 0 {
					want = at
					break
				}
			}
			got, err := c.Index(sql.NewEmptyContext(), whole, part)
			require.NoError(t, err)
			require.Equal(t, want, got, "%q in %q under %s", part, whole, id.Name())
			if got >= 0 {
				found++
			}
		}
	}
	require.Greater(t, found, 10000)
}
