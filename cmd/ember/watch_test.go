package main

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/engine/recovery"
)

// TestScreen: pictures follow each other, an answer that is missing once does not end them, and what
// is shown cannot steer the terminal.
func TestScreen(t *testing.T) {
	var out bytes.Buffer
	n := 0
	s := screen{every: 100 * time.Millisecond, count: 3}
	p := &topPicture{Seconds: 1, Statements: []digestCounts{{Text: "SELECT '\x1b[2J'\n, 1", Calls: 4}}}
	require.NoError(t, s.run(context.Background(), &out, func(context.Context) (picture, error) {
		if n++; n == 2 {
			return nil, errors.New("connection refused")
		}
		return p, nil
	}))
	require.Equal(t, 3, n)
	require.Equal(t, 1, strings.Count(out.String(), "no answer: connection refused"))
	require.Equal(t, 2, strings.Count(out.String(), "SELECT '"))
	require.Equal(t, "SELECT ' [2J' , 1", cut("SELECT '\x1b[2J'\n, 1", 80))
	require.Equal(t, "SEL…", cut("SELECT", 4))

	require.EqualError(t, s.run(context.Background(), &out, func(context.Context) (picture, error) { return nil, errors.New("down") }), "down")
	ctx, cancel := context.WithCancel(context.Background())
	s.count = 0
	require.NoError(t, s.run(ctx, &out, func(context.Context) (picture, error) { cancel(); return nil, ctx.Err() }))
	s.every = 0
	require.Error(t, s.run(ctx, &out, nil))
}

func TestTopCounts(t *testing.T) {
	was := digestCounts{Calls: 10, Time: 100, Errors: 1}
	require.Equal(t, digestCounts{Calls: 2, Time: 50}, digestCounts{Calls: 12, Time: 150, Errors: 1}.since(was))
	require.Equal(t, digestCounts{Calls: 3, Time: 5}, digestCounts{Calls: 3, Time: 5}.since(was))
	require.Equal(t, "▁▄█", sparks([]float64{0, 5, 10}))
	require.Equal(t, "▁▁", sparks([]float64{0, 0}))
}

// TestWhySlow: a start is held against those before it.
func TestWhySlow(t *testing.T) {
	start := func(redo, open time.Duration) recovery.Start {
		return recovery.Start{Phases: []recovery.Phase{
			{Name: "process", Took: 100 * time.Millisecond, Done: true},
			{Name: "redo scan", Start: 100 * time.Millisecond, Took: redo, Done: true},
			{Name: "open", Start: open, Done: true},
			{Name: "redo", Start: open, Took: time.Second, Done: true},
			{Name: "first query", Start: open + 50*time.Millisecond, Done: true},
		}}
	}
	usual := start(200*time.Millisecond, 300*time.Millisecond)
	require.Equal(t, []string{
		"The server opened after 3.1s; usual of the 2 starts before: 300ms.",
		"Longest steps: redo scan 3s (usual 200ms), process 100ms (usual 100ms).",
		"Pages were redone beside clients until 4.1s.",
		"The first statement was answered at 3.15s.",
	}, whySlow(start(3*time.Second, 3100*time.Millisecond), []recovery.Start{usual, usual}))
	require.Equal(t, []string{"The server opened after 300ms.", "Longest steps: redo scan 200ms, process 100ms."}, whySlow(usual, nil)[:2])
	require.Equal(t, []string{"It has not opened: the step that runs, or ran last, is files."}, whySlow(recovery.Start{Phases: []recovery.Phase{{Name: "files"}}}, nil))
}
