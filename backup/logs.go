package backup

import (
	"bufio"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"iter"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"filippo.io/age"

	"emberdb/binlog"
	"emberdb/internal/vfs"
)

// Binary logs beside the sets of a store. A server's files stand in chunks, each written once,
// whole:
//
//	log/<server uuid>/<created>-<file>/<from>-<to>   the bytes [from, to) of a file
//	log/<server uuid>/key.<id>                       the key of encrypted chunks, for its recipients
//
// created is the time of the file's format description, seconds since 1970: a log that is reset has
// files of the same names again. Two chunks may overlap where small ones were joined into a large
// one: what reads takes the one that goes furthest. The bytes up to the first gap are whole events.
//
// Chunk. On disk; fixed. Integers are little-endian.
//
//	0   8   magic "EMBLOG1\n"
//	8   4   id of the key; 0: not encrypted
//	12  4   length before sealing
//	16  4   CRC-32C of the sealed bytes
//	20  ..  the bytes, sealed with the object's name as identity
const (
	chunkMagic = "EMBLOG1\n"
	chunkHead  = 20
	logPrefix  = "log/"
	maxChunk   = 16 << 20 // bytes at which a chunk is written
)

// logChunk is an object of the archive.
type logChunk struct {
	name     string
	from, to int64
}

// LogFile is a binary log file that can be read: of an archive, or of a folder.
type LogFile struct {
	Server  string // uuid; "": not known
	Name    string
	Created int64 // seconds since 1970
	Size    int64 // up to the first gap

	chunks  []logChunk // of an archive, without gaps or overlaps
	archive *logArchive
	path    string // of a folder
}

// Path names the file for messages.
func (f *LogFile) Path() string {
	if f.path != "" {
		return f.path
	}
	return fmt.Sprintf("%s of server %s", f.Name, f.Server)
}

// folder is where the chunks of an archived file stand.
func (f *LogFile) folder() string {
	return fmt.Sprintf("%s%s/%010d-%s", logPrefix, f.Server, f.Created, f.Name)
}

// logArchive reads and writes the logs of a store.
type logArchive struct {
	store      Store
	identities []age.Identity
	seals      map[string]*sealer // by server and id of the key
}

func newLogArchive(store Store, identities []age.Identity) *logArchive {
	return &logArchive{store: store, identities: identities, seals: map[string]*sealer{}}
}

// sealer finds the sealer of a key.
func (a *logArchive) sealer(ctx context.Context, server string, id uint32) (*sealer, error) {
	name := keyName(server, id)
	if s := a.seals[name]; s != nil {
		return s, nil
	}
	var key []byte
	if id != 0 {
		wrapped, err := a.store.Get(ctx, name, 0, -1)
		if err != nil {
			return nil, err
		}
		if key, err = unwrapKey(wrapped, a.identities); err != nil {
			return nil, fmt.Errorf("binary logs of server %s: %w", server, err)
		}
	}
	s, err := newSealer(key)
	if err == nil {
		a.seals[name] = s
	}
	return s, err
}

func keyName(server string, id uint32) string {
	return fmt.Sprintf("%s%s/key.%08x", logPrefix, server, id)
}

// chunk reads a chunk.
func (a *logArchive) chunk(ctx context.Context, server string, c logChunk) ([]byte, error) {
	b, err := a.store.Get(ctx, c.name, 0, -1)
	if err != nil {
		return nil, err
	}
	if len(b) < chunkHead || string(b[:8]) != chunkMagic {
		return nil, damaged(c.name, "it is no piece of a binary log")
	}
	le := binary.LittleEndian
	sealed := b[chunkHead:]
	if sum := crc32.Checksum(sealed, castagnoli); sum != le.Uint32(b[16:]) {
		return nil, damaged(c.name, "checksum %08x, stored %08x", sum, le.Uint32(b[16:]))
	}
	if n := int64(le.Uint32(b[12:])); n != c.to-c.from {
		return nil, damaged(c.name, "it has %d bytes", n)
	}
	s, err := a.sealer(ctx, server, le.Uint32(b[8:]))
	if err != nil {
		return nil, err
	}
	data, err := s.open(sealed, []byte(c.name), int(c.to-c.from))
	if err != nil {
		return nil, damaged(c.name, "%v", err)
	}
	return data, nil
}

