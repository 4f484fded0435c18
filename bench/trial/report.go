package trial

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"time"
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
