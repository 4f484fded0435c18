package warm

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"path/filepath"
	"time"

	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// The layout of the list file; see the box in doc.go. On disk; fixed.
const (
	listMagic   = "EMBERLRU"
	listVersion = 1
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
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// List is a dumped LRU list.
type List struct {
	UUID       [16]byte
	Generation uint64
	Created    time.Time
	Young      int      // the first Young ids stood in the young part
	IDs        []uint64 // hot to cold, as base.PageID.Uint64
}

// encode renders the file's bytes.
func (l *List) encode() []byte {
	b := make([]byte, listHeader+idSize*len(l.IDs))
	copy(b, listMagic)
	binary.LittleEndian.PutUint32(b[offVersion:], listVersion)
	copy(b[offUUID:], l.UUID[:])
	binary.LittleEndian.PutUint64(b[offGeneration:], l.Generation)
	binary.LittleEndian.PutUint64(b[offCreated:], uint64(l.Created.UnixMilli()))
	binary.LittleEndian.PutUint64(b[offCount:], uint64(len(l.IDs)))
	binary.LittleEndian.PutUint64(b[offYoung:], uint64(l.Young))
	for i, id := range l.IDs {
		binary.LittleEndian.PutUint64(b[listHeader+idSize*i:], id)
	}
	binary.LittleEndian.PutUint32(b[offCRC:], listSum(b))
	return b
}

func listSum(b []byte) uint32 {
	return crc32.Update(crc32.Checksum(b[:offCRC], castagnoli), castagnoli, b[offUUID:])
}

// decode reads the file's bytes. detail tells what is wrong with them, "" if nothing.
func decode(b []byte) (l *List, detail string) {
	switch {
	case len(b) < listHeader:
		return nil, fmt.Sprintf("%d bytes are too short for a list", len(b))
	case string(b[:8]) != listMagic:
		return nil, "not an LRU list"
	case binary.LittleEndian.Uint32(b[offVersion:]) != listVersion:
		return nil, fmt.Sprintf("version %d is not known", binary.LittleEndian.Uint32(b[offVersion:]))
	}
	count, young := binary.LittleEndian.Uint64(b[offCount:]), binary.LittleEndian.Uint64(b[offYoung:])
	if stored, sum := binary.LittleEndian.Uint32(b[offCRC:]), listSum(b); stored != sum {
		return nil, fmt.Sprintf("checksum %08x, stored %08x", sum, stored)
	}
	if count != uint64(len(b)-listHeader)/idSize || len(b)%idSize != 0 || young > count {
		return nil, fmt.Sprintf("%d ids, %d of them young, in %d bytes", count, young, len(b))
	}
	l = &List{UUID: [16]byte(b[offUUID:]), Generation: binary.LittleEndian.Uint64(b[offGeneration:]),
		Created: time.UnixMilli(int64(binary.LittleEndian.Uint64(b[offCreated:]))), Young: int(young), IDs: make([]uint64, count)}
	for i := range l.IDs {
		l.IDs[i] = binary.LittleEndian.Uint64(b[listHeader+idSize*i:])
	}
	return l, ""
}

// ReadList reads and verifies a list file. A damaged one is a *base.CorruptError, a missing one matches fs.ErrNotExist.
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

// readNewest returns the newest list that verifies, nil if there is none. Each file that exists and does not verify is told to damaged.
func readNewest(fsys vfs.FS, path string, damaged func(error)) *List {
	var newest *List
	for _, p := range []string{path, path + previousSuffix} {
		l, err := ReadList(fsys, p)
		if err != nil {
			if !errors.Is(err, fs.ErrNotExist) {
				damaged(err)
			}
			continue
		}
		if newest == nil || l.Generation > newest.Generation {
			newest = l
		}
	}
	return newest
}

// Write makes l the newest list at path, durably; the list that stood there becomes the one before. On an error the old ones are still there.
func (l *List) Write(fsys vfs.FS, path string) error {
	if err := l.writeFile(fsys, path+tempSuffix); err != nil {
		return fmt.Errorf("write LRU list: %w", errors.Join(err, removeIfThere(fsys, path+tempSuffix)))
	}
	if _, err := ReadList(fsys, path); err == nil { // a damaged one must not push out a good one
		if err := rename(fsys, path, path+previousSuffix); err != nil {
			return fmt.Errorf("keep the last LRU list: %w", err)
		}
	}
	if err := rename(fsys, path+tempSuffix, path); err != nil {
		return fmt.Errorf("write LRU list: %w", err)
	}
	return nil
}

func (l *List) writeFile(fsys vfs.FS, path string) error {
	f, err := fsys.Open(path, vfs.Options{Create: true, Truncate: true})
	if err != nil {
		return err
	}
	b := l.encode()
	for off := 0; off < len(b) && err == nil; off += writeChunk {
		_, err = f.WriteAt(b[off:min(off+writeChunk, len(b))], int64(off))
	}
	if err == nil {
		err = f.SyncAll()
	}
	return errors.Join(err, f.Close())
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
