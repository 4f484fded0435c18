package sqllayer

import (
	"github.com/dolthub/go-mysql-server/sql"

	sqltoken "emberdb/sql/token"
)

// VersionNumber is the server's version: major, minor and patch in two digits each.
const VersionNumber = 80400

// commandComment begins the comments that are XtraDB's commands.
const commandComment = "/*!XTRA_"

// PlainText makes a text of a session one whose comments all readers take alike, see token.Plain.
// Backslashes are escapes in it: EscapeBackslashes has been applied.
func PlainText(s sql.Session, text string) string {
	o := sqltoken.PlainOptions{Version: VersionNumber, Keep: commandComment}
	if AnsiQuotes(s) {
		o.Mode = sqltoken.AnsiQuotes
	}
	return sqltoken.Plain(text, o)
}
