package sources

// ShownEvents is what SHOW BINLOG EVENTS shall list.
type ShownEvents struct {
	In          string // the first file, if not named
	Named       bool
	From        uint64
	Skip, Count uint64
}
