package engine

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"

	"emberdb/engine/catalog"
	"emberdb/engine/pagefile"
	"emberdb/engine/row"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// A data directory is Ember's when it holds ember.json. It is written last when a directory is
// initialised; while ember.init stands, what is there is the rest of an initialisation that did not
// finish, and is begun again.
//
//	ember.lock            held with flock while a server runs
//	ember.json            identity: format, server uuid
//	ember.restored        the directory comes from a backup, and its first recovery is not over; see restored.go
//	ember.fetch           pages are still in the backup, or a restore was interrupted; see package backup
//	redo/ spaces/ doublewrite.edw ib_buffer_pool...   see the rooms
const (
	// FetchDir is the folder that a restore keeps its state in; a directory with it and without an
	// identity is not to be opened.
	FetchDir = "ember.fetch"
	// LockFile is locked while a server, or what makes the directory, works on it.
	LockFile = "ember.lock"
	// IdentityFile makes a directory a server's.
	IdentityFile = "ember.json"

	initMarker = "ember.init"
)

// Formats of a data directory. A newer one is that of a directory with keys of newer codes
// (row.Codes), or with columns that rows may lack (catalog.Column.Missing): an older one becomes one
// when the first such table is made. Until then the server before can take it back.
const (
	FirstFormat   = 1
	codesFormat   = FirstFormat + int(row.WholeCodes)
	missingFormat = codesFormat + 1
	NewestFormat  = missingFormat
)

// formatFor is the format that the definition of a table needs.
func formatFor(def *catalog.Table) int {
	needs := FirstFormat
	for i := range def.Columns {
		needs = max(needs, FirstFormat+int(def.Columns[i].Codes))
		if def.Columns[i].Missing != nil {
			needs = missingFormat
		}
	}
	return needs
}

// dirIdentity is the content of ember.json.
type dirIdentity struct {
	Format int    `json:"format"`
	UUID   string `json:"server_uuid"`
}

// ours are the names an unfinished initialisation may have left.
var ours = map[string]bool{LockFile: true, initMarker: true, "redo": true, "spaces": true, pagefile.DoublewriteFile: true, IdentityFile + ".tmp": true}

// lockDir takes the directory for this process.
func lockDir(fsys vfs.FS, dir string) (io.Closer, error) {
	if err := fsys.MkdirAll(dir); err != nil {
		return nil, fmt.Errorf("datadir %s: %w", dir, err)
	}
	lock, err := fsys.Lock(filepath.Join(dir, LockFile))
	if err != nil {
		return nil, fmt.Errorf("datadir %s: %w", dir, err)
	}
	return lock, nil
}

// readIdentity returns the identity of the directory, or fresh if it is empty or its initialisation
// did not finish.
func readIdentity(fsys vfs.FS, dir string) (id dirIdentity, fresh bool, err error) {
	data, err := vfs.ReadFile(fsys, filepath.Join(dir, IdentityFile))
	if errors.Is(err, fs.ErrNotExist) {
		return id, true, checkEmpty(fsys, dir)
	}
	if err != nil {
		return id, false, err
	}
	if err := json.Unmarshal(data, &id); err != nil {
		return id, false, &base.CorruptError{File: filepath.Join(dir, IdentityFile), Detail: err.Error()}
	}
	if id.Format < FirstFormat || id.Format > NewestFormat {
		return id, false, fmt.Errorf("datadir %s has format %d, this server reads %d to %d: %w", dir, id.Format, FirstFormat, NewestFormat, base.ErrForeign)
	}
	return id, false, nil
}

// Identity returns the server uuid of a data directory without opening it. base.ErrForeign: there
// is none.
func Identity(fsys vfs.FS, dir string) (uuid string, err error) {
	if _, err := fsys.Stat(filepath.Join(dir, IdentityFile)); errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("%s holds no %s: %w", dir, IdentityFile, base.ErrForeign)
	}
	id, _, err := readIdentity(fsys, dir)
	return id.UUID, err
}

// checkEmpty refuses a directory with files that are not ours.
func checkEmpty(fsys vfs.FS, dir string) error {
	names, err := fsys.List(dir)
	if err != nil {
		return err
	}
	if slices.Contains(names, FetchDir) {
		return fmt.Errorf("datadir %s holds a restore or a clone that was interrupted: %w; run \"ember restore\" or \"ember clone\" with it again", dir, base.ErrForeign)
	}
	unfinished := slices.Contains(names, initMarker)
	for _, n := range names {
		if n == LockFile || n == "lost+found" || unfinished && ours[n] {
			continue
		}
		return fmt.Errorf("datadir %s holds %s but no %s: %w; name an empty directory", dir, n, IdentityFile, base.ErrForeign)
	}
	return nil
}

// clean removes the rest of an unfinished initialisation and sets the marker of the one that
// begins.
func clean(fsys vfs.FS, dir string) error {
	for _, sub := range []string{"redo", "spaces"} {
		names, err := fsys.List(filepath.Join(dir, sub))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		for _, n := range names {
			if err := fsys.Remove(filepath.Join(dir, sub, n)); err != nil {
				return err
			}
		}
	}
	if err := vfs.WriteFile(fsys, filepath.Join(dir, initMarker), nil); err != nil {
		return err
	}
	return fsys.SyncDir(dir)
}

// Format is the format of the data directory. It rises with the first definition that needs it.
func (e *Engine) Format() int {
	e.formatMu.Lock()
	defer e.formatMu.Unlock()
	return e.id.Format
}

// upgrade gives a directory the format that a definition needs.
func (e *Engine) upgrade(def *catalog.Table) error {
	needs := formatFor(def)
	e.formatMu.Lock()
	defer e.formatMu.Unlock()
	if e.id.Format >= needs {
		return nil
	}
	if err := writeIdentity(e.o.FS, e.o.DataDir, dirIdentity{Format: needs, UUID: e.id.UUID}); err != nil {
		return fmt.Errorf("datadir %s gets format %d: %w", e.o.DataDir, needs, err)
	}
	e.id.Format = needs
	return nil
}

// writeIdentity makes the directory Ember's: the last step of its initialisation.
func writeIdentity(fsys vfs.FS, dir string, id dirIdentity) error {
	data, err := json.MarshalIndent(id, "", "  ")
	if err != nil {
		return err
	}
	path := filepath.Join(dir, IdentityFile)
	if err := vfs.WriteFile(fsys, path+".tmp", data); err != nil {
		return err
	}
	if err := fsys.Rename(path+".tmp", path); err != nil {
		return err
	}
	if err := fsys.SyncDir(dir); err != nil {
		return err
	}
	if err := fsys.Remove(filepath.Join(dir, initMarker)); err != nil && !errors.Is(err, fs.ErrNotExist) { // a restore sets none
		return err
	}
	return fsys.SyncDir(dir)
}

// newUUID returns a random (version 4) uuid in MySQL's text form.
func newUUID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	h := hex.EncodeToString(b[:])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

// uuidBytes is the binary form of a uuid text.
func uuidBytes(text string) (out [16]byte) {
	var digits []byte
	for _, c := range []byte(text) {
		if c != '-' {
			digits = append(digits, c)
		}
	}
	_, _ = hex.Decode(out[:], digits[:min(len(digits), 32)])
	return out
}
