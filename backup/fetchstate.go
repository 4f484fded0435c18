package backup

import (
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"

	"emberdb/engine"
	"emberdb/internal/vfs"
)

// What a fetch keeps on disk of how far it has come.

// fetchState is what a restore keeps in ember.fetch/state.
type fetchState struct {
	Store    string `json:"store"` // "": a clone, whose source is asked anew
	Set      string `json:"set"`
	UUID     string `json:"server_uuid"`        // that the directory gets
	Identity string `json:"identity,omitempty"` // file of age identities
	Rate     int64  `json:"rate,omitempty"`     // most bytes a second that are fetched in the background
}

func statePath(dir string) string { return filepath.Join(dir, engine.FetchDir, stateFile) }

func mapPath(dir string) string { return filepath.Join(dir, engine.FetchDir, mapFile) }

// readState reads the state of a restore; nil if there is none.
func readState(fsys vfs.FS, dir string) (*fetchState, error) {
	text, err := vfs.ReadFile(fsys, statePath(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	s := new(fetchState)
	if err := json.Unmarshal(text, s); err != nil {
		return nil, damaged(statePath(dir), "%v", err)
	}
	return s, nil
}

// writeState keeps the state of a restore in its folder.
func writeState(fsys vfs.FS, dir string, s *fetchState) error {
	text, err := json.MarshalIndent(s, "", " ")
	if err != nil {
		return err
	}
	if err := fsys.MkdirAll(filepath.Join(dir, engine.FetchDir)); err != nil {
		return err
	}
	return writeFile(fsys, statePath(dir), text)
}

// writeFile replaces a file, durably.
func writeFile(fsys vfs.FS, path string, data []byte) error {
	if err := vfs.WriteFile(fsys, path+".new", data); err != nil {
		return err
	}
	if err := fsys.Rename(path+".new", path); err != nil {
		return err
	}
	return fsys.SyncDir(filepath.Dir(path))
}

// removeState removes the folder of a restore that is complete.
func removeState(fsys vfs.FS, dir string) error {
	for _, name := range []string{statePath(dir), mapPath(dir), mapPath(dir) + ".new", statePath(dir) + ".new", filepath.Join(dir, engine.FetchDir)} {
		if err := fsys.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return fsys.SyncDir(dir)
}
