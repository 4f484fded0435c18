package inspect

import (
	"testing"

	"emberdb/engine/pagefile"
	"emberdb/internal/base"
)

// FuzzPage shows pages of any contents, with and without a sound checksum.
func FuzzPage(f *testing.F) {
	for kind := range byte(16) {
		page := make([]byte, 200)
		for i := range page {
			page[i] = kind
		}
		f.Add(page, kind, true)
	}
	f.Fuzz(func(_ *testing.T, head []byte, kind byte, stamped bool) {
		page := make([]byte, base.PageSize)
		for at := 0; len(head) > 0 && at < len(page); at += len(head) {
			copy(page[at:], head)
		}
		pagefile.SetType(page, pagefile.PageType(kind))
		if stamped {
			pagefile.Stamp(page)
		}
		id := pagefile.ID(page)
		pageReport("p", id, page, pagefile.Verify(page, id, "p"), PageOptions{Records: true, Hex: true})
		pageReport("p", id, page, nil, PageOptions{Records: true})
	})
}
