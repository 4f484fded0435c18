// Package store converts values on their way into columns, and back: by MySQL's rules for each type,
// strict or with warnings, and between the forms of go-mysql-server and of package row.
//
// Units: moments are microseconds since 1970 UTC; what a clock shows is microseconds since 1970 in
// the session's time zone. A nil zone is UTC.
package store
