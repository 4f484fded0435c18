package virtual

func B2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// OrNull is v, or NULL if it is empty.
func OrNull[T comparable](v T) any {
	var zero T
	if v == zero {
		return nil
	}
	return v
}
