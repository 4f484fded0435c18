package binlog

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// operations are those of a difference, as text.
func operations(t *testing.T, diff []byte) string {
	t.Helper()
	steps, err := ReadDiff(diff)
	require.NoError(t, err)
	var out []string
	for _, s := range steps {
		out = append(out, fmt.Sprintf("%s %s %s", s.Function(), s.Path, s.Value))
	}
	return strings.Join(out, "; ")
}

func TestDocumentDifference(t *testing.T) {
	var d jsonDiff
	long := strings.Repeat("x", 50)
	for _, c := range [][3]string{
		{`{"a": 1, "b": "` + long + `"}`, `{"a": 2, "b": "` + long + `"}`, `JSON_REPLACE $.a 2`},
		{`{"a": 1, "b": "` + long + `"}`, `{"b": "` + long + `"}`, `JSON_REMOVE $.a `},
		{`{"b": "` + long + `"}`, `{"c": [null, true], "b": "` + long + `"}`, `JSON_INSERT $.c [null, true]`},
		{`["` + long + `", 1, 2]`, `["` + long + `", 1, 3]`, `JSON_REPLACE $[2] 3`},
		{`["` + long + `", 1, 2, 3]`, `["` + long + `", 1]`, `JSON_REMOVE $[3] ; JSON_REMOVE $[2] `},
		{`["` + long + `"]`, `["` + long + `", 1, 2]`, `JSON_ARRAY_INSERT $[1] 1; JSON_ARRAY_INSERT $[2] 2`},
		{`{"a b": {"c\"d": 1}, "b": "` + long + `"}`, `{"a b": {"c\"d": 1.5}, "b": "` + long + `"}`, `JSON_REPLACE $."a b"."c\"d" 1.5`},
		{`{"1": 1, "b": "` + long + `"}`, `{"1": "1", "b": "` + long + `"}`, `JSON_REPLACE $."1" "1"`},
		{`{"": 1, "b": "` + long + `"}`, `{"b": "` + long + `"}`, `JSON_REMOVE $."" `},
		{`{"a": 1}`, `{"a":1 }`, ``},
		{`{"a": 1}`, `[1]`, "whole"},
		{`1`, `2`, "whole"},
		{`[1, 2, 3]`, `[4, 5, 6]`, "whole"},
	} {
		got, ok, err := d.append(nil, []byte(c[0]), []byte(c[1]))
		require.NoError(t, err)
		if !ok {
			require.Equal(t, c[2], "whole", "%s to %s", c[0], c[1])
			continue
		}
		require.Equal(t, c[2], operations(t, got), "%s to %s", c[0], c[1])
	}
	_, _, err := d.append(nil, []byte(`{`), []byte(`{}`))
	require.Error(t, err)
}

// document makes a random one.
func document(r *rand.Rand, depth int) any {
	switch n := r.IntN(8); {
	case depth > 0 && n < 3:
		m := map[string]any{}
		for range r.IntN(5) {
			m[[]string{"a", "b", "c d", "", "é", "7"}[r.IntN(6)]] = document(r, depth-1)
		}
		return m
	case depth > 0 && n < 5:
		a := []any{}
		for range r.IntN(4) {
			a = append(a, document(r, depth-1))
		}
		return a
	case n == 5:
		return r.IntN(3)
	case n == 6:
		return nil
	}
	return strings.Repeat("s", r.IntN(30))
}

// TestDocumentDifferenceApplied does what differences of random documents say.
func TestDocumentDifferenceApplied(t *testing.T) {
	seed := rand.Uint64()
	t.Log("seed", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	var d jsonDiff
	told := 0
	for range 3000 {
		from := document(r, 3)
		text, err := json.Marshal(from)
		require.NoError(t, err)
		var to any
		require.NoError(t, json.Unmarshal(text, &to))
		if m, ok := to.(map[string]any); ok {
			for k := range m {
				if r.IntN(2) == 0 {
					m[k] = document(r, 2)
				}
			}
			m[string(rune('a'+r.IntN(5)))] = document(r, 1)
		} else {
			to = document(r, 3)
		}
		want, err := json.Marshal(to)
		require.NoError(t, err)
		diff, ok, err := d.append(nil, text, want)
		require.NoError(t, err)
		if !ok {
			continue
		}
		told++
		steps, err := ReadDiff(diff)
		require.NoError(t, err)
		var doc any
		require.NoError(t, json.Unmarshal(text, &doc))
		for _, s := range steps {
			doc = applied(t, doc, s, strings.TrimPrefix(s.Path, "$"))
		}
		got, err := json.Marshal(doc)
		require.NoError(t, err)
		require.JSONEq(t, string(want), string(got), "%s to %s by %s", text, want, operations(t, diff))
	}
	require.Greater(t, told, 500)
}

// applied does one step below a node; path is what of its path follows.
func applied(t *testing.T, node any, s DiffStep, path string) any {
	t.Helper()
	var value any
	if s.Value != "" {
		require.NoError(t, json.Unmarshal([]byte(s.Value), &value))
	}
	if path[0] == '[' {
		var i int
		end := strings.IndexByte(path, ']')
		_, err := fmt.Sscan(path[1:end], &i)
		require.NoError(t, err)
		a := node.([]any)
		switch {
		case end+1 < len(path):
			a[i] = applied(t, a[i], s, path[end+1:])
		case s.Function() == "JSON_REMOVE":
			return append(a[:i:i], a[i+1:]...)
		case s.Function() == "JSON_ARRAY_INSERT":
			return append(a[:i:i], append([]any{value}, a[i:]...)...)
		default:
			a[i] = value
		}
		return a
	}
	key, rest := path[1:], ""
	if key[0] == '"' {
		dec := json.NewDecoder(strings.NewReader(key))
		var k string
		require.NoError(t, dec.Decode(&k))
		key, rest = k, key[dec.InputOffset():]
	} else if at := strings.IndexAny(key, ".["); at >= 0 {
		key, rest = key[:at], key[at:]
	}
	m := node.(map[string]any)
	_, there := m[key]
	switch {
	case rest != "":
		m[key] = applied(t, m[key], s, rest)
	case s.Function() == "JSON_REMOVE":
		require.True(t, there)
		delete(m, key)
	default:
		require.Equal(t, s.Function() == "JSON_REPLACE", there)
		m[key] = value
	}
	return m
}
