package backup

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"sync"
	"sync/atomic"

	"emberdb/engine"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// The pack's format; see doc.go. On disk; fixed.
const (
	packMagic   = "EMBPACK1"
	packEnd     = "EMBPEND1"
	entrySize   = 40
	packTrailer = 24

	kindPages = 0
	kindFile  = 1

	packedZstd = 0
	packedNot  = 1
	packedS2   = 2
	codecs     = 3
)

// chunkPages is how many pages a chunk has.
const chunkPages = engine.BackupRun

// filePiece is how much of a file a piece holds at most.
const filePiece = 1 << 20

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// entry tells of a piece.
type entry struct {
	kind    uint8
	codec   uint8  // how the piece is compressed
	id      uint32 // tablespace, or number of the file
	at      uint64 // first page, or offset
	present uint64
	offset  uint32 // in the pack
	length  uint32
	crc     uint32
	size    uint32 // before sealing
	pack    uint32 // not in the pack's own list
}

func (e *entry) append(dst []byte) []byte {
	dst = e.appendIdentity(dst)
	dst = binary.LittleEndian.AppendUint32(dst, e.offset)
	dst = binary.LittleEndian.AppendUint32(dst, e.length)
	dst = binary.LittleEndian.AppendUint32(dst, e.crc)
	return binary.LittleEndian.AppendUint32(dst, e.size)
}

func parseEntry(b []byte) entry {
	le := binary.LittleEndian
	return entry{kind: b[0], codec: b[1], id: le.Uint32(b[4:]), at: le.Uint64(b[8:]), present: le.Uint64(b[16:]),
		offset: le.Uint32(b[24:]), length: le.Uint32(b[28:]), crc: le.Uint32(b[32:]), size: le.Uint32(b[36:])}
}

// appendIdentity appends what binds a sealed piece to its place.
func (e *entry) appendIdentity(dst []byte) []byte {
	dst = append(dst, e.kind, e.codec, 0, 0)
	dst = binary.LittleEndian.AppendUint32(dst, e.id)
	dst = binary.LittleEndian.AppendUint64(dst, e.at)
	return binary.LittleEndian.AppendUint64(dst, e.present)
}

func (e *entry) identity() []byte { return e.appendIdentity(nil) }

// valid tells whether the entry can be one of a pack of that size.
func (e *entry) valid(size int64) bool {
	return int64(e.offset) >= int64(len(packMagic)) && int64(e.offset)+int64(e.length) <= size && e.size <= maxPiece && e.codec < codecs &&
		(e.kind == kindFile || e.kind == kindPages && e.at%chunkPages == 0 && e.at <= uint64(base.NilPage) && int(e.size) == pagesIn(e.present)*base.PageSize)
}

func packName(set string, number uint32) string { return fmt.Sprintf("%s/pack.%08d", set, number) }

// packSize is how large a pack gets before it is written; packRoom is for what it has beyond.
const (
	packSize = 32 << 20
	packRoom = 2 << 20
)

// packs writes the packs of a set.
type packs struct {
	store    Store
	set      string
	seal     *sealer
	compress *compressor
	next     atomic.Uint32
	stored   atomic.Int64
	writes   sync.WaitGroup // of packs that are being written

	mu      sync.Mutex
	entries []entry // of the packs that are in the store
}

// packer fills one pack after the other, while the one before is written. It belongs to one
// goroutine.
type packer struct {
	p       *packs
	buf     []byte
	entries []entry
	scratch []byte     // a piece, compressed
	spare   []byte     // memory of the pack that is being written
	writing chan error // tells the end of that; nil: none is being written
}

func (p *packs) packer() *packer { return &packer{p: p} }

// add puts a piece into the pack.
func (w *packer) add(ctx context.Context, e entry, data []byte) error {
	if len(w.buf) == 0 {
		if w.buf == nil {
			w.buf = vfs.AlignedBlock(packSize + packRoom)[:0]
		}
		w.buf = append(w.buf, packMagic...)
	}
	at := len(w.buf)
	e.size = uint32(len(data))
	var packed []byte
	packed, e.codec = w.p.compress.piece(&w.scratch, data)
	w.buf = w.p.seal.encrypt(w.buf, packed, e.identity())
	e.offset, e.length = uint32(at), uint32(len(w.buf)-at)
	e.crc = crc32.Checksum(w.buf[at:], castagnoli)
	w.entries = append(w.entries, e)
	if len(w.buf) < packSize {
		return nil
	}
	return w.write(ctx)
}

