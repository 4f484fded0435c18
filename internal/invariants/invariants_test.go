package invariants

import "testing"

// The checks bite exactly when they are compiled in.
func TestChecks(t *testing.T) {
	buf := []byte{1, 2}
	Mangle(buf)
	if mangled := buf[0] != 1; mangled != Enabled {
		t.Errorf("Mangle: %v, Enabled %v", buf, Enabled)
	}
	defer func() {
		if panicked := recover() != nil; panicked != Enabled {
			t.Errorf("Assert panicked: %v, Enabled %v", panicked, Enabled)
		}
	}()
	Assert(true, "never")
	Assert(false, "%d is wrong", 1)
}
