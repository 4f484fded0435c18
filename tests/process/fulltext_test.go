package process

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
	"emberdb/tests/emberd"
)

var fullTextWords = strings.Fields("ember flame spark glow torch lantern furnace kindle cinder blaze")

// The words of a full-text index are those of its rows after any kill: a search finds what LIKE
// finds.
func TestFullTextIndexAfterKills(t *testing.T) {
	seed := testkit.Seed(t)
	srv := emberd.Start(t)
	db := srv.Open("")
	defer db.Close()
	for _, q := range []string{"CREATE DATABASE d", "CREATE TABLE d.t (id INT AUTO_INCREMENT PRIMARY KEY, title VARCHAR(100), body TEXT, FULLTEXT KEY both_of_them (title, body), FULLTEXT KEY body (body), FULLTEXT KEY title (title) WITH PARSER ngram)"} {
		_, err := db.Exec(q)
		require.NoError(t, err)
	}
	for round := range 3 {
		var wg sync.WaitGroup
		var commits atomic.Int64
		for w := range 3 {
			wg.Add(1)
			go func() {
				defer wg.Done()
				changeTexts(db, rand.New(rand.NewPCG(seed, uint64(round*10+w))), &commits)
			}()
		}
		testkit.Eventually(t, func() bool { return commits.Load() >= 150 })
		srv.Kill()
		wg.Wait()
		require.NoError(t, srv.Launch())
		requireWordsFound(t, db)
	}
}

// changeTexts changes rows until the server is gone.
func changeTexts(db *sql.DB, rnd *rand.Rand, commits *atomic.Int64) {
	text := func() string {
		words := make([]string, rnd.IntN(6))
		for i := range words {
			words[i] = fullTextWords[rnd.IntN(len(fullTextWords))]
		}
		return strings.Join(words, " ")
	}
	for {
		tx, err := db.Begin()
		if err != nil {
			return
		}
		for range 1 + rnd.IntN(4) {
			switch rnd.IntN(4) {
			case 0, 1:
				_, err = tx.Exec("INSERT INTO d.t (title, body) VALUES (?, ?)", text(), text())
			case 2:
				_, err = tx.Exec("UPDATE d.t SET body = ? WHERE id = ?", text(), rnd.IntN(300))
			case 3:
				_, err = tx.Exec("DELETE FROM d.t WHERE id = ?", rnd.IntN(300))
			}
			if err != nil {
				break
			}
		}
		if err != nil || rnd.IntN(4) == 0 {
			_ = tx.Rollback() // a deadlock, or the end
			continue
		}
		if tx.Commit() == nil {
			commits.Add(1)
		}
	}
}

func requireWordsFound(t *testing.T, db *sql.DB) {
	t.Helper()
	var rows int
	require.NoError(t, db.QueryRow("SELECT COUNT(*) FROM d.t").Scan(&rows))
	require.Positive(t, rows)
	for _, word := range fullTextWords {
		for columns, text := range map[string]string{"title, body": "CONCAT(title, ' ', body)", "body": "body", "title": "title"} {
			var found, there int
			require.NoError(t, db.QueryRow(fmt.Sprintf("SELECT COUNT(*) FROM d.t WHERE MATCH (%s) AGAINST (? IN BOOLEAN MODE)", columns), word).Scan(&found))
			require.NoError(t, db.QueryRow(fmt.Sprintf("SELECT COUNT(*) FROM d.t WHERE %s LIKE CONCAT('%%', ?, '%%')", text), word).Scan(&there))
			require.Equal(t, there, found, "%s in %s", word, columns)
		}
	}
	var table, op, kind, message string
	require.NoError(t, db.QueryRow("CHECK TABLE d.t").Scan(&table, &op, &kind, &message))
	require.Equal(t, "OK", message)
}
