package texts

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/sql/parse"
	"emberdb/sql/token"
	"emberdb/sqllayer/expr/operand"
)

const (
	erNoDigest  = 3676
	digestBytes = 1024 // max_digest_length unless it is set at the start
)

func init() {
	operand.Register(
		digesting("statement_digest_text", func(text string) any { return text }),
		digesting("statement_digest", func(text string) any { return token.DigestID(text) }),
	)
}

// digesting is a function of a statement's digest text. Only a literal that is no statement is told
// in its error.
func digesting(name string, of func(text string) any) sql.Function {
	scalar := func(told bool) sql.Function {
		return operand.NewScalar(name, 1, 1, nil, func(ctx *sql.Context, args []any) (any, error) {
			if isBytes(args[0]) {
				return nil, mysql.NewSQLError(3987, "HY000", "The function %s does not support the character set 'binary'.", name)
			}
			text, err := digest(ctx, args[0])
			switch {
			case err == nil:
				return of(text), nil
			case told:
				return nil, err
			}
			return nil, mysql.NewSQLError(3677, "HY000", "Could not parse argument to digest function.")
		})
	}
	return sql.FunctionN{Name: name, Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		told := false
		if len(args) == 1 {
			_, told = args[0].(*expression.Literal)
		}
		return scalar(told).NewInstance(ctx, args)
	}}
}

func isBytes(v any) bool {
	switch v.(type) {
	case []byte, types.GeometryValue:
		return true
	}
	return false
}

// digest is the digest text of the one statement that a text must be.
func digest(ctx *sql.Context, v any) (string, error) {
	given, err := operand.ShownText(ctx, v)
	if err != nil {
		return "", err
	}
	var mode token.Mode
	if operand.Mode(ctx).AnsiQuotes() {
		mode = token.AnsiQuotes
	}
	found, err := parse.Parse(given, parse.Options{Mode: mode})
	if err == nil && found.Statement == nil {
		return "", noDigest("Query was empty")
	}
	if err != nil {
		return "", noDigest(err.Error())
	}
	return token.Digest(given, mode, nil, digestBytes), nil
}

func noDigest(why string) error {
	return mysql.NewSQLError(erNoDigest, "HY000", "Could not parse argument to digest function: \"%s\".", why)
}
