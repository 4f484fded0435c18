package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/pflag"
	"golang.org/x/sys/unix"
)

// screen shows a picture of the server again and again, as top does. On a terminal each picture
// takes the place of the one before, and the key q ends it. Elsewhere one follows the other.
type screen struct {
	every  time.Duration
	count  int // 0: until it is ended
	asJSON bool
}

// addFlags defines the flags of a verb that watches.
func (s *screen) addFlags(f *pflag.FlagSet) {
	f.DurationVar(&s.every, "interval", 2*time.Second, "time between two pictures")
	f.IntVar(&s.count, "count", 0, "pictures to show; 0: until q or ctrl-C")
	f.BoolVar(&s.asJSON, "json", false, "print JSON, a line each time")
}

// picture is what is shown: lines for people, or itself as JSON.
type picture interface {
	lines(width, height int) []string
}

// outage is the picture of a server that does not answer.
type outage struct {
	Error string    `json:"error"`
	Taken time.Time `json:"taken"`
}

func (o outage) lines(int, int) []string {
	return []string{o.Taken.Local().Format("15:04:05") + "  no answer: " + o.Error, "trying again ..."}
}

// run calls take at once, and then for each picture. A server that answered once may go and come
// back: its restart is worth watching.
func (s *screen) run(ctx context.Context, out io.Writer, take func(context.Context) (picture, error)) error {
	if s.every < 100*time.Millisecond || s.count < 0 {
		return errors.New("--interval: at least 100ms, --count: at least 0")
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	t := openTerminal(out, cancel)
	defer t.close()
	tick := time.NewTicker(s.every)
	defer tick.Stop()
	for n := 1; ; n++ {
		p, err := take(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil && n == 1:
			return err
		case err != nil:
			p = outage{err.Error(), time.Now().UTC()}
		}
		if s.asJSON {
			err = writeJSON(out, p)
		} else {
			err = t.show(p)
		}
		if err != nil || n == s.count {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// terminal is where pictures are shown.
type terminal struct {
	out   io.Writer
	file  *os.File      // nil: not a terminal
	input *unix.Termios // how the keyboard was, nil: not changed
}

func openTerminal(out io.Writer, quit func()) *terminal {
	t := &terminal{out: out}
	f, ok := out.(*os.File)
	if !ok {
		return t
	}
	if _, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS); err != nil {
		return t
	}
	t.file = f
	fmt.Fprint(f, "\x1b[?1049h\x1b[?25l") // another page, no cursor
	in := int(os.Stdin.Fd())
	was, err := unix.IoctlGetTermios(in, unix.TCGETS)
	if err != nil {
		return t
	}
	keys := *was
	keys.Lflag &^= unix.ICANON | unix.ECHO // keys come at once; ctrl-C is still a signal
	if unix.IoctlSetTermios(in, unix.TCSETS, &keys) == nil {
		t.input = was
		go func() {
			r := bufio.NewReader(os.Stdin)
			for {
				if c, err := r.ReadByte(); err != nil || c == 'q' || c == 'Q' {
					quit()
					return
				}
			}
		}()
	}
	return t
}

func (t *terminal) close() {
	if t.input != nil {
		_ = unix.IoctlSetTermios(int(os.Stdin.Fd()), unix.TCSETS, t.input)
	}
	if t.file != nil {
		fmt.Fprint(t.file, "\x1b[?25h\x1b[?1049l")
	}
}

// show writes a picture, cut to the terminal's size.
func (t *terminal) show(p picture) error {
	if t.file == nil {
		_, err := io.WriteString(t.out, strings.Join(p.lines(120, 0), "\n")+"\n\n")
		return err
	}
	width, height := 80, 24
	if size, err := unix.IoctlGetWinsize(int(t.file.Fd()), unix.TIOCGWINSZ); err == nil && size.Col > 0 && size.Row > 0 {
		width, height = int(size.Col), int(size.Row)
	}
	var b strings.Builder
	b.WriteString("\x1b[H")
	lines := p.lines(width, height)
	for i, l := range lines[:min(len(lines), height)] {
		if i > 0 {
			b.WriteString("\r\n")
		}
		b.WriteString(cut(l, width) + "\x1b[K")
	}
	b.WriteString("\x1b[J")
	_, err := io.WriteString(t.file, b.String())
	return err
}

// cut shortens a line to width characters. What could steer a terminal becomes a space.
func cut(line string, width int) string {
	r := []rune(line)
	for i, c := range r {
		if c < ' ' || c >= 0x7f && c < 0xa0 {
			r[i] = ' '
		}
	}
	if len(r) > width {
		r = append(r[:max(width-1, 0)], '…')
	}
	return strings.TrimRight(string(r), " ")
}