// files lists the files of the archive, in the order they were written.
func (a *logArchive) files(ctx context.Context, server string) ([]*LogFile, error) {
	objects, err := a.store.List(ctx, strings.TrimSuffix(logPrefix+server, "/")+"/")
	if err != nil {
		return nil, err
	}
	byPath := map[string]*LogFile{}
	for _, o := range objects {
		f, c, ok := parseChunk(o.Name)
		if !ok {
			continue
		}
		at := filepath.Dir(o.Name)
		if byPath[at] == nil {
			f.archive = a
			byPath[at] = f
		}
		byPath[at].chunks = append(byPath[at].chunks, c)
	}
	var out []*LogFile
	for _, f := range byPath {
		f.settle()
		if f.Size > 0 {
			out = append(out, f)
		}
	}
	sortLogs(out)
	return out, nil
}

// parseChunk reads the name of a chunk: log/<server>/<created>-<file>/<from>-<to>.
func parseChunk(name string) (*LogFile, logChunk, bool) {
	parts := strings.Split(name, "/")
	if len(parts) != 4 {
		return nil, logChunk{}, false
	}
	created, file, ok := strings.Cut(parts[2], "-")
	from, to, ok2 := strings.Cut(parts[3], "-")
	f, c := &LogFile{Server: parts[1], Name: file}, logChunk{name: name}
	var errs [3]error
	f.Created, errs[0] = strconv.ParseInt(created, 10, 64)
	c.from, errs[1] = strconv.ParseInt(from, 10, 64)
	c.to, errs[2] = strconv.ParseInt(to, 10, 64)
	return f, c, ok && ok2 && errors.Join(errs[:]...) == nil && c.from >= 0 && c.to > c.from && c.to-c.from <= maxPiece
}

// settle leaves the chunks that make the file, up to the first gap.
func (f *LogFile) settle() {
	slices.SortFunc(f.chunks, func(a, b logChunk) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to)) })
	var whole []logChunk
	for i := 0; i < len(f.chunks); {
		best := -1
		for ; i < len(f.chunks) && f.chunks[i].from <= f.Size; i++ {
			if f.chunks[i].from == f.Size && f.chunks[i].to > f.Size && (best < 0 || f.chunks[i].to > f.chunks[best].to) {
				best = i
			}
		}
		if best < 0 {
			break
		}
		whole = append(whole, f.chunks[best])
		f.Size = f.chunks[best].to
	}
	f.chunks = whole
}

func sortLogs(files []*LogFile) {
	slices.SortFunc(files, func(a, b *LogFile) int {
		return cmp.Or(cmp.Compare(a.Created, b.Created), cmp.Compare(len(a.Name), len(b.Name)), cmp.Compare(a.Name, b.Name))
	})
}

// open reads the file from its begin on.
func (f *LogFile) open(ctx context.Context) (io.ReadCloser, error) {
	if f.path != "" {
		file, err := vfs.NewOS(nil).Open(f.path, vfs.Options{ReadOnly: true})
		if err != nil {
			return nil, err
		}
		return plainReader{io.NewSectionReader(file, 0, f.Size), file}, nil
	}
	return &chunkReader{ctx: ctx, f: f}, nil
}

// plainReader reads a file of a folder.
type plainReader struct {
	io.Reader
	io.Closer
}

// chunkReader reads a file of an archive chunk by chunk.
type chunkReader struct {
	ctx  context.Context
	f    *LogFile
	next int
	data []byte
}

// Read implements io.Reader.
func (r *chunkReader) Read(p []byte) (int, error) {
	for len(r.data) == 0 {
		if r.next == len(r.f.chunks) {
			return 0, io.EOF
		}
		var err error
		if r.data, err = r.f.archive.chunk(r.ctx, r.f.Server, r.f.chunks[r.next]); err != nil {
			return 0, err
		}
		r.next++
	}
	n := copy(p, r.data)
	r.data = r.data[n:]
	return n, nil
}

// Close implements io.Closer.
func (r *chunkReader) Close() error { return nil }

// OpenLogs lists the binary log files of a place, in the order they were written: those of the
// folder log of a store, or those that stand in a folder as a server writes them. server limits
// those of a store to one server's; "": all.
func OpenLogs(ctx context.Context, place, server string, identities []age.Identity) ([]*LogFile, error) {
	plain, err := plainLogs(place)
	if err != nil || len(plain) > 0 {
		return plain, err
	}
	store, err := OpenStore(ctx, place)
	if err != nil {
		return nil, err
	}
	files, err := newLogArchive(store, identities).files(ctx, server)
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("%s holds no binary logs", strings.TrimRight(place+" of server "+server, " "))
	}
	return files, err
}

