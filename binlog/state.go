package binlog

// State is what a checkpoint keeps of the log. On disk inside the checkpoint's blob; fixed.
//
//	0 4 version 1   4 4 number of the newest file   8 8 its length   16 8 number of resets   24 8 length of the executed set
//	32 .. executed set, purged set (binary form)

import (
	"encoding/binary"
	"fmt"

	"emberdb/internal/base"
)

const (
	stateVersion = 1
	stateHead    = 32
)

// State tells where the log stood: everything up to Offset of file File is in the files and synced.
type State struct {
	File     uint32 // 0: no file was ever written
	Offset   int64
	Resets   uint64 // how often the log was reset
	Executed *Set
	Purged   *Set
	// LSN is the end in redo of the newest unit the state knows of. Redo must be durable up to it
	// before the state is stored. Not stored itself.
	LSN base.LSN
}

// Append appends the stored form.
func (s *State) Append(dst []byte) []byte {
	executed, purged := s.Executed, s.Purged
	if executed == nil {
		executed = new(Set)
	}
	if purged == nil {
		purged = new(Set)
	}
	dst = binary.LittleEndian.AppendUint32(dst, stateVersion)
	dst = binary.LittleEndian.AppendUint32(dst, s.File)
	dst = binary.LittleEndian.AppendUint64(dst, uint64(s.Offset))
	dst = binary.LittleEndian.AppendUint64(dst, s.Resets)
	dst = binary.LittleEndian.AppendUint64(dst, uint64(executed.BinarySize()))
	return purged.AppendBinary(executed.AppendBinary(dst))
}

// ParseState reads the stored form; all of b belongs to it.
func ParseState(b []byte) (*State, error) {
	if len(b) < stateHead {
		return nil, fmt.Errorf("binlog state of %d bytes is too short", len(b))
	}
	if v := binary.LittleEndian.Uint32(b); v != stateVersion {
		return nil, fmt.Errorf("binlog state has version %d, this server knows %d", v, stateVersion)
	}
	s := &State{File: binary.LittleEndian.Uint32(b[4:]), Offset: int64(binary.LittleEndian.Uint64(b[8:]))}
	s.Resets = binary.LittleEndian.Uint64(b[16:])
	n := binary.LittleEndian.Uint64(b[24:])
	if n > uint64(len(b)-stateHead) || s.Offset < 0 || s.File > maxFile {
		return nil, fmt.Errorf("binlog state of %d bytes is malformed", len(b))
	}
	var err error
	if s.Executed, err = ParseBinary(b[stateHead : stateHead+n]); err == nil {
		s.Purged, err = ParseBinary(b[stateHead+n:])
	}
	if err != nil {
		return nil, fmt.Errorf("binlog state: %w", err)
	}
	return s, nil
}
