//go:build invariants

#include "textflag.h"

// func goroutine() uint64
TEXT ·goroutine(SB), NOSPLIT, $0-8
	MOVQ (TLS), AX
	MOVQ AX, ret+0(FP)
	RET
