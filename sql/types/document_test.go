package types

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
)

// randomDocument is a value, and its text as MySQL writes it.
func randomDocument(r *rand.Rand, depth int) (v any, text string) {
	switch n := r.IntN(7); {
	case n < 2 && depth > 0:
		object, parts := make(map[string]any), []string(nil)
		for i := range r.IntN(4) {
			name := string(rune('a'+i)) + []string{"", "é", "\"q", " x"}[r.IntN(4)]
			member, t := randomDocument(r, depth-1)
			object[name] = member
			quoted, _ := json.Marshal(name)
			parts = append(parts, string(quoted)+": "+t)
		}
		return object, "{" + strings.Join(parts, ", ") + "}"
	case n < 4 && depth > 0:
		array, parts := []any{}, []string(nil)
		for range r.IntN(4) {
			e, t := randomDocument(r, depth-1)
			array, parts = append(array, e), append(parts, t)
		}
		return array, "[" + strings.Join(parts, ", ") + "]"
	case n == 4:
		return nil, "null"
	case n == 5:
		f := float64(r.IntN(1000)) / 8
		return f, fmt.Sprint(f)
	}
	s := []string{"", "plain", "with, comma", "}]", "back\\slash", "quote\"d", "tab\t", "é€😀"}[r.IntN(8)]
	quoted, _ := json.Marshal(s)
	return s, string(quoted)
}

// A value that is found in the text of a document is the one that a walk through the document finds,
// and a text has the value that was written.
func TestFindInDocument(t *testing.T) {
	r := rand.New(rand.NewPCG(testkit.Seed(t), 1))
	for range 20_000 {
		v, text := randomDocument(r, 4)
		var path []Step
		there := true
		for range r.IntN(4) {
			switch x := v.(type) {
			case map[string]any:
				names := []string{"a", "b"}
				for name := range x {
					if !strings.Contains(name, "\"") {
						names = append(names, name)
					}
				}
				slices.Sort(names)
				s := Step{names[r.IntN(len(names))], -1}
				path = append(path, s)
				member, ok := x[s.Name]
				v, there = member, there && ok
			case []any:
				s := Step{"", r.IntN(4)}
				path = append(path, s)
				if there = there && s.Element < len(x); there {
					v = x[s.Element]
				}
			default:
				path = append(path, Step{"", r.IntN(2)})
				there = there && path[len(path)-1].Element == 0
			}
			if !there {
				break
			}
		}
		found, ok := FindInDocument([]byte(text), path)
		require.Equal(t, there, ok, "%s %v", text, path)
		if !ok {
			continue
		}
		var got any
		require.NoError(t, json.Unmarshal(found, &got), "%s %v", text, path)
		require.Equal(t, v, got, "%s %v", text, path)
		unquoted, ok := AppendUnquoted(nil, found)
		require.True(t, ok)
		if s, is := v.(string); is {
			require.Equal(t, s, string(unquoted))
		} else {
			require.Equal(t, string(found), string(unquoted))
		}
	}
}

func TestParsePath(t *testing.T) {
	for text, want := range map[string][]Step{"$": nil, "$.a": {{"a", -1}}, "$.a_1[3].\"c d\"": {{"a_1", -1}, {"", 3}, {"c d", -1}}, "$[0]": {{"", 0}}} {
		got, ok := ParsePath(text)
		require.True(t, ok, text)
		require.Equal(t, want, got, text)
	}
	for _, text := range []string{"", "a", "$a", "$.", "$.*", "$**.a", "$[*]", "$[last]", "$[1 to 2]", "$[", "$.1", "$.a[-1]", "$.\"a\\\"b\"", "$.é", " $", "$ .a", "$.\"a"} {
		_, ok := ParsePath(text)
		require.False(t, ok, text)
	}
}

// Texts that are cut or damaged are never read beyond their end.
func FuzzFindInDocument(f *testing.F) {
	f.Add([]byte(`{"a": [1, {"b": "x\\"}]}`), "$.a[1].b")
	f.Fuzz(func(_ *testing.T, text []byte, path string) {
		steps, ok := ParsePath(path)
		if !ok {
			return
		}
		if found, ok := FindInDocument(text, steps); ok {
			AppendUnquoted(nil, found)
		}
	})
}
