package logs

import (
	"os"
	"path/filepath"
	"strings"

	"emberdb/sqllayer/sqlerr"
)

// CheckLogName refuses what may not be a log's file: one that an option file could be, one without
// a directory, a directory.
func CheckLogName(variable, path string) error {
	if variable != "general_log_file" && variable != "slow_query_log_file" {
		return nil
	}
	target := path
	if found, err := filepath.EvalSymlinks(path); err == nil {
		target = found
	}
	info, err := os.Stat(filepath.Dir(path))
	bad := path == "" || err != nil || !info.IsDir()
	for _, name := range []string{path, target} {
		ext := strings.ToLower(filepath.Ext(name))
		bad = bad || ext == ".cnf" || ext == ".ini"
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		bad = true
	}
	if bad {
		return sqlerr.NewError(1231, "Variable '%s' can't be set to the value of '%s'", variable, path)
	}
	return nil
}
