package backend

import (
	"fmt"

	"emberdb/backup"
)

// restoreStatus tells how far a restore is whose pages come while the server works.
func (b *EngineBackend) restoreStatus(put func(name string, v any)) {
	p := backup.Progress{Complete: true}
	if b.Restoring != nil {
		p = b.Restoring()
	}
	left, eta := p.Total-p.Done, p.ETA.Seconds()
	if p.Complete {
		left, eta = 0, 0
	}
	put("Ember_restore_bytes_left", left)
	put("Ember_restore_bytes_total", p.Total)
	put("Ember_restore_eta", fmt.Sprintf("%.1f", eta))
}
