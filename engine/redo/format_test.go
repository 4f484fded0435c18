package redo

import (
	"encoding/hex"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

const opTest Op = 250

func init() {
	RegisterOp(opTest, "test", func(page, body []byte) error {
		if len(body) > len(page) {
			return errors.New("too long")
		}
		copy(page, body)
		return nil
	}, func(body []byte) string { return "says " + string(body) })
}

func TestOps(t *testing.T) {
	rec := Record{Op: opTest, Page: base.PageID{Space: 3, No: 4}, Body: []byte("hi")}
	page := make([]byte, 8)
	require.NoError(t, Apply(rec, page))
	require.Equal(t, "hi", string(page[:2]))
	require.Error(t, Apply(rec, page[:1]))
	require.Equal(t, "test 3:4 says hi", Describe(rec))
	require.Equal(t, "op-249 0:0 2 bytes", Describe(Record{Op: 249, Body: rec.Body}))
	require.Equal(t, "durable 8 bytes", Describe(Record{Op: OpDurable, Body: make([]byte, 8)}))
	require.ErrorIs(t, Apply(Record{Op: 249}, page), base.ErrCorrupt)
	require.Panics(t, func() { RegisterOp(opTest, "again", nil, nil) })
	require.Panics(t, func() { RegisterOp(249, "without apply", nil, nil) })
	require.Panics(t, func() { RegisterOp(7, "with apply", func(_, _ []byte) error { return nil }, nil) })
}

// The bytes on disk, fixed for ever.
func TestFormat(t *testing.T) {
	require.Equal(t, "fa8303ef80010361"+"6263", hex.EncodeToString(AppendRecord(nil, opTest, base.PageID{Space: 0x183, No: 0x406f}, []byte("a"), []byte("bc"))))

	block := vfs.AlignedBlock(segHeader)
	info := segmentInfo{uuid: testUUID, number: 0x0102, start: 0x3000, size: 0x8000, salt: 0xAABBCCDD}
	info.encode(block)
	require.Equal(t, "454d425245444f3101000000"+hex.EncodeToString(block[12:16])+
		"01020304000000000000000000000000"+"0201000000000000"+"0030000000000000"+"0080000000000000"+"ddccbbaa", hex.EncodeToString(block[:60]))
	back, detail := decodeSegment(block)
	require.Empty(t, detail)
	require.Equal(t, info, back)
	block[3000] = 1
	_, detail = decodeSegment(block)
	require.Contains(t, detail, "checksum")

	cp := Checkpoint{LSN: 0x1122, Durable: 0x3344, UUID: testUUID, Blob: []byte("blob"), seq: 9, salt: 0xAABBCCDD}
	b := cp.encode()
	require.Equal(t, "454d4252434b505401000000"+hex.EncodeToString(b[12:16])+"01020304000000000000000000000000"+
		"0900000000000000"+"2211000000000000"+"4433000000000000"+"ddccbbaa"+"04000000"+hex.EncodeToString([]byte("blob")), hex.EncodeToString(b))

	require.Equal(t, uint32(0x32444e49), uint32(trailerMagic))
	require.Len(t, saltPayload(1), saltSize-groupHeader)
	require.Len(t, notePayload(nil, 1), notePayloadSize)
}
