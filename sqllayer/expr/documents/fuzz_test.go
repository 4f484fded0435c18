package documents

import (
	"testing"
)

// FuzzPath reads JSON paths.
func FuzzPath(f *testing.F) {
	for _, text := range []string{"$", "$.a.b[0]", "$[last-1 to last]", `$."a b"`, "$**.a", "$[*]", "$[", "$.", "x", "$[99999999999999999999]"} {
		f.Add(text)
	}
	f.Fuzz(func(_ *testing.T, text string) { _, _ = parsePath(text) })
}
