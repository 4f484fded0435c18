package perfschema

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"path/filepath"

	"emberdb/internal/vfs"
	"emberdb/sql/token"
)

// The file of digests. Numbers are varints, a text is its length and its bytes:
//
//	"EMBERDIG" 1                         magic and format
//	n                                    digests
//	n times:
//	  schema, text                       texts
//	  events, sum, min, max, lock        of Stats
//	  k, counts                          how many counts there are
//	  first, last                        microseconds of Unix
//	  sample, seen, wait                 of QUERY_SAMPLE_TEXT
//	  b, (bucket, count) b times         of the histogram
//	crc32c                               4 bytes, little endian, of all before
//
// The file is written beside its place and renamed, so that there is always a whole one. It is not
// synced: what a power cut damages is told by the checksum, and read as no digests.
const (
	keepFile  = "performance_schema.digests"
	keepMagic = "EMBERDIG\x01"
	// keepLimit is the largest file that is read.
	keepLimit = 256 << 20
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Save writes the digests into a directory.
func (r *Registry) Save(fsys vfs.FS, dir string) error {
	all := r.Digests()
	b := make([]byte, 0, 1024*len(all)+64)
	n := 0
	for _, d := range all {
		if !d.Lost {
			n++
		}
	}
	b = binary.AppendUvarint(b, uint64(n))
	for _, d := range all {
		if !d.Lost {
			b = appendDigest(b, d)
		}
	}
	return Keep(fsys, filepath.Join(dir, keepFile), keepMagic, b)
}

// Keep writes a file of what is counted: its magic, what it holds, and a checksum of both.
func Keep(fsys vfs.FS, name, magic string, held []byte) error {
	b := append(append(make([]byte, 0, len(magic)+len(held)+4), magic...), held...)
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
	f, err := fsys.Open(name+".new", vfs.Options{Create: true, Truncate: true})
	if err != nil {
		return err
	}
	_, err = f.WriteAt(b, 0)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return fsys.Rename(name+".new", name)
}

func appendDigest(b []byte, d *Digest) []byte {
	s := d.Summary()
	text := func(t string) { b = append(binary.AppendUvarint(b, uint64(len(t))), t...) }
	numbers := func(list ...uint64) {
		for _, n := range list {
			b = binary.AppendUvarint(b, n)
		}
	}
	text(d.Schema)
	text(d.Text)
	numbers(s.Events, s.Sum, s.Min, s.Max, s.Lock, uint64(len(s.Counts)))
	numbers(s.Counts[:]...)
	numbers(uint64(s.First), uint64(s.Last))
	text(s.Sample)
	numbers(uint64(s.SampleSeen), uint64(s.SampleWait))
	used := uint64(0)
	for i := range Buckets {
		if d.Get(i) > 0 {
			used++
		}
	}
	numbers(used)
	for i := range Buckets {
		if n := d.Get(i); n > 0 && used > 0 {
			numbers(uint64(i), n)
			used--
		}
	}
	for ; used > 0; used-- { // a bucket was emptied meanwhile
		numbers(0, 0)
	}
	return b
}

// Load reads the digests of a directory that Save has written. Without a file there are none. What
// the Registry has counted stays: Load is called before anybody connects.
func (r *Registry) Load(fsys vfs.FS, dir string) error {
	name := filepath.Join(dir, keepFile)
	held, err := Kept(fsys, name, keepMagic)
	if held == nil || err != nil {
		return err
	}
	in := keptReader{b: held}
	for n := in.number(); n > 0 && !in.bad; n-- {
		in.digest(r)
	}
	if in.bad || len(in.b) > 0 {
		r.ResetDigests()
		return fmt.Errorf("%s has a length that does not fit", name)
	}
	return nil
}

// Kept reads what Keep has written; nil if there is no file.
func Kept(fsys vfs.FS, name, magic string) ([]byte, error) {
	info, err := fsys.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if info.Size > keepLimit {
		return nil, fmt.Errorf("%s has %d bytes, more than what is counted takes", name, info.Size)
	}
	data, err := vfs.ReadFile(fsys, name)
	if err != nil {
		return nil, err
	}
	end := len(data) - 4
	if end < len(magic) || string(data[:len(magic)]) != magic || crc32.Checksum(data[:end], castagnoli) != binary.LittleEndian.Uint32(data[end:]) {
		return nil, fmt.Errorf("%s is damaged, or of another format", name)
	}
	return data[len(magic):end], nil
}

// keptReader reads the file; once something does not fit, it is bad, and all is zero.
type keptReader struct {
	b   []byte
	bad bool
}

func (in *keptReader) number() uint64 {
	n, size := binary.Uvarint(in.b)
	if size <= 0 {
		in.bad, in.b = true, nil
		return 0
	}
	in.b = in.b[size:]
	return n
}

func (in *keptReader) text() string {
	n := in.number()
	if n > uint64(len(in.b)) {
		in.bad, in.b = true, nil
		return ""
	}
	t := string(in.b[:n])
	in.b = in.b[n:]
	return t
}

func (in *keptReader) digest(r *Registry) {
	schema, text := in.text(), in.text()
	var s Stats
	for _, p := range []*uint64{&s.Events, &s.Sum, &s.Min, &s.Max, &s.Lock} {
		*p = in.number()
	}
	for i, k := uint64(0), in.number(); i < k && !in.bad; i++ {
		if n := in.number(); i < uint64(counts) {
			s.Counts[i] = n
		}
	}
	first, last := int64(in.number()), int64(in.number())
	sample, seen, wait := in.text(), int64(in.number()), int64(in.number())
	d := &Digest{of: r, Schema: schema, Text: text}
	for i := in.number(); i > 0 && !in.bad; i-- {
		bucket, n := in.number(), in.number()
		if bucket >= Buckets {
			in.bad = true
			return
		}
		if n > 0 {
			d.Histogram.add(int(bucket), n)
		}
	}
	if in.bad {
		return
	}
	d.ID = token.DigestID(text)
	d.stripes[0].stats, d.stripes[0].first, d.stripes[0].last = s, first, last
	d.sample = r.Clip(sample)
	d.sampleAge.Store(seen)
	d.sampled.Store(wait)
	t := &r.digests
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.byKey) < t.limit {
		t.byKey[digestKey{schema, text}] = d
	}
}
