package locale

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestLocales(t *testing.T) {
	require.Len(t, all(), 111)
	for i, l := range all() {
		require.Equal(t, i, l.Number(), l.Name)
		require.Same(t, l, Find(l.Name))
		require.Same(t, l, At(int64(i)))
		require.Len(t, l.months, 12, l.Name)
		require.Len(t, l.shortened, 12, l.Name)
		require.Len(t, l.days, 7, l.Name)
		require.Len(t, l.shortDays, 7, l.Name)
	}
	for m := time.January; m <= time.December; m++ {
		require.Equal(t, m.String(), English().Month(m))
		require.Equal(t, m.String()[:3], English().ShortMonth(m))
	}
	for d := time.Sunday; d <= time.Saturday; d++ {
		require.Equal(t, d.String(), English().Day(d))
		require.Equal(t, d.String()[:3], English().ShortDay(d))
	}
	german := Find("DE_de")
	require.Equal(t, "März", german.Month(time.March))
	require.Equal(t, "Do", german.ShortDay(time.Thursday))
	require.EqualValues(t, 10, german.LongestDay())
	require.Nil(t, Find("xx_YY"))
	for name, want := range map[string]string{"en_US": "-1,234,567.50", "de_DE": "-1.234.567,50", "de_AT": "-1234567,50", "en_IN": "-12,34,567.50",
		"fi_FI": "-1 234 567,50", "bg_BG": "-1\x00234\x00567,50"} {
		require.Equal(t, want, Find(name).FormatNumber("-1234567.50"), name)
	}
	require.Equal(t, "123", English().FormatNumber("123"))
	require.Nil(t, At(-1))
	require.Nil(t, At(111))
}
