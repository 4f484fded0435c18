package redo

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"path/filepath"

	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// A checkpoint file. Two of them, checkpoint.0 and checkpoint.1, are written in turn. On disk;
// fixed.
//
//	0  8 magic "EMBRCKPT"   8 4 version   12 4 CRC-32C of everything else up to the end of the blob   16 16 server uuid
//	32 8 sequence number    40 8 LSN      48 8 durable LSN when it was written      56 4 salt in force at LSN
//	60 4 length of blob     64 .. blob
const (
	cpMagic   = "EMBRCKPT"
	cpVersion = 1
	cpHeader  = 64
	maxBlob   = 16 << 20
)

// Checkpoint is the state from which a start reads the log.
type Checkpoint struct {
	LSN     base.LSN // every change before it is in the data files
	Durable base.LSN // the log was durable up to here when the checkpoint was written; it cannot end before
	UUID    [16]byte
	Blob    []byte // the engine's own
	seq     uint64
	salt    uint32
}

func checkpointName(dir string, seq uint64) string {
	return filepath.Join(dir, fmt.Sprintf("checkpoint.%d", seq%2))
}

func (c *Checkpoint) encode() []byte {
	b := make([]byte, cpHeader, cpHeader+len(c.Blob))
	copy(b, cpMagic)
	binary.LittleEndian.PutUint32(b[8:], cpVersion)
	copy(b[16:], c.UUID[:])
	binary.LittleEndian.PutUint64(b[32:], c.seq)
	binary.LittleEndian.PutUint64(b[40:], uint64(c.LSN))
	binary.LittleEndian.PutUint64(b[48:], uint64(c.Durable))
	binary.LittleEndian.PutUint32(b[56:], c.salt)
	binary.LittleEndian.PutUint32(b[60:], uint32(len(c.Blob)))
	b = append(b, c.Blob...)
	binary.LittleEndian.PutUint32(b[12:], crc32.Checksum(b, castagnoli))
	return b
}

// writeCheckpoint stores c in its file, durably.
func writeCheckpoint(fsys vfs.FS, dir string, c *Checkpoint) (err error) {
	name := checkpointName(dir, c.seq)
	_, missing := fsys.Stat(name)
	file, err := fsys.Open(name, vfs.Options{Create: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if _, err := file.WriteAt(c.encode(), 0); err != nil {
		return err
	}
	if err := file.Sync(); err != nil {
		return err
	}
	if missing != nil {
		return fsys.SyncDir(dir)
	}
	return nil
}

// errUnborn says that the log was never begun: checkpoint.1 is made only after checkpoint.0 is
// durable.
var errUnborn = errors.New("the log was never begun")

// readCheckpoint returns the newer one of the valid checkpoint files, and of the other one, if that
// is there and damaged, the damage. Without one it is fs.ErrNotExist when there is no file at all,
// and errUnborn besides the damage when the power was cut while the first was made.
func readCheckpoint(fsys vfs.FS, dir string) (best *Checkpoint, damage, err error) {
	second := false // checkpoint.1 exists
	for i := range uint64(2) {
		c, err := readCheckpointFile(fsys, checkpointName(dir, i))
		second = i == 1 && !errors.Is(err, fs.ErrNotExist)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case errors.Is(err, base.ErrCorrupt):
			damage = err
		case err != nil:
			return nil, nil, err
		case best == nil || c.seq > best.seq:
			best = c
		}
	}
	if best == nil && damage != nil && !second {
		return nil, nil, fmt.Errorf("%w: %w", errUnborn, damage)
	}
	if best == nil && damage != nil {
		return nil, nil, damage
	}
	if best == nil {
		return nil, nil, fmt.Errorf("%s: %w", checkpointName(dir, 0), fs.ErrNotExist)
	}
	return best, damage, nil
}

func readCheckpointFile(fsys vfs.FS, name string) (*Checkpoint, error) {
	file, err := fsys.Open(name, vfs.Options{ReadOnly: true})
	if err != nil {
		return nil, err
	}
	defer file.Close()
	size, err := file.Size()
	if err != nil {
		return nil, err
	}
	bad := func(detail string) error { return &base.CorruptError{File: name, Detail: detail} }
	if size < cpHeader || size > cpHeader+maxBlob {
		return nil, bad(fmt.Sprintf("length %d", size))
	}
	b := make([]byte, size)
	if _, err := file.ReadAt(b, 0); err != nil && err != io.EOF {
		return nil, err
	}
	if string(b[:8]) != cpMagic {
		return nil, bad(fmt.Sprintf("magic %q", b[:8]))
	}
	n := int64(binary.LittleEndian.Uint32(b[60:]))
	if cpHeader+n > size {
		return nil, bad(fmt.Sprintf("blob of %d bytes in a file of %d", n, size))
	}
	b = b[:cpHeader+n]
	sum := binary.LittleEndian.Uint32(b[12:])
	clear(b[12:16])
	if got := crc32.Checksum(b, castagnoli); got != sum {
		return nil, bad(fmt.Sprintf("checksum %08x, stored %08x", got, sum))
	}
	if v := binary.LittleEndian.Uint32(b[8:]); v != cpVersion {
		return nil, bad(fmt.Sprintf("version %d, this server knows %d", v, cpVersion))
	}
	c := &Checkpoint{
		seq: binary.LittleEndian.Uint64(b[32:]), LSN: base.LSN(binary.LittleEndian.Uint64(b[40:])),
		Durable: base.LSN(binary.LittleEndian.Uint64(b[48:])), salt: binary.LittleEndian.Uint32(b[56:]), Blob: b[cpHeader:],
	}
	copy(c.UUID[:], b[16:])
	return c, nil
}
