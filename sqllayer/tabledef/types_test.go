package tabledef

import (
	"testing"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/stretchr/testify/require"
)

func TestTypeTextSRID(t *testing.T) {
	typ := types.PointType{}.SetSRID(4326)
	back, err := ParseType(TypeText(typ), SridOf(typ))
	require.NoError(t, err)
	srid, defined := back.(sql.SpatialColumnType).GetSpatialTypeSRID()
	require.True(t, defined)
	require.EqualValues(t, 4326, srid)
}
