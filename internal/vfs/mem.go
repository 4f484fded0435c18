package vfs

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"emberdb/internal/base"
)

// ErrPowerLost is what every operation returns from the moment the power is cut.
var ErrPowerLost = errors.New("power lost")

// Op is a set of kinds of operation, for counting, tracing and faults.
type Op uint32

// The kinds. Those of Changes count towards CrashAt.
const (
	OpCreate Op = 1 << iota // Open that creates the file
	OpOpen                  // Open of an existing file
	OpRead
	OpWrite
	OpSync     // Sync and SyncAll
	OpAllocate // Allocate and PunchHole
	OpTruncate
	OpRemove
	OpRename
	OpMkdir
	OpSyncDir

	// Changes are the operations that change the disk or make a change durable.
	Changes = OpCreate | OpWrite | OpSync | OpAllocate | OpTruncate | OpRemove | OpRename | OpMkdir | OpSyncDir
)

var opNames = [...]string{"create", "open", "read", "write", "sync", "allocate", "truncate", "remove", "rename", "mkdir", "syncdir"}

// String names the kinds of the set.
func (o Op) String() string {
	var names []string
	for i, name := range opNames {
		if o&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, "|")
}

// Event is one operation, as Trace sees it.
type Event struct {
	Op   Op
	Name string
	Off  int64
	Len  int
}

// Mem is a file system in memory that remembers what a power cut would leave behind.
//
// Data: a file keeps, for each sector changed since its last sync, the durable content and the
// versions in between (node.dirty), and likewise the sizes it had. Names: the folder tree keeps the
// durable names and the list of operations no SyncDir has covered yet (pending).
//
// CrashAt cuts the power at a chosen operation; Reboot builds the disk a new start would find: of
// everything that was not synced, a random part. Sectors are kept or lost one by one, so a page may
// come back torn at any multiple of 512 bytes.
//
// Invariants:
//
//	(1) Content covered by a returned Sync, and names covered by a returned SyncDir, survive
//	    Reboot unchanged.
//	(2) A rename or a removal survives whole or not at all.
//	(3) The same calls and the same seeds give the same disk.
type Mem struct {
	mu       sync.Mutex
	seed     uint64
	dirs     map[string]map[string]*node // folder -> live names
	durable  map[string]map[string]*node // folder -> names a power cut leaves
	pending  []nameChange
	locks    map[string]bool
	crashAt  int64 // number of the change that loses power; negative: never
	changes  int64
	crashed  bool
	faults   []*Fault
	struck   string
	capacity int64 // 0: endless
	used     int64
	trace    func(Event)
}

// nameChange is a create, rename or removal that no SyncDir has covered. It is applied whole or not
// at all.
type nameChange struct {
	dir, name string // the name that vanishes (rename, remove), if any
	to, toAs  string // folder and name that appear (create, rename), if any
	n         *node
}

// NewMem returns an empty disk. The seed drives what Reboot keeps.
func NewMem(seed uint64) *Mem {
	return &Mem{
		seed:    seed,
		dirs:    map[string]map[string]*node{"/": {}, ".": {}},
		durable: map[string]map[string]*node{"/": {}, ".": {}},
		locks:   map[string]bool{},
		crashAt: -1,
	}
}

// CrashAt cuts the power at change number k, counted from now, the first being 0. A write that
// meets it may reach the disk in part. Negative: never.
func (m *Mem) CrashAt(k int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.changes, m.crashAt = 0, k
}

// Crash cuts the power now.
func (m *Mem) Crash() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.crashed = true
}

// Crashed tells whether the power was cut.
func (m *Mem) Crashed() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.crashed
}

// Changes counts the operations of kind Changes since the start or the last CrashAt.
func (m *Mem) Changes() int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.changes
}

// SetCapacity limits the bytes all files together may hold; beyond it writes fail with
// base.ErrDiskFull. 0 lifts the limit.
func (m *Mem) SetCapacity(bytes int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.capacity = bytes
}

// Trace has fn called for every operation, in order. fn must not call the file system.
func (m *Mem) Trace(fn func(Event)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.trace = fn
}

