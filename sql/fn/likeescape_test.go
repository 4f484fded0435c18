package fn

import (
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/sql/types"
)

func TestEscaped(t *testing.T) {
	text := func(s string) *Const {
		v := types.NewVec(types.String, 1)
		v.S[0] = []byte(s)
		return NewConst(v, types.StringType(40, 255, types.Literal, false))
	}
	for _, c := range [][3]string{
		{"10|%", "|", `10\%`}, {"a||b|_", "|", `a|b\_`}, {`a\%`, "|", `a\\%`}, {`a\%`, "", `a\\%`}, {`a\%`, `\`, `a\%`},
		{"a|", "|", "a|"}, {"%_", "_", `%\_`}, {"%%%", "%", `\%\%`}, {"üüü%", "ü", `ü\%`}, {`|\x`, "|", `\\x`}, {"", "|", ""},
	} {
		got, err := Escaped(text(c[0]), text(c[1]))
		require.NoError(t, err)
		require.Equal(t, c[2], string(got.(*Const).V.S[0]), "%q ESCAPE %q", c[0], c[1])
	}
	_, err := Escaped(text("a"), text("||"))
	require.Error(t, err)
	_, err = Escaped(text("a"), NullConst())
	require.Error(t, err)
}
