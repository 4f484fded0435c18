package options

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// DefaultFile is the option file read when none is named.
const DefaultFile = "/etc/ember/ember.cnf"

// PersistedFile is the file in the data directory that SET PERSIST writes.
const PersistedFile = "ember-auto.cnf"

// Setting is a value and where it came from.
type Setting struct {
	Value  any
	Source string // "" for the default
}

// Settings holds the value of every defined setting.
type Settings struct {
	values   map[string]Setting
	Warnings []string
}

// Command is what the command line asks for besides settings.
type Command struct {
	Help          bool
	Verbose       bool
	Version       bool
	PrintDefaults bool
}

// Result is what Load found.
type Result struct {
	Settings *Settings
	Command  Command
	Defaults []string // the assignments of the option files, as --name=value, for --print-defaults
}

// meta options steer the loading and are no settings.
type meta struct {
	defaultsFile, extraFile, suffix string
	noDefaults                      bool
}

// Load reads option files, persisted variables and the command line (without the program's name).
func Load(args []string) (*Result, error) {
	return load(args, DefaultFile)
}

func load(args []string, defaultFile string) (*Result, error) {
	res := &Result{Settings: &Settings{values: map[string]Setting{}}}
	cmd, m, err := parseArgs(args, &res.Command)
	if err != nil {
		return nil, err
	}
	files, err := readFiles(m, defaultFile)
	if err != nil {
		return nil, err
	}
	for _, a := range files {
		res.Defaults = append(res.Defaults, a.String())
	}
	s := res.Settings
	for _, d := range all {
		s.values[d.Name] = Setting{Value: d.Default}
	}
	if err := s.apply(files); err != nil {
		return nil, err
	}
	onCommandLine := &Settings{values: map[string]Setting{}}
	if err := onCommandLine.apply(cmd); err != nil {
		return nil, err
	}
	// The data directory may be named on either, and tells where the persisted variables are.
	dir := s.String("datadir")
	if v, ok := onCommandLine.values["datadir"]; ok {
		dir = v.Value.(string)
	}
	if err := s.applyPersisted(dir, m.noDefaults || res.Command.PrintDefaults); err != nil {
		return nil, err
	}
	for name, v := range onCommandLine.values {
		s.values[name] = v
	}
	s.Warnings = append(s.Warnings, onCommandLine.Warnings...)
	s.derive()
	return res, nil
}

func (a assignment) String() string {
	if !a.hasValue {
		return "--" + a.name
	}
	return "--" + a.name + "=" + a.text
}

func (s *Settings) applyPersisted(dir string, skip bool) error {
	if skip || dir == "" {
		return nil
	}
	list, err := readFile(filepath.Join(dir, PersistedFile), groups(""), 0, nil)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return s.apply(list)
}

// ReadPersisted returns the values in a file of persisted variables; a missing file has none.
func ReadPersisted(path string) (map[string]string, error) {
	values := map[string]string{}
	list, err := readFile(path, groups(""), 0, nil)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	for _, a := range list {
		values[a.name] = a.text
	}
	return values, nil
}

// parseArgs splits the command line into assignments, meta options and requests.
func parseArgs(args []string, c *Command) ([]assignment, meta, error) {
	var out []assignment
	var m meta
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if short, ok := shortOptions[arg]; ok {
			arg = short
			if !strings.HasSuffix(short, "=") {
				arg = short
			} else if i++; i < len(args) {
				arg += args[i]
			} else {
				return nil, m, fmt.Errorf("option %s needs a value", args[i-1])
			}
		}
		if !strings.HasPrefix(arg, "--") || arg == "--" {
			return nil, m, fmt.Errorf("unexpected argument %q; settings are given as --name=value", arg)
		}
		name, value, has := strings.Cut(arg[2:], "=")
		name = normalize(name)
		if takeMeta(name, value, c, &m) {
			continue
		}
		// "--datadir DIR" is understood for options that must have a value.
		if d := byName[name]; !has && d != nil && d.Kind != Bool && i+1 < len(args) && !strings.HasPrefix(args[i+1], "-") {
			i++
			value, has = args[i], true
		}
		out = append(out, assignment{name: name, text: value, hasValue: has, source: "command line"})
	}
	return out, m, nil
}

var shortOptions = map[string]string{
	"-?": "--help", "-V": "--version", "-v": "--verbose",
	"-h": "--datadir=", "-P": "--port=", "-u": "--user=",
}

func takeMeta(name, value string, c *Command, m *meta) bool {
	switch name {
	case "help":
		c.Help = true
	case "verbose":
		c.Verbose = true
	case "version":
		c.Version = true
	case "print_defaults":
		c.PrintDefaults = true
	case "no_defaults":
		m.noDefaults = true
	case "defaults_file":
		m.defaultsFile = value
	case "defaults_extra_file":
		m.extraFile = value
	case "defaults_group_suffix":
		m.suffix = value
	default:
		return false
	}
	return true
}

