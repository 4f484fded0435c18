package redo

import "emberdb/internal/base"

// ReadBack tells a log that has not started yet that everything before lsn was read from its segments and verified. It syncs them, since the bytes of a
// killed server may have been in a cache only, and counts them as durable, so that recovery may write pages changed by them before it has
// found the end of the log.
func (l *Log) ReadBack(lsn base.LSN) error {
	if l.started.Load() || l.Durable() >= lsn {
		return l.failed()
	}
	l.segs.mu.Lock()
	defer l.segs.mu.Unlock()
	for _, seg := range l.segs.live {
		if err := seg.file.Sync(); err != nil {
			return l.fail(err)
		}
	}
	raise(&l.durable, lsn)
	return nil
}
