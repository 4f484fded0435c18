package charset

import (
	"archive/zip"
	"bytes"
	"io"
	"sync"
)

// entriesOf are the entries of an archive that is part of the program, each read when it is first
// asked for. read gets all, since one may stand on another.
func entriesOf[T any](archive []byte, read func(name string, body []byte, all map[string]func() T) T) map[string]func() T {
	z, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		panic(err)
	}
	out := make(map[string]func() T, len(z.File))
	for _, f := range z.File {
		out[f.Name] = sync.OnceValue(func() T { return read(f.Name, unpacked(f), out) })
	}
	return out
}

func unpacked(f *zip.File) []byte {
	in, err := f.Open()
	if err != nil {
		panic(err)
	}
	defer in.Close()
	body, err := io.ReadAll(in)
	if err != nil {
		panic(err)
	}
	return body
}
