package vfs

// ReadFile returns the content of a small file.
func ReadFile(fs FS, name string) ([]byte, error) {
	f, err := fs.Open(name, Options{ReadOnly: true})
	if err != nil {
		return nil, err
	}
	defer f.Close()
	size, err := f.Size()
	if err != nil {
		return nil, err
	}
	data := make([]byte, size)
	_, err = f.ReadAt(data, 0)
	return data, err
}

// WriteFile makes a small file with that content and syncs it; the folder is the caller's to sync.
func WriteFile(fs FS, name string, data []byte) error {
	f, err := fs.Open(name, Options{Create: true, Truncate: true})
	if err != nil {
		return err
	}
	if len(data) > 0 {
		_, err = f.WriteAt(data, 0)
	}
	if err == nil {
		err = f.SyncAll()
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	return err
}
