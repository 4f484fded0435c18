package texts

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/sqllayer/expr/operand"
)

func init() {
	operand.Register(operand.NewScalar("inet_aton", 1, 1, types.Uint64, func(ctx *sql.Context, a []any) (any, error) {
		address, ok, err := operand.TextOf(ctx, a[0])
		if !ok || err != nil {
			return nil, err
		}
		n, ok := addressNumber(address)
		if !ok {
			ctx.Warn(1411, "Incorrect string value: ''%s'' for function inet_aton", address)
			return nil, nil
		}
		return n, nil
	}))
}

// addressNumber reads an address of up to four numbers. Those that lack stand in front of the last
// one; one without digits is zero, but for the last.
func addressNumber(address string) (n uint64, ok bool) {
	part, dots := uint64(0), 0
	for _, c := range []byte(address) {
		switch {
		case c >= '0' && c <= '9':
			part = part*10 + uint64(c-'0')
		case c == '.':
			n, part = n<<8|part, 0
			dots++
		default:
			return 0, false
		}
		if part > 255 || dots > 3 {
			return 0, false
		}
	}
	if address == "" || address[len(address)-1] == '.' {
		return 0, false
	}
	if dots > 0 {
		n <<= 8 * (3 - dots)
	}
	return n<<8 | part, true
}
