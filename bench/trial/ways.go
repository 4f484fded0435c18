package trial

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Ways to restart a server. Those behind Kill are Restart's only. A server that cannot be restarted in
// one of the last four is restarted in the way that it has: see way.
const (
	Clean       = "clean"            // it ends in order
	Kill        = "kill"             // it ends without a warning
	Idle        = "idle"             // in order, and nobody asks for anything until the pool is loaded
	AttachClean = "attach-clean"     // in order, and the next process takes the pool's memory over
	AttachKill  = "attach-kill"      // without a warning, likewise
	Upgrade     = "upgrade"          // by a command that starts another program and keeps the clients
	Keep        = "keep-connections" // by a command that keeps the clients, such as ember restart
)

// Hows are the ways of Restart.
var Hows = []string{Clean, Kill, Idle, AttachClean, AttachKill, Upgrade, Keep}

func checkHows(hows []string, all ...string) error {
	if len(hows) == 0 {
		return fmt.Errorf("--how: at least one of %s", strings.Join(all, ", "))
	}
	for _, h := range hows {
		if !slices.Contains(all, h) {
			return fmt.Errorf("--how %q: want %s", h, strings.Join(all, " or "))
		}
	}
	return nil
}

// way is how the server is restarted where how is asked for.
func (s *Server) way(how string) string {
	switch {
	case how == AttachKill && s.Attach == "":
		return Kill
	case how == AttachClean && s.Attach == "", how == Upgrade && s.Upgrade == "", how == Keep && s.Keep == "":
		return Clean
	}
	return how
}

// ways are those of a server, each once.
func (s *Server) ways(hows []string) (ways []string) {
	for _, how := range hows {
		if way := s.way(how); !slices.Contains(ways, way) {
			ways = append(ways, way)
		}
	}
	return ways
}

// checkWays refuses ways that no server has, and servers that nothing could end. The processes of a
// server whose clients are kept are each other's children: a command must end the last.
func checkWays(servers []*Server, hows []string) error {
	for _, how := range hows {
		if !slices.ContainsFunc(servers, func(s *Server) bool { return s.way(how) == how }) {
			flag := map[string]string{AttachClean: "attach", AttachKill: "attach", Upgrade: "upgrade", Keep: "keep"}[how]
			return fmt.Errorf("--how %s: no server has --%s NAME=COMMAND", how, flag)
		}
	}
	for _, s := range servers {
		for _, way := range s.ways(hows) {
			if (way == Upgrade || way == Keep) && s.Stop == "" {
				return fmt.Errorf("--stop %s=COMMAND: needed for --how %s", s.Name, way)
			}
		}
	}
	return nil
}

// ready has the server run as a way wants it: with the memory that outlives it, or without, and as a
// process that its start command has started.
func (s *Server) ready(ctx context.Context, way string) error {
	command := s.Start
	if way == AttachClean || way == AttachKill {
		command = s.Attach
	}
	if command == s.command() && !s.passed {
		return nil
	}
	if err := s.Down(ctx); err != nil {
		return err
	}
	s.using = command
	_, err := s.Up(ctx)
	return err
}

// again ends a running server, runs the user's command (which may empty the page cache), and starts
// it.
func (s *Server) again(ctx context.Context, way, between string) (stopping time.Duration, st Started, err error) {
	from := time.Now()
	switch way {
	case Keep, Upgrade:
		s.passed = true
		out, err := shell(ctx, map[string]string{Keep: s.Keep, Upgrade: s.Upgrade}[way])
		if err != nil {
			err = fmt.Errorf("%s: %s: %w: %s", s.Name, way, err, out)
		}
		return 0, Started{At: from, First: time.Since(from)}, err
	case Kill, AttachKill:
		err = s.Crash(ctx)
	default:
		err = s.Down(ctx)
	}
	stopping = time.Since(from)
	if err != nil {
		return stopping, st, err
	}
	if between != "" {
		if out, err := shell(ctx, between); err != nil {
			return stopping, st, fmt.Errorf("--between: %w: %s", err, out)
		}
	}
	st, err = s.Up(ctx)
	return stopping, st, err
}
