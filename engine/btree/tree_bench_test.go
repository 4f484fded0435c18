package btree

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/engine/buffer"
)

// Workload: 8-byte keys and 100-byte values, 500,000 records (three levels, 60 MB), all in memory.

const benchRecords = 500_000

func benchTree(b *testing.B) *env {
	e := newEnv(b, 16<<10)
	bulk := e.tree.NewBulk(0)
	val := make([]byte, 100)
	for i := range benchRecords {
		require.NoError(b, bulk.Add(intKey(i), val))
	}
	require.NoError(b, bulk.Finish())
	return e
}

func (e *env) mustSeek(b *testing.B, key []byte) {
	m := e.pool.BeginRead()
	c, err := e.tree.Seek(m, key, buffer.Shared)
	if err != nil || !c.Exact(key) {
		b.Fatal("lost ", key, err)
	}
	m.Commit()
}

func BenchmarkSeek(b *testing.B) {
	e := benchTree(b)
	rng := rand.New(rand.NewPCG(1, 1))
	keys := make([][]byte, 1<<16)
	for i := range keys {
		keys[i] = intKey(rng.IntN(benchRecords))
	}
	b.Run("hot", func(b *testing.B) { // a few leaves: what the processor's cache holds
		for i := 0; b.Loop(); i++ {
			e.mustSeek(b, keys[i&0xff])
		}
	})
	b.Run("one", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			e.mustSeek(b, keys[i&0xffff])
		}
	})
	b.Run("parallel", func(b *testing.B) {
		b.RunParallel(func(p *testing.PB) {
			for i := rand.Int(); p.Next(); i++ {
				e.mustSeek(b, keys[i&0xffff])
			}
		})
	})
}

func BenchmarkInsert(b *testing.B) {
	val := make([]byte, 100)
	for _, order := range []string{"sequential", "random"} {
		b.Run(order, func(b *testing.B) {
			e := newEnv(b, 16<<10)
			rng := rand.New(rand.NewPCG(1, 1))
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				key := i
				if order == "random" {
					key = int(rng.Uint32())
				}
				if err := e.put(intKey(key), val); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkUpdate(b *testing.B) {
	e := benchTree(b)
	rng := rand.New(rand.NewPCG(1, 1))
	patch := make([]byte, 8)
	b.ReportAllocs()
	for b.Loop() {
		m, c, err := e.tree.SeekWrite(intKey(rng.IntN(benchRecords)), 0)
		if err != nil {
			b.Fatal(err)
		}
		c.Patch(16, patch)
		m.Commit()
	}
}

// BenchmarkScan reads all records; one iteration is one record.
func BenchmarkScan(b *testing.B) {
	e := benchTree(b)
	for _, forward := range []bool{true, false} {
		name := map[bool]string{true: "forward", false: "backward"}[forward]
		b.Run(name, func(b *testing.B) {
			sum := 0
			for done := 0; done < b.N; {
				m := e.pool.BeginRead()
				c, err := e.tree.Seek(m, nil, buffer.Shared)
				if !forward {
					c, err = e.tree.SeekLast(m, nil, buffer.Shared)
				}
				for ; err == nil && c.Valid() && done < b.N; done++ {
					sum += len(c.Value())
					if forward {
						err = c.Next()
					} else {
						err = c.Prev()
					}
				}
				if err != nil {
					b.Fatal(err)
				}
				m.Commit()
			}
		})
	}
}

func BenchmarkBulk(b *testing.B) {
	e := newEnv(b, 16<<10)
	bulk := e.tree.NewBulk(0)
	val := make([]byte, 100)
	b.SetBytes(int64(len(val) + 8))
	for i := 0; b.Loop(); i++ {
		if err := bulk.Add(intKey(i), val); err != nil {
			b.Fatal(err)
		}
	}
	require.NoError(b, bulk.Finish())
}
