package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"emberdb/internal/vfs"
)

// ErrNoObject says that a store has no object of that name.
var ErrNoObject = errors.New("no such object in the backup store")

// Object is an object of a store.
type Object struct {
	Name string
	Size int64
}

// Store holds the objects of backups. Its methods may be called concurrently.
type Store interface {
	// Put writes an object whole; it is durable when Put returns, and never seen in part.
	Put(ctx context.Context, name string, data []byte) error
	// Get reads n bytes at off, or with n < 0 all from off on; ErrNoObject.
	Get(ctx context.Context, name string, off, n int64) ([]byte, error)
	// List returns the objects whose names begin with prefix, sorted.
	List(ctx context.Context, prefix string) ([]Object, error)
	// Remove deletes an object; a missing one is no error.
	Remove(ctx context.Context, name string) error
	// URL is how OpenStore opens the store again.
	URL() string
	Close() error
}

// OpenStore opens a store by its place:
//
//	DIR or file:DIR                a directory, which need not exist
//	FILE.tar                       one file with one backup: read if it is there, else made
//	-                              the same to standard output
//	s3://BUCKET/PREFIX             a bucket of S3 or a service like it (s3Store)
//	sftp://USER@HOST:PORT/PATH     a directory of another machine (sftpStore)
func OpenStore(ctx context.Context, place string) (Store, error) {
	scheme, rest, found := strings.Cut(place, ":")
	if found && scheme == "file" {
		place, found = strings.TrimPrefix(rest, "//"), false
	}
	switch {
	case !found || strings.Contains(scheme, "/"):
	case scheme == "s3":
		return openS3(ctx, place)
	case scheme == "sftp":
		return openSFTP(ctx, place)
	default:
		return nil, fmt.Errorf("%s: backups are kept in a directory, a .tar file, standard output, s3:// or sftp://; %s is not known", place, scheme)
	}
	if place == "" {
		return nil, errors.New("no place for the backup was given")
	}
	fsys := vfs.NewOS(nil)
	if place == "-" {
		return newTarWriter(fsys, "")
	}
	path, err := filepath.Abs(place)
	if err != nil {
		return nil, err
	}
	if filepath.Ext(path) != ".tar" {
		return newDirStore(fsys, path), nil
	}
	s, err := openTar(fsys, path)
	if errors.Is(err, fs.ErrNotExist) {
		return newTarWriter(fsys, path)
	}
	return s, err
}
