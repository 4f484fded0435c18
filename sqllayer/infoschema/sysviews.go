package infoschema

import (
	_ "embed"
	"strings"
)

// sysViewList has a line for views that read the same: their names, and behind a colon the tables
// and functions.
//
//go:embed sysviews.txt
var sysViewList string

// SysViews is what each view reads.
var SysViews = func() map[string][]string {
	views := map[string][]string{}
	for line := range strings.Lines(sysViewList) {
		names, reads, _ := strings.Cut(line, ":")
		for _, name := range strings.Fields(names) {
			views[name] = strings.Fields(reads)
		}
	}
	return views
}()
