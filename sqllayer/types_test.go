package sqllayer_test

import (
	"testing"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"
	"github.com/stretchr/testify/require"

	"emberdb/sqllayer/expr/vectors"
	"emberdb/sqllayer/store"
	"emberdb/sqllayer/tabledef"
)

func TestTypeTextRoundTrip(t *testing.T) {
	for _, typ := range []sql.Type{
		types.Boolean, types.Int8, types.Uint8, types.Int16, types.Uint16, types.Int24, types.Uint24, types.Int32, types.Uint32, types.Int64, types.Uint64,
		types.Float32, types.Float64, types.MustCreateColumnDecimalType(10, 0), types.MustCreateColumnDecimalType(65, 30), types.MustCreateBitType(1),
		types.MustCreateBitType(64), types.Year, types.Date, types.Datetime, types.DatetimeMaxPrecision, types.MustCreateDatetimeType(sqltypes.Datetime, 3),
		types.Timestamp, types.TimestampMaxPrecision, types.Time, types.JSON,
		types.MustCreateString(sqltypes.Char, 7, sql.Collation_latin1_swedish_ci), types.MustCreateString(sqltypes.VarChar, 191, sql.Collation_utf8mb4_0900_ai_ci),
		types.MustCreateString(sqltypes.VarChar, 20, sql.Collation_utf8mb4_general_ci), types.MustCreateString(sqltypes.VarChar, 20, sql.Collation_utf8mb4_bin),
		types.CreateTinyText(sql.Collation_utf8mb4_0900_ai_ci), types.CreateText(sql.Collation_latin1_general_ci), types.CreateMediumText(sql.Collation_utf8mb3_general_ci),
		types.CreateLongText(sql.Collation_utf8mb4_unicode_ci), types.MustCreateBinary(sqltypes.Binary, 16), types.MustCreateBinary(sqltypes.VarBinary, 255),
		types.TinyBlob, types.Blob, types.MediumBlob, types.LongBlob,
		types.MustCreateEnumType([]string{"a", "it's", `back\slash`, "", "comma,", "ümlaut"}, sql.Collation_utf8mb4_0900_ai_ci),
		types.MustCreateSetType([]string{"x", "y'z", `\`, "naïve"}, sql.Collation_latin1_swedish_ci),
		types.GeometryType{}, types.PointType{}, types.LineStringType{}, types.PolygonType{}, types.MultiPointType{}, types.MultiLineStringType{},
		types.MultiPolygonType{}, types.GeomCollType{}, vectors.Of(3),
	} {
		text := tabledef.TypeText(typ)
		back, err := tabledef.ParseType(text, tabledef.SridOf(typ))
		require.NoError(t, err, text)
		require.True(t, typ.Equals(back), "%s came back as %s", text, back)
		require.Equal(t, text, tabledef.TypeText(back))
		_, err = store.StorageColumn(typ, true)
		require.NoError(t, err, text)
	}
}
