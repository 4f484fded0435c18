package jsonschema

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// documentOf reads a text as encoding/json does: all numbers are doubles.
func documentOf(t *testing.T, text string) any {
	t.Helper()
	var v any
	require.NoError(t, json.Unmarshal([]byte(text), &v))
	return v
}

func compiled(t *testing.T, text string) (*Schema, error) {
	t.Helper()
	return Compile(documentOf(t, text).(map[string]any))
}

func TestFailures(t *testing.T) {
	for _, c := range []struct{ schema, document, keyword, at, place string }{
		{`{"type":"object"}`, `{}`, "", "", ""},
		{`{"type":"nothing"}`, `{}`, "type", "#", "#"},
		{`{"items":{"maximum":2}}`, `[1,2,3]`, "maximum", "#/items", "#/2"},
		{`{"properties":{"a":{"required":["b"]}}}`, `{"a":{"c":1}}`, "required", "#/properties/a", "#/a"},
		{`{"uniqueItems":true}`, `[{"a":1,"b":2},{"b":2,"a":1}]`, "uniqueItems", "#", "#/1"},
		{`{"oneOf":[{"type":"number"},{"minimum":1}]}`, `2`, "oneOf", "#", "#"},
		{`{"definitions":{"p":{"type":"string"}},"items":{"$ref":"#/definitions/p"}}`, `[1]`, "type", "#/definitions/p", "#/0"},
		{`{"properties":{"a":{"$ref":"#/nowhere"}}}`, `{"a":1}`, "", "", ""},
		{`{"minLength":-1,"maxLength":"3","pattern":"("}`, `"abcd"`, "", "", ""},
	} {
		s, err := compiled(t, c.schema)
		require.NoError(t, err, c.schema)
		f, err := s.Validate(context.Background(), documentOf(t, c.document))
		require.NoError(t, err)
		if c.keyword == "" {
			require.Nil(t, f, c.schema)
			continue
		}
		require.NotNil(t, f, c.schema)
		require.Equal(t, Failure{c.keyword, c.at, c.place}, *f, c.schema)
	}
}

func TestReferences(t *testing.T) {
	_, err := compiled(t, `{"not":{"items":[{"$ref":"http://example.com"}]}}`)
	require.ErrorIs(t, err, ErrRemote)
	for _, text := range []string{
		`{"properties":{"next":{"$ref":"#"}}}`,
		`{"definitions":{"a":{"$ref":"#/definitions/b"},"b":{"$ref":"#/definitions/a"}},"items":{"$ref":"#/definitions/a"}}`,
	} {
		_, err := compiled(t, text)
		require.ErrorIs(t, err, ErrRecursive, text)
	}
}

// TestEnds looks at the statement while it looks at a document.
func TestEnds(t *testing.T) {
	s, err := compiled(t, `{"items":{"type":"number"}}`)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = s.Validate(ctx, documentOf(t, "["+strings.Repeat("1,", 2*stepsBetween)+"1]"))
	require.ErrorIs(t, err, context.Canceled)
}
