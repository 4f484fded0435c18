package store

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
)

// A TIMESTAMP is stored as a moment, and is read and written as what the clock shows at that moment
// in the session's time_zone. GMS has only the clock's time; it holds it as if it were UTC. So
// values change at the border between GMS, or the client, and the engine. A zone is nil where
// nothing changes: UTC.

// zoned is a session that has a time zone.
type zoned interface{ Zone() *time.Location }

func ZoneOf(ctx *sql.Context) *time.Location {
	if s, ok := ctx.Session.(zoned); ok {
		return s.Zone()
	}
	return nil
}

// ParseZone reads a value of time_zone that was accepted when it was set.
func ParseZone(name string) *time.Location {
	zone := time.UTC
	switch {
	case name == "SYSTEM" || name == "":
		zone = time.Local
	case name[0] == '+' || name[0] == '-':
		hours, minutes, _ := strings.Cut(name[1:], ":")
		h, _ := strconv.Atoi(hours)
		m, _ := strconv.Atoi(minutes)
		offset := h*3600 + m*60
		if name[0] == '-' {
			offset = -offset
		}
		if offset != 0 {
			zone = time.FixedZone(name, offset)
		}
	default:
		if z, err := time.LoadLocation(name); err == nil {
			zone = z
		}
	}
	if zone == time.UTC || zone.String() == "UTC" {
		return nil
	}
	return zone
}

// isMoment tells whether a TIMESTAMP can be this moment, in microseconds since 1970. The first
// second stands for the zero time stamp.
func isMoment(n int64) bool { return n >= 1e6 && n < (math.MaxInt32+1)*1e6 }

// LocalMicros gives what the clock of a zone shows at a moment, both in microseconds since 1970.
func LocalMicros(zone *time.Location, moment int64) int64 {
	if zone == nil {
		return moment
	}
	_, offset := time.UnixMicro(moment).In(zone).Zone()
	return moment + int64(offset)*1e6
}

// MomentMicros gives the moment at which the clock of a zone shows a time. A time that the clock
// shows twice is the moment the package time chooses.
func MomentMicros(zone *time.Location, local int64) int64 {
	if zone == nil {
		return local
	}
	t := time.UnixMicro(local).UTC()
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), zone).UnixMicro()
}
