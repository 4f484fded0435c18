package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"emberdb/engine/recovery"
)

// whySlow tells in sentences what a start spent its time on before the server opened, and after.
// The starts before it say what is usual for this data directory.
func whySlow(s recovery.Start, before []recovery.Start) (out []string) {
	opened, ok := markOf(s, "open")
	if !ok {
		return []string{"It has not opened: the step that runs, or ran last, is " + lastPhase(s) + "."}
	}
	usual := ""
	if len(before) > 0 {
		usual = fmt.Sprintf("; usual of the %d starts before: %s", len(before), duration(median(before, func(b recovery.Start) (time.Duration, bool) { return markOf(b, "open") })))
	}
	out = append(out, fmt.Sprintf("The server opened after %s%s.", duration(opened), usual))
	steps := stepsUntil(s, opened)
	var names []string
	for name := range steps {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return int(steps[b] - steps[a]) })
	var parts []string
	for _, name := range names[:min(3, len(names))] {
		part := name + " " + duration(steps[name])
		if len(before) > 0 {
			part += " (usual " + duration(median(before, func(b recovery.Start) (time.Duration, bool) {
				o, ok := markOf(b, "open")
				return stepsUntil(b, o)[name], ok
			})) + ")"
		}
		parts = append(parts, part)
	}
	if len(parts) > 0 {
		out = append(out, "Longest steps: "+strings.Join(parts, ", ")+".")
	}
	for _, p := range s.Phases {
		if p.Name == "redo" && p.Start+p.Took > opened && p.Took >= 10*time.Millisecond {
			out = append(out, fmt.Sprintf("Pages were redone beside clients until %s.", duration(p.Start+p.Took)))
		}
	}
	if first, ok := markOf(s, "first query"); ok {
		out = append(out, fmt.Sprintf("The first statement was answered at %s.", duration(first)))
	}
	if warm, ok := markOf(s, "warm 100 %"); ok {
		out = append(out, fmt.Sprintf("The pool was warm at %s.", duration(warm)))
	}
	return out
}

// markOf finds the moment of a mark.
func markOf(s recovery.Start, name string) (time.Duration, bool) {
	for _, p := range s.Phases {
		if p.Name == name {
			return p.Start, true
		}
	}
	return 0, false
}

func lastPhase(s recovery.Start) string {
	for _, p := range s.Phases {
		if !p.Done {
			return p.Name
		}
	}
	if n := len(s.Phases); n > 0 {
		return s.Phases[n-1].Name
	}
	return "none"
}

// stepsUntil sums the time of each step before a moment.
func stepsUntil(s recovery.Start, end time.Duration) map[string]time.Duration {
	out := map[string]time.Duration{}
	for _, p := range s.Phases {
		if p.Start < end && p.Took > 0 {
			out[p.Name] += min(p.Took, end-p.Start)
		}
	}
	return out
}

// median is that of what f finds in the starts that have it.
func median(starts []recovery.Start, f func(recovery.Start) (time.Duration, bool)) time.Duration {
	var list []time.Duration
	for _, s := range starts {
		if d, ok := f(s); ok {
			list = append(list, d)
		}
	}
	if len(list) == 0 {
		return 0
	}
	slices.Sort(list)
	return list[len(list)/2]
}