// plainLogs lists the files of a folder that begin as binary logs do.
func plainLogs(dir string) ([]*LogFile, error) {
	fsys := vfs.NewOS(nil)
	names, err := fsys.List(dir)
	if err != nil {
		return nil, nil // it is no folder: what OpenStore says of it is better
	}
	var out []*LogFile
	for _, n := range names {
		f := &LogFile{Name: n, path: filepath.Join(dir, n)}
		if info, err := fsys.Stat(f.path); err != nil || info.Dir {
			continue // no regular file
		}
		ok, err := f.readHead()
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, f)
		}
	}
	sortLogs(out)
	return out, nil
}

// readHead learns what a file of a folder is; false: no binary log.
func (f *LogFile) readHead() (bool, error) {
	file, err := vfs.NewOS(nil).Open(f.path, vfs.Options{ReadOnly: true})
	if err != nil {
		return false, err
	}
	defer file.Close()
	var head [len(logMagic) + eventHead]byte
	if _, err := file.ReadAt(head[:], 0); err != nil || string(head[:len(logMagic)]) != logMagic {
		if errors.Is(err, io.EOF) {
			err = nil
		}
		return false, err
	}
	h, err := binlog.ParseHeader(head[len(logMagic):])
	if err != nil || h.Type != binlog.EventFormatDescription {
		return false, nil
	}
	f.Created = int64(h.Time)
	f.Size, err = file.Size()
	return true, err
}

const (
	logMagic  = "\xfebin"
	eventHead = 19
)

// logEvents reads the events of one file.
type logEvents struct {
	f    *LogFile
	r    io.ReadCloser
	buf  *bufio.Reader
	pos  int64
	sums bool // events carry checksums
}

// events are those of the file, up to the last whole one. An error ends them.
func (f *LogFile) events(ctx context.Context) iter.Seq2[*binlog.Event, error] {
	return func(yield func(*binlog.Event, error) bool) {
		events, err := f.openEvents(ctx)
		if err != nil {
			yield(nil, err)
			return
		}
		defer events.close()
		for {
			e, err := events.next()
			if errors.Is(err, io.EOF) || !yield(e, err) || err != nil {
				return
			}
		}
	}
}

func (f *LogFile) openEvents(ctx context.Context) (*logEvents, error) {
	r, err := f.open(ctx)
	if err != nil {
		return nil, err
	}
	e := &logEvents{f: f, r: r, buf: bufio.NewReaderSize(r, 1<<20)}
	var m [len(logMagic)]byte
	if _, err := io.ReadFull(e.buf, m[:]); err != nil || string(m[:]) != logMagic {
		return nil, errors.Join(damaged(f.Path(), "it begins with %x (%v), not as a binary log", m, err), r.Close())
	}
	e.pos = int64(len(logMagic))
	return e, nil
}

// next reads an event, whose bytes are the caller's; io.EOF behind the last whole one.
func (e *logEvents) next() (*binlog.Event, error) {
	head, err := e.buf.Peek(eventHead)
	if err != nil {
		return nil, cutOff(err)
	}
	h, err := binlog.ParseHeader(head)
	if err != nil {
		return nil, damaged(e.f.Path(), "at %d: %v", e.pos, err)
	}
	if int64(h.Length) > e.f.Size-e.pos {
		return nil, io.EOF // the rest was not written, or not archived
	}
	raw := make([]byte, h.Length)
	if _, err := io.ReadFull(e.buf, raw); err != nil {
		return nil, cutOff(err)
	}
	out, err := binlog.NewEvent(e.f.Path(), e.pos, raw, e.sums)
	if err != nil {
		return nil, damaged(e.f.Path(), "at %d: %v", e.pos, err)
	}
	if h.Type == binlog.EventFormatDescription {
		e.sums = out.TellsChecksums()
	}
	e.pos += int64(h.Length)
	return out, nil
}

// cutOff makes the end of a file that ends inside an event the end of its events.
func cutOff(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return io.EOF
	}
	return err
}

func (e *logEvents) close() { _ = e.r.Close() }