// Reboot returns the disk as a start after a power cut finds it. m itself is dead afterwards.
func (m *Mem) Reboot(seed uint64) *Mem {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.crashed = true
	rng := rand.New(rand.NewPCG(m.seed, seed))
	next := NewMem(seed)
	next.capacity = m.capacity
	names := m.survivingNames(rng)
	copies := map[*node]*node{}
	for _, dir := range sortedKeys(names) {
		next.dirs[dir], next.durable[dir] = map[string]*node{}, map[string]*node{}
		for _, name := range sortedKeys(names[dir]) {
			old := names[dir][name]
			if copies[old] == nil {
				copies[old] = old.survivor(rng)
				next.used += copies[old].size
			}
			next.dirs[dir][name], next.durable[dir][name] = copies[old], copies[old]
		}
	}
	return next
}

// survivingNames applies a random part of the pending name changes to the durable names.
func (m *Mem) survivingNames(rng *rand.Rand) map[string]map[string]*node {
	names := map[string]map[string]*node{}
	for dir, entries := range m.durable {
		names[dir] = map[string]*node{}
		for name, n := range entries {
			names[dir][name] = n
		}
	}
	keep := keepChance(rng)
	for _, c := range m.pending {
		if rng.Float64() < keep {
			c.applyTo(names)
		}
	}
	return names
}

// applyTo makes the change in a tree where changes before it may be missing.
func (c nameChange) applyTo(names map[string]map[string]*node) {
	switch {
	case c.dir == "": // created: had no name before
	case names[c.dir][c.name] == c.n:
		delete(names[c.dir], c.name)
	default: // an earlier rename is missing: the file has one name, wherever it is
		for _, entries := range names {
			for name, n := range entries {
				if n == c.n {
					delete(entries, name)
				}
			}
		}
	}
	if c.to != "" {
		names[c.to][c.toAs] = c.n
	}
}

