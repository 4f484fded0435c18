package run

import (
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var usualFormat = loadFormat{fields: "\t", escaped: `\`, lines: "\n"}

// linesOf are the lines of a file; fields are joined by |, NULL is <>.
func linesOf(t testing.TB, file string, format loadFormat) (lines []string, err error) {
	t.Helper()
	r := newLoadReader(strings.NewReader(file), format, 1<<20)
	for {
		fields, err := r.next()
		if err != nil {
			if err == io.EOF {
				err = nil
			}
			return lines, err
		}
		var shown []string
		for _, f := range fields {
			if f.null {
				f.text = []byte("<>")
			}
			shown = append(shown, string(f.text))
		}
		lines = append(lines, strings.Join(shown, "|"))
	}
}

func TestLoadFields(t *testing.T) {
	csv := loadFormat{fields: ",", enclosed: `"`, escaped: `\`, lines: "\r\n"}
	for _, c := range []struct {
		file   string
		format loadFormat
		want   []string
	}{
		{"", usualFormat, nil},
		{"a\tb\nc\td\n", usualFormat, []string{"a|b", "c|d"}},
		{"a\tb\nc", usualFormat, []string{"a|b", "c"}},
		{"\n\t\n", usualFormat, []string{"", "|"}},
		{"\\N\tNULL\t\\NN\tx\\N\n", usualFormat, []string{"<>|NULL|NN|xN"}},
		{"a\\tb\\\tc\\nd\\\\\\0\\Z\n", usualFormat, []string{"a\tb\tc\nd\\\x00\x1a"}},
		{"a\\", usualFormat, []string{`a\`}},
		{"\"a,\"\"b\r\n\"\"\",c,NULL,\"NULL\"\r\n\"x\"y\",\"z", csv, []string{"a,\"b\r\n\"|c|<>|NULL", `x"y|"z`}},
		{"a,b,c", loadFormat{fields: ","}, []string{"a", "b", "c"}},
		{"--a\nx--b\nc\n", loadFormat{fields: "\t", starting: "--", lines: "\n"}, []string{"a", "b"}},
		{"a", loadFormat{}, []string{"a"}},
	} {
		lines, err := linesOf(t, c.file, c.format)
		require.NoError(t, err)
		require.Equal(t, c.want, lines, "%q", c.file)
	}
}

// TestLoadFieldsAreBounded: a line that does not end is refused, whether it is one field or many.
func TestLoadFieldsAreBounded(t *testing.T) {
	for _, unit := range []string{"x", "\t", `\n`} {
		_, err := linesOf(t, strings.Repeat(unit, 2<<20), usualFormat)
		require.ErrorContains(t, err, "max_allowed_packet")
	}
}

// FuzzLoadFields reads any bytes in any format: it ends, and holds no more than the file and its
// bound.
func FuzzLoadFields(f *testing.F) {
	f.Add("a\tb\\N\n", "\t", "", `\`, "", "\n")
	f.Add("\"a\",\"b\"\r\n", ",", `"`, `"`, "", "\r\n")
	f.Add("xxaxx", "", "", "", "xx", "")
	f.Add("aaaa", "a", "a", "a", "a", "a")
	f.Fuzz(func(t *testing.T, file, fields, enclosed, escaped, starting, lines string) {
		one := func(s string) string { return s[:min(len(s), 1)] }
		got, err := linesOf(t, file, loadFormat{fields, one(enclosed), one(escaped), starting, lines})
		if err != nil {
			return
		}
		total := 0
		for _, l := range got {
			total += len(l)
		}
		require.LessOrEqual(t, total, 3*len(file)+2)
	})
}
