package process

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/tests/emberd"
)

// What the dashboard and the alerts of the package ask for is there in a scrape.
func TestMetricsOfPackage(t *testing.T) {
	port := emberd.FreePort(t)
	s := emberd.Start(t, fmt.Sprintf("--ember-health-address=%d", port), "--log-bin", "--server-id=2")
	db := s.Open("")
	defer db.Close()
	_, err := db.Exec("CHANGE REPLICATION SOURCE TO SOURCE_HOST='127.0.0.1', SOURCE_PORT=1, SOURCE_USER='repl', SOURCE_PASSWORD='x'")
	require.NoError(t, err)
	answer, err := http.Get(fmt.Sprintf("http://127.0.0.1:%d/metrics", port))
	require.NoError(t, err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	require.Equal(t, 200, answer.StatusCode, string(text))
	given := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^([a-z]\w*)`).FindAllStringSubmatch(string(text), -1) {
		given[m[1]] = true
	}
	asked := 0
	for _, file := range []string{"alerts.yml", "grafana.json"} {
		text, err := os.ReadFile(filepath.Join(emberd.Root(), "packaging", "monitoring", file))
		require.NoError(t, err)
		for _, m := range regexp.MustCompile(`\b((?:mysql|process|go)_\w+|ember_\w+)\b`).FindAllString(string(text), -1) {
			switch m {
			case "ember_health_address", "ember_recovery_target_seconds": // options, in words for people
				continue
			case "mysql_slave_status_seconds_behind_source": // NULL until the source is reached
				continue
			}
			require.True(t, given[m], "%s asks for %s", file, m)
			asked++
		}
	}
	require.Greater(t, asked, 40)
}
