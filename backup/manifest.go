package backup

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"math/bits"
	"slices"
	"strings"
	"time"

	"filippo.io/age"

	"emberdb/engine"
	"emberdb/internal/base"
)

// formatVersion is that of the sets that are made. Older ones are read, too:
//
//	1  pieces are all compressed by zstd
//	2  the data directory has format 1
//	3  it has format 1 or 2
const formatVersion = 4

// The kinds of sets.
const (
	Full        = "full"
	Incremental = "incremental"
)

// Begun is what is known of a set when it begins: object begin.
type Begun struct {
	Format    int       `json:"format"`
	ID        string    `json:"id"`
	Kind      string    `json:"kind"`
	Base      string    `json:"base,omitempty"` // the set an incremental one stands on
	UUID      string    `json:"server_uuid"`
	Began     time.Time `json:"began"`
	Start     base.LSN  `json:"start_lsn"`           // of the first attempt: pages of the set hold every change before it
	Since     base.LSN  `json:"since_lsn,omitempty"` // an incremental set has the pages changed behind it
	Encrypted []byte    `json:"key,omitempty"`       // the set's key, for its recipients
}

// SetFile is a file that is no tablespace.
type SetFile struct {
	Name string `json:"name"`
	Size int64  `json:"size"`
}

// Manifest describes a complete set: object manifest.
type Manifest struct {
	Begun
	Server     string              `json:"server_version"`
	Ended      time.Time           `json:"ended"`
	Checkpoint []byte              `json:"checkpoint"`
	Point      *engine.BackupPoint `json:"point"`
	Files      []SetFile           `json:"files"`
	Packs      uint32              `json:"packs"`
	Pages      int64               `json:"pages"`
	Bytes      int64               `json:"bytes"`  // of pages and files
	Stored     int64               `json:"stored"` // of the packs
	Index      struct {
		Size   int    `json:"size"` // before sealing
		Stored int    `json:"stored"`
		CRC    uint32 `json:"crc"`
	} `json:"index"`
	// Sum is over the manifest without it: HMAC-SHA-256 with the set's key, SHA-256 if there is
	// none.
	Sum string `json:"sum"`
}

func pagesIn(present uint64) int { return bits.OnesCount64(present) }

func (m *Manifest) sum(key []byte) (string, error) {
	c := *m
	c.Sum = ""
	text, err := json.Marshal(c)
	if err != nil {
		return "", err
	}
	if key == nil {
		sum := sha256.Sum256(text)
		return hex.EncodeToString(sum[:]), nil
	}
	h := hmac.New(sha256.New, key)
	h.Write(text)
	return hex.EncodeToString(h.Sum(nil)), nil
}

// Set is a complete set that was opened.
type Set struct {
	Manifest
	store   Store
	seal    *sealer
	entries []entry // by pack and offset
}

// writeManifest completes a set.
func writeManifest(ctx context.Context, store Store, m *Manifest, seal *sealer, key []byte, entries []entry) error {
	index := encodeIndex(entries)
	sealed := seal.seal(nil, index, []byte("index"))
	m.Index.Size, m.Index.Stored, m.Index.CRC = len(index), len(sealed), crc32.Checksum(sealed, castagnoli)
	if err := store.Put(ctx, m.ID+"/index", sealed); err != nil {
		return err
	}
	var err error
	if m.Sum, err = m.sum(key); err != nil {
		return err
	}
	text, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		return err
	}
	return store.Put(ctx, m.ID+"/manifest", text)
}

// encodeIndex renders the entries, each behind the number of its pack.
func encodeIndex(entries []entry) []byte {
	slices.SortFunc(entries, func(a, b entry) int {
		if a.pack != b.pack {
			return int(int64(a.pack) - int64(b.pack))
		}
		return int(int64(a.offset) - int64(b.offset))
	})
	out := make([]byte, 0, len(entries)*(entrySize+4))
	for i := range entries {
		out = entries[i].append(binary.LittleEndian.AppendUint32(out, entries[i].pack))
	}
	return out
}

