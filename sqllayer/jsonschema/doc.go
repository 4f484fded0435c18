// Package jsonschema tells whether a document keeps a JSON schema of draft 4, and what it fails.
//
// Values are those of sqllayer/expr's documents: nil, bool, string, []any, map[string]any, and
// numbers. A value is looked at from its outside to its inside, members by the order of MySQL's
// documents, and the first failure is told:
//
//	type, limits of a number or text   when the value begins
//	items, properties                  each in turn, whole
//	required, counts, dependencies     behind the last of them
//	enum, allOf, anyOf, oneOf, not     when the value ends
//
// A keyword whose value has the wrong type says nothing, and neither does a pattern that is no
// regular expression.
package jsonschema
