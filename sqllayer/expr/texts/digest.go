package texts

import (
	"github.com/dolthub/go-mysql-server/sql"
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
		operand.NewScalar("statement_digest_text", 1, 1, nil, func(ctx *sql.Context, args []any) (any, error) { return digest(ctx, args[0]) }),
		operand.NewScalar("statement_digest", 1, 1, nil, func(ctx *sql.Context, args []any) (any, error) {
			text, err := digest(ctx, args[0])
			if err != nil {
				return nil, err
			}
			return token.DigestID(text), nil
		}),
	)
}

// digest is the digest text of the one statement that a text must be.
func digest(ctx *sql.Context, v any) (string, error) {
	given, err := operand.ShownText(ctx, v)
	if err != nil {
		return "", err
	}
	mode := token.Prepared
	if operand.Mode(ctx).AnsiQuotes() {
		mode |= token.AnsiQuotes
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
