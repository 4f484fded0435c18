package options

import (
	"fmt"
	"io"
	"strings"
)

// Usage prints the short help; with verbose every setting and its value follow.
func Usage(w io.Writer, s *Settings, verbose bool) {
	fmt.Fprint(w, `Usage: emberd --datadir=DIR [--port=N] [--socket=PATH] [--bind-address=ADDR] [--name=value ...]

Reads `+DefaultFile+` if it exists, groups [server] [mysqld] [mysqld-8.4] [emberd].

  --defaults-file=FILE        read this option file only
  --defaults-extra-file=FILE  read this option file after the default one
  --no-defaults               read no option file and no persisted variables
  --print-defaults            print what the option files say and exit
  --help [--verbose]          this text; with --verbose every setting
  --version                   print the version and exit
`)
	if !verbose {
		return
	}
	fmt.Fprintln(w)
	for _, d := range all {
		fmt.Fprintf(w, "  --%s\n", strings.ReplaceAll(d.Name, "_", "-"))
		fmt.Fprintf(w, "        %s\n", d.Help)
		fmt.Fprintf(w, "        %s\n", d.describe())
	}
	fmt.Fprint(w, "\nVariables (--variable-name=value) and their values after reading options\n\n")
	for _, d := range all {
		v := d.Format(s.Get(d.Name).Value)
		if v == "" {
			v = "(No default value)"
		}
		fmt.Fprintf(w, "%-50s %s\n", strings.ReplaceAll(d.Name, "_", "-"), v)
	}
}

// Manual prints the table as docs/options.md holds it.
func Manual(w io.Writer) {
	fmt.Fprint(w, `# Settings

Generated from the table in `+"`server/options`"+`. Give a setting in an option file, with
`+"`SET PERSIST`"+`, or on the command line (`+"`--name=value`"+`). Later ones count. The option file is
`+"`"+DefaultFile+"`"+` or that of `+"`--defaults-file`"+`, groups
`+"`[server] [mysqld] [mysqld-8.4] [emberd]`"+`.
`)
	for _, e := range []struct {
		title string
		keep  func(d *Def) bool
	}{
		{"Settings that do something", func(d *Def) bool { return d.Effect == Active }},
		{"Settings kept so that clients and option files of MySQL work", func(d *Def) bool { return d.Effect == Inert }},
		{"Settings of parts that are not switched on", func(d *Def) bool { return d.Effect == Reserved }},
	} {
		fmt.Fprintf(w, "\n## %s\n\n| Setting | Type, default, scope | Meaning |\n|---|---|---|\n", e.title)
		for _, d := range all {
			if e.keep(d) {
				fmt.Fprintf(w, "| `%s` | %s | %s |\n", d.Name, strings.ReplaceAll(d.describe(), "|", " "), d.Help)
			}
		}
	}
}

// describe tells type, bounds and how the setting may be changed, in one line.
func (d *Def) describe() string {
	parts := []string{d.Kind.String()}
	switch d.Kind {
	case Int, Float:
		parts = append(parts, fmt.Sprintf("%d..%d", d.Min, d.Max))
	case Enum, Set:
		parts = append(parts, strings.Join(d.Values, "|"))
	}
	if def := d.Format(d.Default); def != "" {
		parts = append(parts, "default "+def)
	}
	switch {
	case d.Option:
		parts = append(parts, "command line only")
	case d.Session && d.Dynamic:
		parts = append(parts, "global and session")
	case d.Dynamic:
		parts = append(parts, "SET GLOBAL")
	default:
		parts = append(parts, "read only while running")
	}
	if len(d.Aliases) > 0 {
		parts = append(parts, "also "+strings.Join(d.Aliases, ", "))
	}
	if d.Effect != Active {
		parts = append(parts, "no effect")
	}
	return strings.Join(parts, ", ")
}