// write completes the pack and begins to write it to the store, once the one before is there.
func (w *packer) write(ctx context.Context) error {
	late, err := w.wait()
	if err != nil {
		return err
	}
	w.p.compress.storeLags(late)
	number := w.p.next.Add(1)
	first := len(w.buf)
	for i := range w.entries {
		w.buf = w.entries[i].append(w.buf)
		w.entries[i].pack = number
	}
	sum := crc32.Checksum(w.buf[first:], castagnoli)
	w.buf = binary.LittleEndian.AppendUint32(w.buf, uint32(len(w.entries)))
	w.buf = binary.LittleEndian.AppendUint32(w.buf, sum)
	w.buf = binary.LittleEndian.AppendUint64(w.buf, uint64(first))
	w.buf = append(w.buf, packEnd...)
	pack, entries, done := w.buf, w.entries, make(chan error, 1)
	w.buf, w.entries, w.spare, w.writing = w.spare[:0], nil, pack, done
	w.p.writes.Go(func() { done <- w.p.put(ctx, number, pack, entries) })
	return nil
}

// wait returns when the pack that is being written is in the store. late: it was waited for.
func (w *packer) wait() (late bool, err error) {
	if w.writing == nil {
		return false, nil
	}
	select {
	case err = <-w.writing:
	default:
		late, err = true, <-w.writing
	}
	w.writing = nil
	return late, err
}

// flush writes what there is to the store, and returns when all is there.
func (w *packer) flush(ctx context.Context) error {
	if len(w.entries) > 0 {
		if err := w.write(ctx); err != nil {
			return err
		}
	}
	_, err := w.wait()
	return err
}

// put writes a pack to the store.
func (p *packs) put(ctx context.Context, number uint32, pack []byte, entries []entry) error {
	if err := p.store.Put(ctx, packName(p.set, number), pack); err != nil {
		return err
	}
	p.stored.Add(int64(len(pack)))
	p.mu.Lock()
	defer p.mu.Unlock()
	p.entries = append(p.entries, entries...)
	return nil
}

// readPack reads the list of a pack.
func readPack(ctx context.Context, store Store, set string, o Object) ([]entry, error) {
	var number uint32
	if _, err := fmt.Sscanf(o.Name, set+"/pack.%d", &number); err != nil || packName(set, number) != o.Name {
		return nil, fmt.Errorf("%s is no name of a pack", o.Name)
	}
	if o.Size < int64(len(packMagic)+packTrailer) {
		return nil, damaged(o.Name, "%d bytes are too short for a pack", o.Size)
	}
	end, err := store.Get(ctx, o.Name, o.Size-packTrailer, packTrailer)
	if err != nil {
		return nil, err
	}
	le := binary.LittleEndian
	n, sum, first := int64(le.Uint32(end)), le.Uint32(end[4:]), int64(le.Uint64(end[8:]))
	if string(end[16:]) != packEnd || first < int64(len(packMagic)) || first+n*entrySize+packTrailer != o.Size {
		return nil, damaged(o.Name, "it does not end as a pack does")
	}
	list, err := store.Get(ctx, o.Name, first, n*entrySize)
	if err != nil {
		return nil, err
	}
	if got := crc32.Checksum(list, castagnoli); got != sum {
		return nil, damaged(o.Name, "checksum of its list %08x, stored %08x", got, sum)
	}
	return parseEntries(list, number, first)
}

func parseEntries(list []byte, pack uint32, size int64) ([]entry, error) {
	out := make([]entry, 0, len(list)/entrySize)
	for ; len(list) >= entrySize; list = list[entrySize:] {
		e := parseEntry(list)
		if e.pack = pack; !e.valid(size) {
			return nil, damaged(fmt.Sprintf("pack %d", pack), "an entry that cannot be")
		}
		out = append(out, e)
	}
	return out, nil
}

// readPiece reads, checks and opens a piece.
func readPiece(ctx context.Context, store Store, set string, seal *sealer, e *entry) ([]byte, error) {
	name := packName(set, e.pack)
	sealed, err := store.Get(ctx, name, int64(e.offset), int64(e.length))
	if err != nil {
		return nil, err
	}
	return openPiece(name, sealed, seal, e)
}

func openPiece(name string, sealed []byte, seal *sealer, e *entry) ([]byte, error) {
	if got := crc32.Checksum(sealed, castagnoli); got != e.crc {
		return nil, &base.CorruptError{File: name, Offset: int64(e.offset), Detail: fmt.Sprintf("piece with checksum %08x, stored %08x", got, e.crc)}
	}
	data, err := seal.openPiece(sealed, e)
	if err != nil {
		return nil, &base.CorruptError{File: name, Offset: int64(e.offset), Detail: err.Error()}
	}
	return data, nil
}
