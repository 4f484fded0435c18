package warm

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// The layout of the list file; see the box in doc.go. On disk; fixed.
const (
	listMagic   = "EMBERLRU"
	listVersion = 2
	listHeader  = 64
	idSize      = 8

	offVersion    = 8
	offCRC        = 12
	offUUID       = 16
	offGeneration = 32
	offCreated    = 40
	offCount      = 48
	offYoung      = 56

	previousSuffix = ".1"
	tempSuffix     = ".tmp"

	// maxListBytes bounds what a damaged header can make a reader allocate: 64 TiB of pages.
	maxListBytes = 32 << 30
	writeChunk   = 1 << 20
	syncEvery    = 4 << 20
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// List is a dumped LRU list.
type List struct {
	UUID       [16]byte
	Generation uint64
	Created    time.Time
	Young      int                        // the first Young ids stood in the young part
	IDs        []uint64                   // hot to cold, as base.PageID.Uint64
	Names      map[base.SpaceID]TableName // of the tablespaces, as far as they are known
}

// header renders everything before the ids but for the checksum.
func (l *List) header() []byte {
	b := make([]byte, listHeader)
	copy(b, listMagic)
	binary.LittleEndian.PutUint32(b[offVersion:], listVersion)
	copy(b[offUUID:], l.UUID[:])
	binary.LittleEndian.PutUint64(b[offGeneration:], l.Generation)
	binary.LittleEndian.PutUint64(b[offCreated:], uint64(l.Created.UnixMilli()))
	binary.LittleEndian.PutUint64(b[offCount:], uint64(len(l.IDs)))
	binary.LittleEndian.PutUint64(b[offYoung:], uint64(l.Young))
	return b
}

// chunks yields what follows the header, in pieces of about writeChunk bytes that are valid until
// the next one.
func (l *List) chunks(yield func(b []byte) bool) {
	b := make([]byte, 0, writeChunk)
	for _, id := range l.IDs {
		if b = binary.LittleEndian.AppendUint64(b, id); len(b) >= writeChunk {
			if !yield(b) {
				return
			}
			b = b[:0]
		}
	}
	if b = appendNames(b, l.Names); len(b) > 0 {
		yield(b)
	}
}

func headSum(head []byte) uint32 {
	return crc32.Update(crc32.Checksum(head[:offCRC], castagnoli), castagnoli, head[offUUID:listHeader])
}

// decode reads the file's bytes. detail tells what is wrong with them, "" if nothing.
func decode(b []byte) (l *List, detail string) {
	switch {
	case len(b) < listHeader:
		return nil, fmt.Sprintf("%d bytes are too short for a list", len(b))
	case string(b[:8]) != listMagic:
		return nil, "not an LRU list"
	}
	if v := binary.LittleEndian.Uint32(b[offVersion:]); v < 1 || v > listVersion { // version 1 had no names
		return nil, fmt.Sprintf("version %d is not known", v)
	}
	count, young := binary.LittleEndian.Uint64(b[offCount:]), binary.LittleEndian.Uint64(b[offYoung:])
	if stored, sum := binary.LittleEndian.Uint32(b[offCRC:]), crc32.Update(headSum(b), castagnoli, b[listHeader:]); stored != sum {
		return nil, fmt.Sprintf("checksum %08x, stored %08x", sum, stored)
	}
	if count > uint64(len(b)-listHeader)/idSize || young > count {
		return nil, fmt.Sprintf("%d ids, %d of them young, in %d bytes", count, young, len(b))
	}
	l = &List{UUID: [16]byte(b[offUUID:]), Generation: binary.LittleEndian.Uint64(b[offGeneration:]),
		Created: time.UnixMilli(int64(binary.LittleEndian.Uint64(b[offCreated:]))), Young: int(young), IDs: make([]uint64, count)}
	for i := range l.IDs {
		l.IDs[i] = binary.LittleEndian.Uint64(b[listHeader+idSize*i:])
	}
	if l.Names, detail = decodeNames(b[listHeader+idSize*count:]); detail != "" {
		return nil, detail
	}
	return l, ""
}

// ReadList reads and verifies a list file. A damaged one is a *base.CorruptError, a missing one
// matches fs.ErrNotExist.
func ReadList(fsys vfs.FS, path string) (*List, error) {
	f, err := fsys.Open(path, vfs.Options{ReadOnly: true})
	if err != nil {
		return nil, err
	}
	defer f.Close()
	size, err := f.Size()
	if err != nil {
		return nil, err
	}
	if size > maxListBytes {
		return nil, &base.CorruptError{File: path, Detail: fmt.Sprintf("%d bytes are too long for a list", size)}
	}
	b := make([]byte, size)
	if _, err := f.ReadAt(b, 0); err != nil && size > 0 {
		return nil, fmt.Errorf("read LRU list: %w", err)
	}
	l, detail := decode(b)
	if detail != "" {
		return nil, &base.CorruptError{File: path, Detail: detail}
	}
	return l, nil
}

// readNewest returns the newest list that verifies and its file, nil if there is none. Each file
// that exists and does not verify is told to damaged. What stands at path is the newest, whatever
// generation it tells: it may have been brought from elsewhere.
func readNewest(fsys vfs.FS, path string, damaged func(error)) (newest *List, file string) {
	for _, p := range []string{path, path + previousSuffix} {
		l, err := ReadList(fsys, p)
		if err == nil {
			return l, p
		}
		if !errors.Is(err, fs.ErrNotExist) {
			damaged(err)
		}
	}
	return nil, ""
}

// readHead reads the header of a list file without verifying anything.
func readHead(fsys vfs.FS, path string) (head [listHeader]byte, ok bool) {
	f, err := fsys.Open(path, vfs.Options{ReadOnly: true})
	if err != nil {
		return head, false
	}
	defer f.Close()
	n, err := f.ReadAt(head[:], 0)
	return head, n == listHeader && (err == nil || err == io.EOF)
}

// Newest returns the newest list at path that verifies, and its file. fs.ErrNotExist: there is
// none; else what is wrong with those there are.
func Newest(fsys vfs.FS, path string) (*List, string, error) {
	var bad error
	l, file := readNewest(fsys, path, func(err error) { bad = errors.Join(bad, err) })
	switch {
	case l != nil:
		return l, file, nil
	case bad != nil:
		return nil, "", bad
	}
	return nil, "", fmt.Errorf("LRU list %s: %w", path, fs.ErrNotExist)
}

// Write makes l the newest list at path, durably; the list that stood there becomes the one before.
// On an error the old ones are still there.
func (l *List) Write(fsys vfs.FS, path string) error {
	_, err := ReadList(fsys, path)
	return l.replace(fsys, path, err == nil)
}

// replace is Write. good: what stands at path is a list; a damaged one must not push out a good
// one.
func (l *List) replace(fsys vfs.FS, path string, good bool) error {
	if err := l.WriteFile(fsys, path+tempSuffix); err != nil {
		return fmt.Errorf("write LRU list: %w", errors.Join(err, removeIfThere(fsys, path+tempSuffix)))
	}
	if good {
		if err := rename(fsys, path, path+previousSuffix); err != nil {
			return fmt.Errorf("keep the last LRU list: %w", err)
		}
	}
	if err := rename(fsys, path+tempSuffix, path); err != nil {
		return fmt.Errorf("write LRU list: %w", err)
	}
	return nil
}

// WriteFile writes l to a file of that name, synced; the folder is not. The header comes last:
// until then the file is no list.
func (l *List) WriteFile(fsys vfs.FS, path string) (err error) {
	f, err := fsys.Open(path, vfs.Options{Create: true, Truncate: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	head := l.header()
	off, sum := int64(listHeader), headSum(head)
	for b := range l.chunks {
		sum = crc32.Update(sum, castagnoli, b)
		if _, err := f.WriteAt(b, off); err != nil {
			return err
		}
		if off += int64(len(b)); off/syncEvery != (off-int64(len(b)))/syncEvery {
			if err := f.Sync(); err != nil { // a little at a time: others sync their logs on this device
				return err
			}
		}
	}
	binary.LittleEndian.PutUint32(head[offCRC:], sum)
	if _, err := f.WriteAt(head, 0); err != nil {
		return err
	}
	return f.SyncAll()
}

func rename(fsys vfs.FS, from, to string) error {
	if err := fsys.Rename(from, to); err != nil {
		return err
	}
	return fsys.SyncDir(filepath.Dir(to))
}

func removeIfThere(fsys vfs.FS, path string) error {
	if err := fsys.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Correlation is Spearman's rank correlation of the pages that stand in both lists, and their
// number.
func Correlation(a, b *List) (r float64, common int) {
	at := make(map[uint64]int, len(b.IDs))
	for i, id := range b.IDs {
		at[id] = i
	}
	var places []int // in b, of the common pages in the order of a
	for _, id := range a.IDs {
		if i, ok := at[id]; ok {
			places = append(places, i)
		}
	}
	n := float64(len(places))
	if n < 2 {
		return 1, len(places)
	}
	rank := make(map[int]int, len(places))
	for i, p := range slices.Sorted(slices.Values(places)) {
		rank[p] = i
	}
	sum := 0.0
	for i, p := range places {
		d := float64(i - rank[p])
		sum += d * d
	}
	return 1 - 6*sum/(n*(n*n-1)), len(places)
}
