package recovery

// Progress tells how many pages are done and how many there are to do. It may be asked at any time,
// also while Scan runs: then the total still grows.
func (r *Redo) Progress() (done, total int64) {
	total = r.total.Load()
	return total - min(total, r.Left()), total
}
