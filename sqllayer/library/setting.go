package library

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/sqllayer/sqlerr"
)

// Setting is a system variable that a definition of the server's settings describes.
type Setting interface {
	sql.SystemVariable
	// Takes is nil if SET would take the value.
	Takes(ctx *sql.Context, value any, global bool) error
}

// DefaultValue is what SET gives to a Setting for DEFAULT.
type DefaultValue struct{}

// ClientCharset refuses the character sets that no client may write its statements in.
func ClientCharset(name string) error {
	if slices.Contains([]string{"ucs2", "utf16", "utf16le", "utf32"}, strings.ToLower(name)) {
		return sqlerr.NewError(1231, "Variable 'character_set_client' can't be set to the value of '%s'", name)
	}
	return nil
}
