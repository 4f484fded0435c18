package sqllayer

// Files of the server's that statements read and write: INTO OUTFILE, INTO DUMPFILE, LOAD DATA,
// LOAD_FILE. All need FILE, and secure_file_priv says where the files may be: in one directory and
// those below it, nowhere, or anywhere. A path is looked at as the operating system would open it,
// with every link followed.

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/sqllayer/expr/texts"
	"emberdb/sqllayer/sqlerr"
)

func init() { texts.ReadFile = readFile }

// ErrSecureFiles is the error of a file that secure_file_priv does not let be used.
var ErrSecureFiles = sqlerr.NewError(1290, "The MySQL server is running with the --%s option so it cannot execute this statement", "secure-file-priv")

// SecurePath is the path of a file that may be used, without links; creates tells a file that is to
// be made. A name without a leading slash is one of the data directory.
func SecurePath(path string, creates bool) (string, error) {
	_, v, _ := sql.SystemVariables.GetGlobal("secure_file_priv")
	dir, _ := v.(string)
	if dir == "NULL" || path == "" || strings.IndexByte(path, 0) >= 0 {
		return "", ErrSecureFiles
	}
	full := path
	if !filepath.IsAbs(path) {
		_, v, _ := sql.SystemVariables.GetGlobal("datadir")
		data, _ := v.(string)
		full = data + "/" + path // not cleaned: "link/.." is where the link leads to
	}
	found, failed := filepath.EvalSymlinks(full)
	at := found
	if failed != nil {
		cut := strings.LastIndexByte(full, '/')
		in, err := filepath.EvalSymlinks(full[:cut+1])
		if at = filepath.Join(in, full[cut+1:]); err != nil && dir != "" {
			return "", ErrSecureFiles
		}
	}
	if at, err := filepath.Abs(at); err != nil || dir != "" && !insideOf(dir, at) {
		return "", ErrSecureFiles
	}
	switch {
	case creates && failed == nil:
		return "", sqlerr.NewError(1086, "File '%s' already exists", path)
	case creates:
		if _, err := os.Lstat(at); err == nil { // a link that leads nowhere
			return "", sqlerr.NewError(1, "Can't create/write to file '%s' (OS errno %d - File exists)", path, syscall.EEXIST)
		}
		return at, nil
	case failed != nil:
		return "", notFound(path, full)
	}
	if info, err := os.Stat(found); err != nil || !info.Mode().IsRegular() {
		return "", sqlerr.NewError(1085, "The file '%s' must be in the database directory or be readable by all", path)
	}
	return found, nil
}

// notFound is the error of a file that cannot be looked at.
func notFound(path, full string) error {
	_, err := os.Stat(full)
	number := syscall.ENOENT
	_ = errors.As(err, &number)
	text := number.Error()
	return sqlerr.NewError(13, "Can't get stat of '%s' (OS errno %d - %s)", path, number, strings.ToUpper(text[:1])+text[1:])
}

// insideOf tells whether a path without links is in a directory, which may be a link.
func insideOf(dir, path string) bool {
	root, err := filepath.EvalSymlinks(dir)
	if err == nil {
		root, err = filepath.Abs(root)
	}
	return err == nil && below(root, path)
}

// below tells whether a path is a directory, or below it.
func below(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// readFile is LOAD_FILE: NULL where the account, the place, the size or the file does not allow it.
func readFile(ctx *sql.Context, path string, limit int64) []byte {
	if !PrivilegesOf(ctx).Global(sql.PrivilegeType_File) {
		return nil
	}
	found, err := SecurePath(path, false)
	if err != nil {
		return nil
	}
	info, err := os.Stat(found)
	if err != nil || !info.Mode().IsRegular() || info.Size() > limit {
		return nil
	}
	data, err := os.ReadFile(found)
	if err != nil || int64(len(data)) > limit {
		return nil
	}
	return data
}
