package binlog

// Events that belong to the file rather than to a transaction. Bodies; on disk; fixed.
//
//	Format_desc     0 2 version 4   2 50 server version, zero padded   52 4 creation time   56 1 header size 19
//	                57 .. post-header size of each event type from 1 on   then 1 checksum algorithm (0: none, 1: CRC32)
//	Previous_gtids  a GTID set in binary form
//	Rotate          0 8 position in the next file (4)   8 .. its name
//	Stop            empty
//	Heartbeat       name of the file; the position is log_pos of the header
//	Heartbeat v2    fields (type 1, length packed, value): 1 file name, 2 position packed; ends with type 0

import "encoding/binary"

// postHeaderSizes is the size of the fixed part of each event type, from type 1 on. On disk; fixed.
var postHeaderSizes = [...]byte{
	0, 13, 0, 8, 0, 0, 0, 0, 4, 0, 4, 0, 0, 0, 99, 0, 4, 26, 8, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 10, 10, 10, 42, 42, 0, 18, 52, 0, 10, 40, 0, 0,
}

const (
	serverVersionSize = 50
	formatSize        = minEvent + 2 + serverVersionSize + 4 + 1 + len(postHeaderSizes) + 1
	checksumCRC32     = 1
)

// AppendFormatDescription appends the event every file begins with. created is set in the first
// file of a server's life only: replicas drop their temporary tables when they see it. It has a
// checksum itself, whatever it says of the others.
func AppendFormatDescription(dst []byte, h Head, serverVersion string, created uint32, algorithm byte) []byte {
	start := len(dst)
	dst = beginEvent(dst, EventFormatDescription, h)
	dst = append(dst, 4, 0)
	var version [serverVersionSize]byte
	copy(version[:serverVersionSize-1], serverVersion)
	dst = append(dst, version[:]...)
	dst = binary.LittleEndian.AppendUint32(dst, created)
	dst = append(dst, headerSize)
	dst = append(dst, postHeaderSizes[:]...)
	dst = append(dst, algorithm)
	return endEvent(dst, start)
}

// AppendPreviousGTIDs appends the set of all transactions in earlier files.
func AppendPreviousGTIDs(dst []byte, h Head, set *Set) []byte {
	start := len(dst)
	h.Flags |= FlagIgnorable
	dst = beginEvent(dst, EventPreviousGTIDs, h)
	return endEvent(set.AppendBinary(dst), start)
}

// AppendRotate appends the event that names the next file.
func AppendRotate(dst []byte, h Head, next string, pos uint64) []byte {
	start := len(dst)
	dst = beginEvent(dst, EventRotate, h)
	dst = binary.LittleEndian.AppendUint64(dst, pos)
	dst = append(dst, next...)
	return endEvent(dst, start)
}

// AppendStop appends the event that ends the last file of a clean stop.
func AppendStop(dst []byte, h Head) []byte {
	return endEvent(beginEvent(dst, EventStop, h), len(dst))
}

// appendIgnorable appends an event of exactly size bytes that says nothing.
// REQUIRES: size >= minEvent.
func appendIgnorable(dst []byte, h Head, size int) []byte {
	start := len(dst)
	h.Flags |= FlagIgnorable
	dst = beginEvent(dst, EventIgnorable, h)
	dst = append(dst, make([]byte, size-minEvent)...)
	return endEvent(dst, start)
}

// AppendHeartbeat appends a whole event, position and checksum filled in, that tells a waiting
// replica how far the log is. A position that needs more than 32 bits takes the second version,
// which replicas of 8.0.26 and later understand.
func AppendHeartbeat(dst []byte, serverID uint32, file string, pos uint64) []byte {
	start := len(dst)
	h := Head{ServerID: serverID, Flags: FlagArtificial}
	if pos < 1<<32 {
		dst = beginEvent(dst, EventHeartbeat, h)
		dst = append(dst, file...)
	} else {
		dst = beginEvent(dst, EventHeartbeatV2, h)
		dst = append(dst, 1)
		dst = appendPacked(dst, uint64(len(file)))
		dst = append(dst, file...)
		dst = append(dst, 2)
		dst = appendPacked(dst, uint64(packedSize(pos)))
		dst = appendPacked(dst, pos)
		dst = append(dst, 0)
	}
	dst = endEvent(dst, start)
	Place(dst[start:], int64(pos)-int64(len(dst)-start))
	return dst
}

// AppendArtificialRotate appends a whole event that tells a replica which file comes next; it
// stands in no file.
func AppendArtificialRotate(dst []byte, serverID uint32, file string, pos uint64) []byte {
	start := len(dst)
	dst = AppendRotate(dst, Head{ServerID: serverID, Flags: FlagArtificial}, file, pos)
	Place(dst[start:], int64(start-len(dst))) // log_pos 0
	return dst
}

// AppendNote appends a whole event with a message for a replica that has asked for it. It stands in
// no file, and whoever does not know it passes it over.
func AppendNote(dst []byte, serverID uint32, message []byte) []byte {
	start := len(dst)
	dst = beginEvent(dst, EventIgnorable, Head{ServerID: serverID, Flags: FlagArtificial | FlagIgnorable})
	dst = endEvent(append(dst, message...), start)
	Place(dst[start:], int64(start-len(dst))) // log_pos 0
	return dst
}

// Note is the message of an event that AppendNote has made; summed: the event has a checksum. ok is
// false for other events.
func Note(raw []byte, summed bool) (message []byte, ok bool, err error) {
	h, err := ParseHeader(raw)
	if err != nil || h.Type != EventIgnorable || h.Flags&FlagArtificial == 0 {
		return nil, false, err
	}
	whole, err := AppendSummed(nil, raw, summed)
	if err != nil {
		return nil, true, err
	}
	return whole[headerSize : len(whole)-checksumSize], true, nil
}