// ReadManifest reads the manifest of a set without its key: what it says is not proven to be what
// was written.
func ReadManifest(ctx context.Context, store Store, id string) (*Manifest, error) {
	text, err := store.Get(ctx, id+"/manifest", 0, -1)
	if err != nil {
		return nil, err
	}
	m := new(Manifest)
	if err := json.Unmarshal(text, m); err != nil {
		return nil, damaged(id+"/manifest", "%v", err)
	}
	if m.Format < 1 || m.Format > formatVersion {
		return nil, fmt.Errorf("backup %s has format %d, this program reads 1 to %d", id, m.Format, formatVersion)
	}
	if m.ID != id || m.Point == nil {
		return nil, damaged(id+"/manifest", "it is that of backup %q", m.ID)
	}
	if m.Encrypted == nil {
		return m, m.check(nil)
	}
	return m, nil
}

func (m *Manifest) check(key []byte) error {
	sum, err := m.sum(key)
	if err == nil && !hmac.Equal([]byte(sum), []byte(m.Sum)) {
		err = damaged(m.ID+"/manifest", "checksum %s, stored %s", sum, m.Sum)
	}
	return err
}

// OpenSet opens a complete set.
func OpenSet(ctx context.Context, store Store, id string, identities []age.Identity) (*Set, error) {
	m, err := ReadManifest(ctx, store, id)
	if errors.Is(err, ErrNoObject) {
		return nil, fmt.Errorf("backup %s in %s is missing or was not completed: %w", id, store.URL(), err)
	}
	if err != nil {
		return nil, err
	}
	var key []byte
	if m.Encrypted != nil {
		if key, err = unwrapKey(m.Encrypted, identities); err == nil {
			err = m.check(key)
		}
		if err != nil {
			return nil, fmt.Errorf("backup %s: %w", id, err)
		}
	}
	s := &Set{Manifest: *m, store: store}
	if s.seal, err = newSealer(key); err != nil {
		return nil, err
	}
	return s, s.readIndex(ctx)
}

func (s *Set) readIndex(ctx context.Context) error {
	name := s.ID + "/index"
	sealed, err := s.store.Get(ctx, name, 0, -1)
	if err != nil {
		return err
	}
	if got := crc32.Checksum(sealed, castagnoli); got != s.Index.CRC || len(sealed) != s.Index.Stored {
		return damaged(name, "%d bytes with checksum %08x, the manifest says %d, %08x", len(sealed), got, s.Index.Stored, s.Index.CRC)
	}
	list, err := s.seal.open(sealed, []byte("index"), s.Index.Size)
	if err != nil {
		return damaged(name, "%v", err)
	}
	for ; len(list) >= entrySize+4; list = list[entrySize+4:] {
		e := parseEntry(list[4:])
		e.pack = binary.LittleEndian.Uint32(list)
		if !e.valid(1<<32) || e.kind == kindFile && int(e.id) >= len(s.Files) {
			return damaged(name, "an entry that cannot be")
		}
		s.entries = append(s.entries, e)
	}
	return nil
}

// piece reads a piece of the set.
func (s *Set) piece(ctx context.Context, e *entry) ([]byte, error) {
	return readPiece(ctx, s.store, s.ID, s.seal, e)
}

// List returns the manifests of the complete sets in a store, oldest first, and the names of those
// that were not completed.
func List(ctx context.Context, store Store) (complete []*Manifest, incomplete []string, err error) {
	objects, err := store.List(ctx, "")
	if err != nil {
		return nil, nil, err
	}
	sets := map[string]bool{}
	for _, o := range objects {
		set, object, ok := strings.Cut(o.Name, "/")
		if !ok || object != "begin" && object != "manifest" {
			continue
		}
		sets[set] = sets[set] || object == "manifest"
	}
	for id, whole := range sets {
		if !whole {
			incomplete = append(incomplete, id)
			continue
		}
		m, err := ReadManifest(ctx, store, id)
		if err != nil {
			return nil, nil, err
		}
		complete = append(complete, m)
	}
	slices.Sort(incomplete)
	slices.SortFunc(complete, func(a, b *Manifest) int { return a.Ended.Compare(b.Ended) })
	return complete, incomplete, nil
}
