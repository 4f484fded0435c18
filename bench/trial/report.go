package trial

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"time"

	"emberdb/bench/measure"
)

// Report is where a bench leaves what it measured.
type Report struct {
	Bench string
	Lines string    // file JSON lines are appended to; empty: none
	Chart string    // path of the charts without .png and .svg; empty: none
	Out   io.Writer // for people

	file *os.File
}

// line is what every JSON line begins with.
type line struct {
	Bench  string `json:"bench"`
	Kind   string `json:"kind"`
	At     string `json:"at"`
	Server string `json:"server"`
}

// course is what a bench does with the servers.
type course struct {
	admit  func(*Server, map[string]string) error // may refuse a server by its settings; nil: takes all
	done   func(s *Server, round int) bool        // the turn was measured in an earlier run; nil: none was
	turn   func(s *Server, round int) error       // measures a running server
	finish func() error                           // sums up
}

// conduct gives each server its turn in each round: it is started, told of, measured and ended.
func (r *Report) conduct(ctx context.Context, bench string, servers []*Server, rounds int, c course) (err error) {
	r.Bench = bench
	if err := r.open(); err != nil {
		return err
	}
	defer r.close(&err)
	defer downAll(ctx, servers, &err)
	introduced := map[*Server]bool{}
	for round := 1; round <= rounds; round++ {
		for _, s := range servers {
			if c.done != nil && c.done(s, round) {
				continue
			}
			if _, err := s.Up(ctx); err != nil {
				return err
			}
			if !introduced[s] {
				introduced[s] = true
				if err := r.introduce(ctx, s, c.admit); err != nil {
					return err
				}
			}
			if err := c.turn(s, round); err != nil {
				return err
			}
			if err := s.Down(ctx); err != nil {
				return err
			}
		}
	}
	return c.finish()
}

func (r *Report) introduce(ctx context.Context, s *Server, admit func(*Server, map[string]string) error) error {
	settings, err := s.Settings(ctx)
	if err != nil {
		return err
	}
	if admit != nil {
		if err := admit(s, settings); err != nil {
			return err
		}
	}
	return r.server(s, settings)
}

// open makes sure that the files can be written, before hours of measuring.
func (r *Report) open() error {
	if r.Lines == "" {
		return nil
	}
	f, err := os.OpenFile(r.Lines, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return err
	}
	r.file = f
	return nil
}

// close is for deferred use, like downAll.
func (r *Report) close(err *error) {
	if r.file == nil {
		return
	}
	if e := r.file.Close(); *err == nil {
		*err = e
	}
}

func (r *Report) head(kind string, s *Server) line {
	return line{Bench: r.Bench, Kind: kind, At: time.Now().UTC().Format(time.RFC3339), Server: s.Name}
}

// write appends a line.
func (r *Report) write(v any) error {
	if r.file == nil {
		return nil
	}
	e := json.NewEncoder(r.file)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// server tells what a server is, and on what machine.
func (r *Report) server(s *Server, settings map[string]string) error {
	fmt.Fprintf(r.Out, "%s: %s %s\n", s.Name, settings["version"], settings["version_comment"])
	return r.write(struct {
		line
		Settings map[string]string `json:"settings"`
		Start    string            `json:"start,omitempty"`
		CPUs     int               `json:"cpus"`
	}{r.head("server", s), settings, s.Start, runtime.NumCPU()})
}

// say prints for people.
func (r *Report) say(format string, args ...any) { fmt.Fprintf(r.Out, format, args...) }

// only returns the runs that are meant.
func only[T any](runs []T, meant func(*T) bool) (some []T) {
	for i := range runs {
		if meant(&runs[i]) {
			some = append(some, runs[i])
		}
	}
	return some
}

// medianOf is the median of a figure of the runs.
func medianOf[T any](runs []T, figure func(*T) float64) float64 {
	var v []float64
	for i := range runs {
		v = append(v, figure(&runs[i]))
	}
	return measure.Median(v)
}
