package backup

import (
	"bufio"
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"emberdb/engine"
	"emberdb/engine/pagefile"
	"emberdb/engine/warm"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// A server that replaces its own data by a clone makes it in a folder of its data directory, and is
// started again. AdoptClone then puts it in place, before anything else is opened:
//
//	#clone         the clone. One without an identity was interrupted, and is removed
//	ember.cloned   the old data is gone: what is left in #clone is to be moved
//
// Each step may be repeated, so that a crash at any moment leaves the old data or the clone. The
// old data is removed only when the clone is complete, and its identity goes first: no server takes
// what is left of it for a data directory.
const (
	CloneDir   = "#clone"
	clonedFile = "ember.cloned"
)

// AdoptClone puts a clone in place that was made in the data directory. It tells whether there was
// one.
func AdoptClone(fsys vfs.FS, dir string) (adopted bool, err error) {
	made, mark := filepath.Join(dir, CloneDir), filepath.Join(dir, clonedFile)
	there, err := exists(fsys, made)
	if err != nil {
		return false, err
	}
	moving, err := exists(fsys, mark)
	if err != nil || !there && !moving {
		return false, err
	}
	lock, err := engine.LockDir(fsys, dir)
	if err != nil {
		return false, err
	}
	defer lock.Close()
	if !moving {
		_, err := engine.Identity(fsys, made)
		if errors.Is(err, base.ErrForeign) {
			return false, removeTree(fsys, made)
		}
		if err == nil {
			err = removeData(fsys, dir)
		}
		if err == nil {
			err = vfs.WriteFile(fsys, mark, nil)
		}
		if err == nil {
			err = fsys.SyncDir(dir)
		}
		if err != nil {
			return false, err
		}
	}
	if there {
		if err := moveClone(fsys, made, dir); err != nil {
			return false, err
		}
	}
	if err := fsys.Remove(mark); err != nil {
		return false, err
	}
	return true, errors.Join(fsys.SyncDir(dir), removeTree(fsys, made))
}

func exists(fsys vfs.FS, path string) (bool, error) {
	_, err := fsys.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// removeData removes the data of a directory: what the engine has, and binary and relay logs.
// Settings, keys and logs for people stay. The identity is removed first, and moved last.
func removeData(fsys vfs.FS, dir string) error {
	if err := fsys.Remove(filepath.Join(dir, engine.IdentityFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := fsys.SyncDir(dir); err != nil {
		return err
	}
	names, err := fsys.List(dir)
	if err != nil {
		return err
	}
	for _, n := range names {
		switch {
		case slices.Contains([]string{engine.RestoredFile, engine.FetchDir, "redo", "spaces", pagefile.DoublewriteFile}, n), strings.HasPrefix(n, warm.DefaultFilename):
			err = removeTree(fsys, filepath.Join(dir, n))
		case strings.HasSuffix(n, ".index"):
			err = removeLogs(fsys, dir, n)
		}
		if err != nil {
			return err
		}
	}
	return fsys.SyncDir(dir)
}

// removeLogs removes the log files that an index names, and then the index.
func removeLogs(fsys vfs.FS, dir, index string) error {
	text, err := vfs.ReadFile(fsys, filepath.Join(dir, index))
	if err != nil {
		return err
	}
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		name := filepath.Base(strings.TrimSpace(lines.Text()))
		if !strings.HasPrefix(name, strings.TrimSuffix(index, "index")) {
			continue // not a file of that log
		}
		if err := fsys.Remove(filepath.Join(dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if err := fsys.SyncDir(dir); err != nil { // the index names what is left until nothing is
		return err
	}
	return fsys.Remove(filepath.Join(dir, index))
}

// moveClone moves what is left of a clone into the directory, its identity last.
func moveClone(fsys vfs.FS, from, dir string) error {
	stays := []string{engine.LockFile, engine.IdentityFile, engine.FetchDir}
	if err := moveTree(fsys, from, dir, func(name string) bool { return !slices.Contains(stays, name) }); err != nil {
		return err
	}
	err := fsys.Rename(filepath.Join(from, engine.IdentityFile), filepath.Join(dir, engine.IdentityFile))
	if errors.Is(err, fs.ErrNotExist) { // it was moved before
		return nil
	}
	if err != nil {
		return err
	}
	return fsys.SyncDir(dir)
}

// moveTree moves the files of a folder that are wanted, and all of the folders in it, durably.
func moveTree(fsys vfs.FS, from, to string, want func(name string) bool) error {
	names, err := fsys.List(from)
	if err != nil {
		return err
	}
	for _, n := range names {
		if !want(n) {
			continue
		}
		a, b := filepath.Join(from, n), filepath.Join(to, n)
		info, err := fsys.Stat(a)
		switch {
		case err != nil:
		case !info.Dir:
			err = fsys.Rename(a, b)
		default:
			if err = fsys.MkdirAll(b); err == nil {
				err = moveTree(fsys, a, b, func(string) bool { return true })
			}
		}
		if err != nil {
			return err
		}
	}
	return errors.Join(fsys.SyncDir(to), fsys.SyncDir(from))
}

// removeTree removes a file, or a folder with what is in it.
func removeTree(fsys vfs.FS, path string) error {
	info, err := fsys.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if info.Dir {
		names, err := fsys.List(path)
		if err != nil {
			return err
		}
		for _, n := range names {
			if err := removeTree(fsys, filepath.Join(path, n)); err != nil {
				return err
			}
		}
		if err := fsys.SyncDir(path); err != nil {
			return err
		}
	}
	if err := fsys.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
