package measure

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// DeviceRates are what the volume of a directory does in sequence past the page cache, in bytes a
// second.
type DeviceRates struct {
	Write float64 `json:"write"`
	Read  float64 `json:"read"`
	Copy  float64 `json:"copy"` // of a file to another one of the same volume
}

// deviceBlock is what one call reads or writes, deviceCallers how many calls there are at a time.
const (
	deviceBlock   = 4 << 20
	deviceCallers = 2
)

// Device measures the volume of a directory with files of so many bytes, which it removes.
func Device(dir string, size int64) (r DeviceRates, err error) {
	folder, err := os.MkdirTemp(dir, "ember-bench-")
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	from, err := openDirect(filepath.Join(folder, "from"))
	if err != nil {
		return r, err
	}
	defer from.Close()
	to, err := openDirect(filepath.Join(folder, "to"))
	if err != nil {
		return r, err
	}
	defer to.Close()
	for _, pass := range []struct {
		rate *float64
		call func(block []byte, off int64) error
		sync *os.File
	}{
		{&r.Write, writing(from), from},
		{&r.Read, reading(from), nil},
		{&r.Copy, func(block []byte, off int64) error {
			return errors.Join(reading(from)(block, off), writing(to)(block, off))
		}, to},
	} {
		if *pass.rate, err = passOver(size, pass.call, pass.sync); err != nil {
			return r, fmt.Errorf("measuring %s: %w", dir, err)
		}
	}
	return r, nil
}

// openDirect makes a file that is read and written past the page cache where the file system can.
func openDirect(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|unix.O_DIRECT, 0o600)
	if errors.Is(err, unix.EINVAL) {
		return os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	}
	return f, err
}

func writing(f *os.File) func([]byte, int64) error {
	return func(block []byte, off int64) error {
		_, err := f.WriteAt(block, off)
		return err
	}
}

func reading(f *os.File) func([]byte, int64) error {
	return func(block []byte, off int64) error {
		_, err := f.ReadAt(block, off)
		return err
	}
}

// passOver calls for each block of size bytes and returns the rate, with the sync of a file in it.
func passOver(size int64, call func(block []byte, off int64) error, synced *os.File) (float64, error) {
	var callers sync.WaitGroup
	errs := make([]error, deviceCallers)
	began := time.Now()
	for n := range deviceCallers {
		callers.Go(func() { errs[n] = everyNth(n, size, call) })
	}
	callers.Wait()
	err := errors.Join(errs...)
	if err == nil && synced != nil {
		err = synced.Sync()
	}
	return Ratio(float64(size), time.Since(began).Seconds()), err
}

// everyNth is one caller's part.
func everyNth(n int, size int64, call func(block []byte, off int64) error) error {
	block, err := unix.Mmap(-1, 0, deviceBlock, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON) // direct I/O wants aligned memory
	if err != nil {
		return err
	}
	defer func() { _ = unix.Munmap(block) }()
	for i := range block {
		block[i] = byte(i * 31 >> 3) // a volume may store zeros as nothing
	}
	for off := int64(n) * deviceBlock; off < size; off += deviceCallers * deviceBlock {
		if err := call(block[:min(deviceBlock, size-off)], off); err != nil {
			return err
		}
	}
	return nil
}
