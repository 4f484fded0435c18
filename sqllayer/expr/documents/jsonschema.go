package documents

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/jsonschema"
)

const (
	erNotSupportedYet = 1235
	erDocumentKind    = 3853
	erRegexpTimeout   = 3699
	erSchemaFailed    = 3934
)

// schemaCall is a function of a JSON schema and a document.
type schemaCall struct {
	operand.Many
	name   string
	report bool
	kept   atomic.Pointer[keptSchema]
}

// keptSchema is the schema that was met last; mostly that of all rows.
type keptSchema struct {
	text   string
	schema *jsonschema.Schema
}

var _ sql.FunctionExpression = (*schemaCall)(nil)
var _ sql.CollationCoercible = (*schemaCall)(nil)

func schemaFunction(name string, report bool) {
	operand.Register(sql.FunctionN{Name: name, Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		return newSchemaCall(ctx, name, report, args)
	}})
}

func newSchemaCall(ctx *sql.Context, name string, report bool, args []sql.Expression) (sql.Expression, error) {
	if len(args) != 2 {
		return nil, sql.ErrInvalidArgumentNumber.New(name, 2, len(args))
	}
	for i, e := range args {
		if e.Resolved() && !mayBeDocument(e.Type(ctx)) {
			return nil, noDocument(i, name)
		}
	}
	return &schemaCall{Many: operand.OverMany(args), name: name, report: report}, nil
}

// mayBeDocument tells whether values of a type can be documents or their texts.
func mayBeDocument(t sql.Type) bool {
	return t == nil || t == types.Null || types.IsJSON(t) || operand.IsText(t) || types.IsDeferredType(t)
}

func noDocument(at int, function string) error {
	return mysql.NewSQLError(erNoDocument, "22032", "Invalid data type for JSON data in argument %d to function %s; a JSON string or JSON type is required.", at+1, function)
}

// FunctionName implements sql.FunctionExpression.
func (c *schemaCall) FunctionName() string { return c.name }

// Description implements sql.FunctionExpression.
func (c *schemaCall) Description() string { return "MySQL's " + c.name }

func (c *schemaCall) String() string {
	return c.name + "(" + c.ChildExpressions[0].String() + "," + c.ChildExpressions[1].String() + ")"
}

// Type implements sql.Expression.
func (c *schemaCall) Type(*sql.Context) sql.Type {
	if c.report {
		return types.JSON
	}
	return types.Boolean
}

// IsNullable implements sql.Expression.
func (c *schemaCall) IsNullable(*sql.Context) bool { return true }

// CollationCoercibility implements sql.CollationCoercible.
func (c *schemaCall) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return ctx.GetCharacterSet().BinaryCollation(), 2
}

// WithChildren implements sql.Expression.
func (c *schemaCall) WithChildren(ctx *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	return newSchemaCall(ctx, c.name, c.report, children)
}

// Eval implements sql.Expression.
func (c *schemaCall) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	failure, null, err := c.look(ctx, row)
	if err != nil || null {
		return nil, err
	}
	if !c.report {
		return failure == nil, nil
	}
	if failure == nil {
		return operand.MadeOf(map[string]any{"valid": true}), nil
	}
	return operand.MadeOf(map[string]any{
		"valid": false, "reason": schemaReason(failure), "schema-location": failure.Schema, "document-location": failure.Document,
		"schema-failed-keyword": failure.Keyword,
	}), nil
}

// schemaReason says in a sentence what a document fails.
func schemaReason(f *jsonschema.Failure) string {
	return fmt.Sprintf("The JSON document location '%s' failed requirement '%s' at JSON Schema location '%s'", f.Document, f.Keyword, f.Schema)
}

// Unmet is the error that tells why a row does not meet a CHECK that is a call; nil: it does.
func (c *schemaCall) Unmet(ctx *sql.Context, row sql.Row) (*mysql.SQLError, error) {
	f, _, err := c.look(ctx, row)
	if err != nil || f == nil || c.report {
		return nil, err
	}
	return mysql.NewSQLError(erSchemaFailed, "HY000", "%s.", schemaReason(f)), nil
}

// look validates the document of a row; null: the schema or the document is NULL.
func (c *schemaCall) look(ctx *sql.Context, row sql.Row) (f *jsonschema.Failure, null bool, err error) {
	schema, err := c.schema(ctx, row)
	if err != nil || schema == nil {
		return nil, true, err
	}
	v, null, err := documentReader{c.ChildExpressions[1], c.name, 1}.value(ctx, row)
	if err != nil || null {
		return nil, true, err
	}
	f, err = schema.Validate(ctx, v)
	if err != nil && ctx.Err() == nil {
		err = mysql.NewSQLError(erRegexpTimeout, "HY000", "Timeout exceeded in regular expression match.")
	}
	return f, false, err
}

// schema is the one for a row; nil without an error is NULL.
func (c *schemaCall) schema(ctx *sql.Context, row sql.Row) (*jsonschema.Schema, error) {
	v, err := c.ChildExpressions[0].Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	text, isText, err := operand.TextOf(ctx, v)
	if err != nil {
		return nil, err
	}
	if kept := c.kept.Load(); isText && kept != nil && kept.text == text {
		return kept.schema, nil
	}
	v, err = c.document(ctx, v, text, isText)
	if err != nil {
		return nil, err
	}
	object, ok := v.(map[string]any)
	if !ok {
		return nil, mysql.NewSQLError(erDocumentKind, "22032", "Invalid JSON type in argument 1 to function %s; an object is required.", c.name)
	}
	schema, err := jsonschema.Compile(object)
	if errors.Is(err, jsonschema.ErrRemote) {
		return nil, mysql.NewSQLError(erNotSupportedYet, "42000", "This version of MySQL doesn't yet support '%s'", err)
	}
	if errors.Is(err, jsonschema.ErrRecursive) {
		return nil, operand.ErrJSONDepth
	}
	if err == nil && isText {
		c.kept.Store(&keptSchema{text, schema})
	}
	return schema, err
}

func (c *schemaCall) document(ctx context.Context, v any, text string, isText bool) (any, error) {
	if doc, ok := v.(sql.JSONWrapper); ok {
		return doc.ToInterface(ctx)
	}
	if !isText {
		return nil, noDocument(0, c.name)
	}
	v, err := operand.ParseDocument(ctx, text)
	if f, fault := IsFault(err); fault {
		err = f.InArgument(0, c.name)
	}
	return v, err
}

func init() {
	schemaFunction("json_schema_valid", false)
	schemaFunction("json_schema_validation_report", true)
}
