package sqllayer

// Files of the server's that statements read and write: INTO OUTFILE, INTO DUMPFILE, LOAD DATA,
// LOAD_FILE. All need FILE, and secure_file_priv says where the files may be: in one directory and
// those below it, nowhere, or anywhere. A path is looked at as the operating system would open it,
// with every link followed.

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/sqllayer/expr/texts"
	"emberdb/sqllayer/sqlerr"
)

func init() { texts.ReadFile = readFile }

var errSecureFiles = sqlerr.NewError(1290, "The MySQL server is running with the --%s option so it cannot execute this statement", "secure-file-priv")

// SecurePath is the path of a file that may be used, without links; new tells a file that is to be
// made.
func SecurePath(path string, creates bool) (string, error) {
	_, v, _ := sql.SystemVariables.GetGlobal("secure_file_priv")
	dir, _ := v.(string)
	if dir == "NULL" || strings.IndexByte(path, 0) >= 0 {
		return "", errSecureFiles
	}
	found, err := filepath.Abs(path)
	if err == nil {
		found, err = resolved(found, creates)
	}
	if dir == "" {
		if err != nil {
			return path, nil // told by who opens it
		}
		return found, nil
	}
	root, failed := filepath.EvalSymlinks(dir)
	if failed == nil {
		root, failed = filepath.Abs(root)
	}
	if failed != nil {
		return "", errSecureFiles
	}
	if err != nil { // of what is not there, tell no more than where it would be
		if !below(root, filepath.Clean(path)) && !below(filepath.Clean(dir), filepath.Clean(path)) || creates {
			return "", errSecureFiles
		}
		return path, nil
	}
	if !below(root, found) {
		return "", errSecureFiles
	}
	return found, nil
}

// resolved follows the links of a path, those of its directory alone where the file is to be made.
func resolved(path string, creates bool) (string, error) {
	if !creates {
		return filepath.EvalSymlinks(path)
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(path))
	return filepath.Join(dir, filepath.Base(path)), err
}

// below tells whether a path is below a directory.
func below(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != "." && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
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