// keepChance draws how much of what was not synced survives: often all or nothing, else a random
// share.
func keepChance(rng *rand.Rand) float64 {
	switch rng.IntN(4) {
	case 0:
		return 0
	case 1:
		return 1
	}
	return rng.Float64()
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func split(name string) (dir, file string) {
	name = filepath.Clean(name)
	return path.Dir(name), path.Base(name)
}

// lookupLocked finds a file. REQUIRES: m.mu held.
func (m *Mem) lookupLocked(op, name string) (*node, error) {
	dir, file := split(name)
	if n := m.dirs[dir][file]; n != nil {
		return n, nil
	}
	return nil, fmt.Errorf("%s %s: %w", op, name, fs.ErrNotExist)
}

// Open implements FS.
func (m *Mem) Open(name string, o Options) (File, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if o.Temporary {
		return m.temporaryLocked(name)
	}
	dir, file := split(name)
	entries, ok := m.dirs[dir]
	if !ok {
		return nil, fmt.Errorf("open %s: %w", name, fs.ErrNotExist)
	}
	n := entries[file]
	switch {
	case n == nil && !o.Create:
		if err := m.beginLocked(OpOpen, name, 0, 0); err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("open %s: %w", name, fs.ErrNotExist)
	case n == nil:
		err := m.beginLocked(OpCreate, name, 0, 0)
		if err != nil && !errors.Is(err, errCut) {
			return nil, err
		}
		n = newNode()
		entries[file] = n
		m.pending = append(m.pending, nameChange{to: dir, toAs: file, n: n})
		if err != nil {
			return nil, ErrPowerLost
		}
	case o.Create && o.Exclusive:
		return nil, fmt.Errorf("open %s: %w", name, fs.ErrExist)
	default:
		if err := m.beginLocked(OpOpen, name, 0, 0); err != nil {
			return nil, err
		}
	}
	f := &memFile{fs: m, n: n, name: name, direct: o.Direct, readOnly: o.ReadOnly}
	if o.Truncate && n.size > 0 {
		if err := f.truncateLocked(0); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// temporaryLocked opens a file that no name leads to.
func (m *Mem) temporaryLocked(dir string) (File, error) {
	if _, ok := m.dirs[dir]; !ok {
		return nil, fmt.Errorf("open %s: %w", dir, fs.ErrNotExist)
	}
	if err := m.beginLocked(OpCreate, dir, 0, 0); err != nil {
		return nil, cutToLost(err)
	}
	return &memFile{fs: m, n: newNode(), name: dir, temporary: true}, nil
}

// Remove implements FS.
func (m *Mem) Remove(name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	n, err := m.lookupLocked("remove", name)
	if err != nil {
		return err
	}
	err = m.beginLocked(OpRemove, name, 0, 0)
	if err != nil && !errors.Is(err, errCut) {
		return err
	}
	dir, file := split(name)
	delete(m.dirs[dir], file)
	m.pending = append(m.pending, nameChange{dir: dir, name: file, n: n})
	m.used -= n.size
	return cutToLost(err)
}

// Rename implements FS.
func (m *Mem) Rename(oldname, newname string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	n, err := m.lookupLocked("rename", oldname)
	if err != nil {
		return err
	}
	dir, file := split(oldname)
	to, toAs := split(newname)
	if m.dirs[to] == nil {
		return fmt.Errorf("rename %s: %w", newname, fs.ErrNotExist)
	}
	err = m.beginLocked(OpRename, oldname, 0, 0)
	if err != nil && !errors.Is(err, errCut) {
		return err
	}
	if old := m.dirs[to][toAs]; old != nil && old != n {
		m.used -= old.size
	}
	delete(m.dirs[dir], file)
	m.dirs[to][toAs] = n
	m.pending = append(m.pending, nameChange{dir: dir, name: file, to: to, toAs: toAs, n: n})
	return cutToLost(err)
}

// MkdirAll implements FS.
func (m *Mem) MkdirAll(dir string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	dir = filepath.Clean(dir)
	if m.dirs[dir] != nil {
		return m.aliveLocked()
	}
	if err := m.beginLocked(OpMkdir, dir, 0, 0); err != nil {
		return cutToLost(err)
	}
	for ; m.dirs[dir] == nil; dir = path.Dir(dir) {
		m.dirs[dir], m.durable[dir] = map[string]*node{}, map[string]*node{}
	}
	return nil
}

// List implements FS.
func (m *Mem) List(dir string) ([]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.aliveLocked(); err != nil {
		return nil, err
	}
	dir = filepath.Clean(dir)
	entries, ok := m.dirs[dir]
	if !ok {
		return nil, fmt.Errorf("list %s: %w", dir, fs.ErrNotExist)
	}
	names := sortedKeys(entries)
	for d := range m.dirs {
		if d != dir && path.Dir(d) == dir {
			names = append(names, path.Base(d))
		}
	}
	slices.Sort(names)
	return names, nil
}

// Stat implements FS.
func (m *Mem) Stat(name string) (FileInfo, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.aliveLocked(); err != nil {
		return FileInfo{}, err
	}
	if _, ok := m.dirs[filepath.Clean(name)]; ok {
		return FileInfo{Name: path.Base(name), Dir: true}, nil
	}
	n, err := m.lookupLocked("stat", name)
	if err != nil {
		return FileInfo{}, err
	}
	return FileInfo{Name: path.Base(name), Size: n.size}, nil
}

// SyncDir implements FS.
func (m *Mem) SyncDir(dir string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	dir = filepath.Clean(dir)
	if m.dirs[dir] == nil {
		return fmt.Errorf("fsync %s: %w", dir, fs.ErrNotExist)
	}
	if err := m.beginLocked(OpSyncDir, dir, 0, 0); err != nil {
		return cutToLost(err)
	}
	kept := m.pending[:0]
	for _, c := range m.pending {
		if c.dir == dir || c.to == dir {
			c.applyTo(m.durable)
		} else {
			kept = append(kept, c)
		}
	}
	m.pending = kept
	return nil
}

// Lock implements FS.
func (m *Mem) Lock(name string) (io.Closer, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.aliveLocked(); err != nil {
		return nil, err
	}
	folder := filepath.Dir(name)
	if m.locks[folder] {
		return nil, fmt.Errorf("lock %s: %w", name, base.ErrInUse)
	}
	m.locks[folder] = true
	return unlock(func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		delete(m.locks, folder)
	}), nil
}

type unlock func()

func (u unlock) Close() error { u(); return nil }

// FreeBytes implements FS.
func (m *Mem) FreeBytes(string) (int64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.aliveLocked(); err != nil {
		return 0, err
	}
	if m.capacity == 0 {
		return 1 << 40, nil
	}
	return max(0, m.capacity-m.used), nil
}