func readFiles(m meta, defaultFile string) (out []assignment, err error) {
	if m.noDefaults {
		return nil, nil
	}
	g := groups(m.suffix)
	if m.defaultsFile != "" {
		return readFile(m.defaultsFile, g, 0, nil)
	}
	if _, statErr := os.Stat(defaultFile); statErr == nil {
		if out, err = readFile(defaultFile, g, 0, nil); err != nil {
			return nil, err
		}
	}
	if m.extraFile != "" {
		out, err = readFile(m.extraFile, g, 0, out)
	}
	return out, err
}

// apply takes the assignments in order; the first mistake ends it.
func (s *Settings) apply(list []assignment) error {
	for _, a := range list {
		if err := s.set(a); err != nil {
			return fmt.Errorf("%s: %w", a.source, err)
		}
	}
	return nil
}

func (s *Settings) set(a assignment) error {
	name, loose := a.name, false
	if rest, ok := strings.CutPrefix(name, "loose_"); ok {
		name, loose = rest, true
	}
	d, text, err := resolve(name, a)
	if err != nil {
		return err
	}
	if d == nil {
		return s.unknown(a, name, loose)
	}
	v, err := d.Parse(text)
	if err != nil {
		return fmt.Errorf("option %q: %w", a.name, err)
	}
	if d.Effect != Active && v != d.Default {
		s.warn("%s: option %q has no effect in this server", a.source, a.name)
	}
	s.values[d.Name] = Setting{Value: v, Source: a.source}
	return nil
}

// resolve finds the definition for name and the text of its value: as given, or implied by a bare
// name or a prefix.
func resolve(name string, a assignment) (*Def, string, error) {
	if d := byName[name]; d != nil {
		switch {
		case a.hasValue:
			return d, a.text, nil
		case d.Kind == Bool:
			return d, "ON", nil
		case d.Name == "log_bin":
			return d, "binlog", nil
		}
		return nil, "", fmt.Errorf("option %q needs a value", a.name)
	}
	for prefix, text := range map[string]string{"skip_": "OFF", "disable_": "OFF", "enable_": "ON"} {
		rest, ok := strings.CutPrefix(name, prefix)
		if !ok {
			continue
		}
		d := byName[rest]
		if d != nil && d.Name == "log_bin" && text == "OFF" {
			return d, "", nil
		}
		if d != nil && d.Kind == Bool {
			return d, text, nil
		}
	}
	return nil, "", nil
}

func (s *Settings) unknown(a assignment, name string, loose bool) error {
	base := name
	for _, p := range []string{"skip_", "disable_", "enable_", "maximum_"} {
		base = strings.TrimPrefix(base, p)
	}
	if foreign[name] || foreign[base] {
		s.warn("%s: option %q of MySQL has no meaning in this server and is ignored", a.source, a.name)
		return nil
	}
	if loose {
		s.warn("%s: unknown option %q is ignored", a.source, name)
		return nil
	}
	if near := nearest(name); near != "" {
		return fmt.Errorf("unknown option %q; did you mean %q?", a.name, near)
	}
	return fmt.Errorf("unknown option %q", a.name)
}

func (s *Settings) warn(format string, args ...any) {
	s.Warnings = append(s.Warnings, fmt.Sprintf(format, args...))
}

// derive fills settings whose value follows from others.
func (s *Settings) derive() {
	if s.IsSet("innodb_log_file_size") && !s.IsSet("innodb_redo_log_capacity") {
		d := byName["innodb_redo_log_capacity"]
		size := min(max(s.Int("innodb_log_file_size")*s.Int("innodb_log_files_in_group"), d.Min), d.Max)
		s.values[d.Name] = Setting{Value: size, Source: s.values["innodb_log_file_size"].Source}
	}
	if !s.IsSet("innodb_io_capacity_max") {
		d := byName["innodb_io_capacity_max"]
		if c := 2 * s.Int("innodb_io_capacity"); c > s.Int(d.Name) {
			s.values[d.Name] = Setting{Value: min(c, d.Max)}
		}
	}
}

// Get returns the setting called name, which must be defined.
func (s *Settings) Get(name string) Setting {
	v, ok := s.values[name]
	if !ok {
		panic("options: " + name + " is not defined")
	}
	return v
}

// IsSet reports whether name was given a value anywhere.
func (s *Settings) IsSet(name string) bool { return s.Get(name).Source != "" }

// Int, Bool, String and Float return the value of a setting of that kind.
func (s *Settings) Int(name string) int64     { return s.Get(name).Value.(int64) }
func (s *Settings) Bool(name string) bool     { return s.Get(name).Value.(bool) }
func (s *Settings) String(name string) string { return s.Get(name).Value.(string) }
func (s *Settings) Float(name string) float64 { return s.Get(name).Value.(float64) }

// Override sets a value from inside the program (a generated path, the real port). source tells
// from where.
func (s *Settings) Override(name string, value any, source string) {
	s.Get(name)
	s.values[name] = Setting{Value: value, Source: source}
}

// Given returns the names of the settings that were given a value, ordered.
func (s *Settings) Given() []string {
	var names []string
	for n, v := range s.values {
		if v.Source != "" {
			names = append(names, n)
		}
	}
	sort.Strings(names)
	return names
}
