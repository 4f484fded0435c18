package numbers

import (
	"fmt"
	"math"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"

	"emberdb/sqllayer/expr/operand"
)

// FORMAT_BYTES and FORMAT_PICO_TIME, which MySQL's views of memory and times show their numbers by.

// unit is what a number is counted in from so many on.
type unit struct {
	from float64
	name string
}

var byteUnits = []unit{{1 << 60, "EiB"}, {1 << 50, "PiB"}, {1 << 40, "TiB"}, {1 << 30, "GiB"}, {1 << 20, "MiB"}, {1 << 10, "KiB"}}

var timeUnits = []unit{{86400e12, "d"}, {3600e12, "h"}, {60e12, "min"}, {1e12, "s"}, {1e9, "ms"}, {1e6, "us"}, {1e3, "ns"}}

// inUnits shows a number in the largest unit that it has one of; small is the format of those that
// have none.
func inUnits(n float64, units []unit, small string) string {
	for _, u := range units {
		if math.Abs(n) < u.from {
			continue
		}
		if n /= u.from; math.Abs(n) >= 100000 {
			return fmt.Sprintf("%4.2e %s", n, u.name)
		}
		return fmt.Sprintf("%4.2f %s", n, u.name)
	}
	return fmt.Sprintf(small, n)
}

// FormatBytes shows a size as FORMAT_BYTES does.
func FormatBytes(n float64) string { return inUnits(n, byteUnits, smallBytes) }

// FormatPicoTime shows picoseconds as FORMAT_PICO_TIME does.
func FormatPicoTime(n float64) string { return inUnits(n, timeUnits, smallTime) }

// Formats of numbers below the smallest unit.
const smallBytes, smallTime = "%4.0f bytes", "%3.0f ps"

func init() {
	typ := types.MustCreateString(sqltypes.VarChar, 11, sql.Collation_Default)
	formats := func(name string, units []unit, small string) sql.Function {
		return operand.NewScalar(name, 1, 1, typ, func(ctx *sql.Context, args []any) (any, error) {
			n, _, err := types.Float64.Convert(ctx, args[0])
			if err != nil {
				return nil, err
			}
			f, _ := n.(float64)
			return inUnits(f, units, small), nil
		})
	}
	operand.Register(formats("format_bytes", byteUnits, smallBytes), formats("format_pico_time", timeUnits, smallTime))
}
