//go:build invariants && (amd64 || arm64)

package invariants

// goroutine is the address of the running goroutine's descriptor. A goroutine that ends holds
// nothing, so another one may have it later.
func goroutine() uint64
