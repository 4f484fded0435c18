package operand

import (
	"testing"
	"time"

	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/stretchr/testify/require"

	own "emberdb/sql/types"
)

func TestDatesThatTheCalendarLacks(t *testing.T) {
	for _, m := range []own.Moment{
		{}, {Hour: 10}, {Year: 0, Month: 1, Day: 1}, {Year: 2020, Month: 0, Day: 1}, {Year: 2020, Month: 1, Day: 0, Hour: 23, Minute: 59, Second: 59, Micros: 999999},
		{Year: 2020}, {Year: 9999, Month: 12, Day: 0}, {Year: 9999, Month: 11, Day: 31}, {Year: 2021, Month: 2, Day: 29}, {Year: 2020, Month: 2, Day: 29},
	} {
		at := TimeOf(m)
		require.Equal(t, m, MomentOf(at))
		require.Equal(t, own.Pack(m), Packed(at))
		require.Equal(t, !m.Real() && m != (own.Moment{}), Unreal(at), "%v", m)
	}
	require.True(t, TimeOf(own.Moment{}).Equal(types.ZeroTime))
}

func TestRoundedDatesStayInTheirDay(t *testing.T) {
	late := TimeOf(own.Moment{Year: 2020, Month: 1, Hour: 23, Minute: 59, Second: 59, Micros: 600000})
	_, ok := RoundUnreal(types.Datetime, late)
	require.False(t, ok)
	same, ok := RoundUnreal(types.DatetimeMaxPrecision, late)
	require.True(t, ok)
	require.True(t, same.Equal(late))
	day, ok := RoundUnreal(types.Date, late.Add(-time.Second))
	require.True(t, ok)
	require.Equal(t, own.Moment{Year: 2020, Month: 1}, MomentOf(day))
	require.Equal(t, "2020-01-00 23:59:59.60", ShownMoment(late, false, 2))
}

func TestSqlModeDecidesOverDates(t *testing.T) {
	zero, part, lacking := own.Moment{}, own.Moment{Year: 2020, Day: 1}, own.Moment{Year: 2021, Month: 2, Day: 29}
	for _, c := range []struct {
		dates               own.Dates
		zero, part, lacking bool
	}{{own.Dates{}, true, true, false}, {own.Dates{NoZero: true}, false, true, false}, {own.Dates{NoZeroIn: true}, true, false, false}, {own.Dates{Invalid: true}, true, true, true}} {
		require.Equal(t, c.zero, c.dates.Take(zero))
		require.Equal(t, c.part, c.dates.TakePacked(own.Pack(part)))
		require.Equal(t, c.lacking, c.dates.TakePacked(own.Pack(lacking)))
	}
}
