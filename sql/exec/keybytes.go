package exec

// keyBytes are keys of bytes, by their number. They lie in blocks: one growing array would be
// copied again and again, with as much memory once more.
type keyBytes struct {
	blocks [][]byte
	places []keyPlace
	size   int // of the blocks
}

// keyPlace is where a key lies.
type keyPlace struct{ block, from, to uint32 }

// Sizes of blocks: small tables have small ones.
const (
	leastKeyBlock = 1 << 10
	mostKeyBlock  = 1 << 20
)

// add appends a key.
func (k *keyBytes) add(key []byte) {
	last := len(k.blocks) - 1
	if last < 0 || len(key) > cap(k.blocks[last])-len(k.blocks[last]) {
		size := max(len(key), min(max(k.size, leastKeyBlock), mostKeyBlock))
		k.blocks, k.size = append(k.blocks, make([]byte, 0, size)), k.size+size
		last++
	}
	from := len(k.blocks[last])
	k.blocks[last] = append(k.blocks[last], key...)
	k.places = append(k.places, keyPlace{uint32(last), uint32(from), uint32(len(k.blocks[last]))})
}

// at is a key.
func (k *keyBytes) at(n int) []byte {
	p := k.places[n]
	return k.blocks[p.block][p.from:p.to]
}

// bytes is how much memory the keys take.
func (k *keyBytes) bytes() int { return k.size + 12*cap(k.places) }
