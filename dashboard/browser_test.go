package dashboard

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// The page in a browser. EMBER_BROWSER names Chromium; EMBER_SCREENSHOTS a folder for pictures of
// the states, to be looked at. The test speaks the DevTools protocol over a pair of pipes: messages
// of JSON, each with a zero behind it.

// browser is a Chromium without a window.
type browser struct {
	t      *testing.T
	to     *os.File
	next   int
	ended  chan struct{}
	faults []string // what the console shows as an error, and requests to elsewhere
	origin string

	mu      sync.Mutex
	answers map[int]chan message // calls that wait
}

type message struct {
	ID     int             `json:"id"`
	Method string          `json:"method"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Message string `json:"message"`
	} `json:"error"`
	Params json.RawMessage `json:"params"`
}

func startBrowser(t *testing.T, program, origin string) *browser {
	in, to, err := os.Pipe()
	require.NoError(t, err)
	from, out, err := os.Pipe()
	require.NoError(t, err)
	cmd := exec.Command(program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking",
		"--remote-debugging-pipe", "--user-data-dir="+t.TempDir())
	cmd.ExtraFiles = []*os.File{in, out}
	require.NoError(t, cmd.Start())
	in.Close()
	out.Close()
	b := &browser{t: t, to: to, answers: map[int]chan message{}, ended: make(chan struct{}), origin: origin}
	go b.listen(bufio.NewReader(from))
	t.Cleanup(func() {
		to.Close()
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		<-b.ended
		from.Close()
	})
	return b
}

// listen hands out answers, and keeps what events tell of faults.
func (b *browser) listen(r *bufio.Reader) {
	defer close(b.ended)
	for {
		text, err := r.ReadBytes(0)
		if err != nil {
			return
		}
		var m message
		if json.Unmarshal(text[:len(text)-1], &m) != nil {
			continue
		}
		switch {
		case m.ID != 0:
			b.mu.Lock()
			if ch := b.answers[m.ID]; ch != nil {
				ch <- m
				delete(b.answers, m.ID)
			}
			b.mu.Unlock()
		case m.Method == "Runtime.exceptionThrown":
			b.faults = append(b.faults, string(m.Params))
		case m.Method == "Log.entryAdded" && strings.Contains(string(m.Params), `"level":"error"`), m.Method == "Runtime.consoleAPICalled" && strings.Contains(string(m.Params), `"type":"error"`):
			b.faults = append(b.faults, string(m.Params))
		case m.Method == "Network.requestWillBeSent":
			var p struct{ Request struct{ URL string } }
			if json.Unmarshal(m.Params, &p) == nil && !strings.HasPrefix(p.Request.URL, b.origin) && !strings.HasPrefix(p.Request.URL, "data:") {
				b.faults = append(b.faults, "a request to "+p.Request.URL)
			}
		}
	}
}

// do calls a method, and fills result from its answer.
func (b *browser) do(session, method string, params, result any) error {
	b.next++
	text, err := json.Marshal(map[string]any{"id": b.next, "sessionId": session, "method": method, "params": params})
	if err != nil {
		return err
	}
	if session == "" {
		text, _ = json.Marshal(map[string]any{"id": b.next, "method": method, "params": params})
	}
	ch := make(chan message, 1)
	b.mu.Lock()
	b.answers[b.next] = ch
	b.mu.Unlock()
	if _, err := b.to.Write(append(text, 0)); err != nil {
		return err
	}
	select {
	case m := <-ch:
		if m.Error != nil {
			return fmt.Errorf("%s: %s", method, m.Error.Message)
		}
		if result == nil {
			return nil
		}
		return json.Unmarshal(m.Result, result)
	case <-b.ended:
		return errors.New("the browser has ended")
	}
}

func (b *browser) must(session, method string, params, result any) {
	b.t.Helper()
	require.NoError(b.t, b.do(session, method, params, result))
}

type params = map[string]any

// evaluate runs a script in the page.
func (b *browser) evaluate(session, script string, result any) {
	b.t.Helper()
	var got struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails *struct{ Exception struct{ Description string } }
	}
	b.must(session, "Runtime.evaluate", params{"expression": script, "returnByValue": true}, &got)
	if got.ExceptionDetails != nil {
		b.t.Fatal(got.ExceptionDetails.Exception.Description)
	}
	require.NoError(b.t, json.Unmarshal(got.Result.Value, result))
}
