package pagefile

import (
	"sync"

	"emberdb/internal/base"
)

// FileUse is what was done with the file of a tablespace.
type FileUse struct {
	Space             base.SpaceID
	Read, Write, Sync base.TimedSum
}

// fileUse counts it.
type fileUse struct{ read, write, sync base.Timed }

// uses are the files used since the start, or named by Seed. A file that is dropped is forgotten.
type uses struct {
	mu sync.Mutex
	of map[base.SpaceID]*fileUse
}

func (u *uses) file(space base.SpaceID) *fileUse {
	u.mu.Lock()
	defer u.mu.Unlock()
	c := u.of[space]
	if c == nil {
		if u.of == nil {
			u.of = map[base.SpaceID]*fileUse{}
		}
		c = new(fileUse)
		u.of[space] = c
	}
	return c
}

func (u *uses) forget(space base.SpaceID) {
	u.mu.Lock()
	defer u.mu.Unlock()
	delete(u.of, space)
}

// Uses returns what was done with each file that was used, in no order.
func (f *Files) Uses() []FileUse {
	f.uses.mu.Lock()
	defer f.uses.mu.Unlock()
	all := make([]FileUse, 0, len(f.uses.of))
	for space, c := range f.uses.of {
		all = append(all, FileUse{space, c.read.Sum(), c.write.Sum(), c.sync.Sum()})
	}
	return all
}

// SeedUses adds what an earlier process has counted, of the doublewrite area too.
func (f *Files) SeedUses(all []FileUse, dwWrite, dwSync base.TimedSum) {
	f.stats.dwWrite.Set(f.stats.dwWrite.Sum().Plus(dwWrite))
	f.stats.dwSync.Set(f.stats.dwSync.Sum().Plus(dwSync))
	for _, s := range all {
		c := f.uses.file(s.Space)
		c.read.Set(c.read.Sum().Plus(s.Read))
		c.write.Set(c.write.Sum().Plus(s.Write))
		c.sync.Set(c.sync.Sum().Plus(s.Sync))
	}
}

// ResetUses makes all counts zero.
func (f *Files) ResetUses() {
	f.uses.mu.Lock()
	defer f.uses.mu.Unlock()
	for _, c := range f.uses.of {
		c.read.Set(base.TimedSum{})
		c.write.Set(base.TimedSum{})
		c.sync.Set(base.TimedSum{})
	}
	f.stats.dwWrite.Set(base.TimedSum{})
	f.stats.dwSync.Set(base.TimedSum{})
}
