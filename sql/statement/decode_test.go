package statement

import (
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/sql/token"
)

// TestDecode reads texts of clients in their character sets.
func TestDecode(t *testing.T) {
	for _, c := range []struct{ set, text, want string }{
		{"koi8r", "SELECT '\xf0'", "SELECT 'П'"},
		{"koi8r", "SELECT _koi8r'\xf0', '\xf0'", "SELECT _koi8r x'f0', 'П'"},
		{"koi8r", "SELECT _utf8mb4 '\xd0' '\x9f' , 'a'", "SELECT _utf8mb4  x'd09f' , 'a'"},
		{"koi8r", "SELECT _latin1'a', _binary 'b' AS `\xf0` -- \xf0", "SELECT _latin1'a', _binary 'b' AS `П` -- П"},
		{"sjis", "SELECT '\x83\x5c' AS \x83\x5c", "SELECT 'ソ' AS ソ"},
		{"sjis", "SELECT _binary'\x83\x5c', _latin1'\x83\x5c\\''", "SELECT _binary x'835c', _latin1 x'835c27'"},
		{"gbk", "SELECT '\xbf\x5c'", "SELECT '縗'"},
		{"gbk", "SELECT '\\\xbf\x5c'", "SELECT '\\縗'"},
		{"sjis", "SELECT '\x80'", "SELECT '\U00100080'"},
	} {
		require.Equal(t, c.want, Decode(c.text, 0, token.FindCharset(c.set)), "%s %q", c.set, c.text)
	}
}
