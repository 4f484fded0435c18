package expr

import "context"

// interrupts lets a loop over the parts of one value end with its statement. The zero number of
// steps has been made. A context that is nil never ends.
type interrupts struct {
	ctx context.Context
	n   int
}

// interruptSteps is how many steps are made between two looks at the statement. A step takes
// microseconds at most.
const interruptSteps = 1024

// next begins a step; it fails once the statement is to end.
func (s *interrupts) next() error {
	if s.n++; s.n%interruptSteps == 0 && s.ctx != nil {
		return s.ctx.Err()
	}
	return nil
}
