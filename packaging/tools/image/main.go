// Command image writes a container image that holds a program and nothing else, as an archive that
// docker load, podman load and skopeo read.
//
//	image --out=ember.tar --tag=ember:0.2.0 bin/emberd bin/ember
package main

import (
	"archive/tar"
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
)

// account is the user and group that the server runs as in the image.
const account = 999

func main() {
	out := flag.String("out", "", "archive to write")
	tag := flag.String("tag", "", "name and tag of the image")
	arch := flag.String("arch", "amd64", "architecture of the programs")
	flag.Parse()
	if err := write(*out, *tag, *arch, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "image:", err)
		os.Exit(1)
	}
}

func write(out, tag, arch string, programs []string) error {
	ref, err := name.NewTag(tag)
	if err != nil {
		return err
	}
	content, err := files(programs)
	if err != nil {
		return err
	}
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(content)), nil })
	if err != nil {
		return err
	}
	image, err := mutate.AppendLayers(empty.Image, layer)
	if err != nil {
		return err
	}
	config, err := image.ConfigFile()
	if err != nil {
		return err
	}
	config.OS, config.Architecture = "linux", arch
	config.Config = v1.Config{
		User:         fmt.Sprintf("%d:%d", account, account),
		Entrypoint:   []string{"/usr/sbin/emberd", "--datadir=/var/lib/ember", "--socket=/run/mysqld/mysqld.sock", "--bind-address=*"},
		Env:          []string{"PATH=/usr/sbin:/usr/bin"},
		ExposedPorts: map[string]struct{}{"3306/tcp": {}},
		Volumes:      map[string]struct{}{"/var/lib/ember": {}},
		WorkingDir:   "/var/lib/ember",
		StopSignal:   "SIGTERM",
	}
	if image, err = mutate.ConfigFile(image, config); err != nil {
		return err
	}
	return tarball.WriteToFile(out, ref, image)
}

// files is a tar of the file system: the programs, the directories the server writes to, and its
// account.
func files(programs []string) ([]byte, error) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	put := func(h tar.Header, body []byte) error {
		h.Size = int64(len(body))
		if err := w.WriteHeader(&h); err != nil {
			return err
		}
		_, err := w.Write(body)
		return err
	}
	for _, dir := range []string{"etc/", "run/", "usr/", "usr/bin/", "usr/sbin/", "var/", "var/lib/"} {
		if err := put(tar.Header{Name: dir, Typeflag: tar.TypeDir, Mode: 0o755}, nil); err != nil {
			return nil, err
		}
	}
	for _, dir := range []struct {
		name string
		mode int64
	}{{"run/mysqld/", 0o755}, {"tmp/", 0o1777}, {"var/lib/ember/", 0o750}} {
		if err := put(tar.Header{Name: dir.name, Typeflag: tar.TypeDir, Mode: dir.mode, Uid: account, Gid: account}, nil); err != nil {
			return nil, err
		}
	}
	for _, f := range []struct{ name, text string }{
		{"etc/passwd", fmt.Sprintf("root:x:0:0::/:/\nmysql:x:%d:%d::/var/lib/ember:/\n", account, account)},
		{"etc/group", fmt.Sprintf("root:x:0:\nmysql:x:%d:\n", account)},
	} {
		if err := put(tar.Header{Name: f.name, Mode: 0o644}, []byte(f.text)); err != nil {
			return nil, err
		}
	}
	for _, path := range programs {
		body, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		dir := "usr/bin/"
		if filepath.Base(path) == "emberd" {
			dir = "usr/sbin/"
		}
		if err := put(tar.Header{Name: dir + filepath.Base(path), Mode: 0o755}, body); err != nil {
			return nil, err
		}
	}
	err := w.Close() // it writes the end, so it comes before Bytes
	return b.Bytes(), err
}
