package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"emberdb/binlog"
	"emberdb/engine"
	"emberdb/internal/vfs"
)

// ApplyOptions of the way from a restored directory to a later moment.
type ApplyOptions struct {
	Dir     string // restored, of Set
	Set     *Manifest
	Logs    []*LogFile
	Goal    Goal
	Options []string // of the server, beside those that this needs
	// Command makes the server's process, not yet started, which has to end with this one.
	Command func(args ...string) *exec.Cmd
	// Progress is told how many bytes of the logs were read.
	Progress func(done, total int64, at string)
}

// Apply brings a restored directory to a goal by the binary logs that follow the backup. It starts
// a server on the directory, which nobody else reaches, has it follow the logs as a replica, with
// all that a replica does: transactions that do not touch each other run side by side, a crash
// leaves whole transactions. Then the server is stopped. An interrupted Apply is gone on with by
// the same call.
func Apply(ctx context.Context, o ApplyOptions) (FeedState, error) {
	if o.Set.Point.Binlog == nil {
		return FeedState{}, fmt.Errorf("backup %s was taken without a binary log: nothing tells where its logs go on", o.Set.ID)
	}
	fsys := vfs.NewOS(nil)
	over, err := o.begin(fsys)
	if err != nil {
		return FeedState{}, err
	}
	feed, err := NewFeed(o.Logs, o.Goal)
	if err != nil {
		return FeedState{}, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go feed.Serve(ctx)
	run, err := StartPrivate(ctx, o.Dir, o.Set, o.Command, o.Options...)
	if err != nil {
		return FeedState{}, err
	}
	if !over {
		err = run.follow(ctx, feed, &o)
	}
	if err == nil {
		err = run.forget(ctx, fsys, &o)
	}
	if stop := run.Stop(); err == nil {
		err = stop
	}
	if err == nil {
		err = errors.Join(fsys.Remove(filepath.Join(o.Dir, applyingFile)), fsys.SyncDir(o.Dir))
	}
	return feed.State(), err
}

// applyingFile stands in a directory whose logs are to be applied, from before a server can open it
// until they are. It holds the name of the backup, and, once they are, the goal in a second line:
// the server forgets then how far it has come.
const applyingFile = "ember.applying"

// ApplyEnv is set for the server that applies the logs; no other one opens such a directory.
const ApplyEnv = "EMBER_APPLIES_LOGS"

func markApplying(fsys vfs.FS, dir, set string) error {
	return writeFile(fsys, filepath.Join(dir, applyingFile), []byte(set+"\n"))
}

// begin marks the directory. over: an interrupted call has applied the logs already.
func (o *ApplyOptions) begin(fsys vfs.FS) (over bool, err error) {
	b, err := vfs.ReadFile(fsys, filepath.Join(o.Dir, applyingFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	set, goal, _ := strings.Cut(strings.TrimSpace(string(b)), "\n")
	switch {
	case set != o.Set.ID || goal == "":
		return false, markApplying(fsys, o.Dir, o.Set.ID)
	case goal != o.Goal.text():
		return false, fmt.Errorf("an interrupted restore has brought %s to another moment; restore into an empty directory", o.Dir)
	}
	return true, nil
}

// markApplied notes that the logs are applied.
func (o *ApplyOptions) markApplied(fsys vfs.FS) error {
	return writeFile(fsys, filepath.Join(o.Dir, applyingFile), []byte(o.Set.ID+"\n"+o.Goal.text()+"\n"))
}

// text is equal for equal goals.
func (g *Goal) text() string {
	return fmt.Sprintf("goal %d %v %v %s:%d", g.Time.UnixNano(), g.After, g.Before, g.File, g.Pos)
}

// Applying tells which backup a directory comes from whose logs were not all applied; "": that is
// over, or the directory is not complete.
func Applying(fsys vfs.FS, dir string) (string, error) {
	if _, err := engine.Identity(fsys, dir); err != nil {
		return "", nil
	}
	b, err := vfs.ReadFile(fsys, filepath.Join(dir, applyingFile))
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	set, _, _ := strings.Cut(string(b), "\n")
	return strings.TrimSpace(set), err
}

// follow has the server follow the feed until all of it is applied.
func (r *Private) follow(ctx context.Context, feed *Feed, o *ApplyOptions) error {
	at := o.Set.Point.Binlog
	row, err := firstRow(ctx, r.db, "SHOW REPLICA STATUS")
	begun := err == nil && row["Source_User"] == feed.User()
	change := fmt.Sprintf("CHANGE REPLICATION SOURCE TO SOURCE_HOST='127.0.0.1', SOURCE_PORT=%d, SOURCE_USER='%s', SOURCE_PASSWORD='%s', SOURCE_CONNECT_RETRY=1, SOURCE_HEARTBEAT_PERIOD=5, GET_SOURCE_PUBLIC_KEY=1",
		feed.Port(), feed.User(), feed.Password)
	switch {
	case at.Executed != "":
		change += ", SOURCE_AUTO_POSITION=1"
	case begun: // an interrupted run: it goes on behind what it has applied
		change += fmt.Sprintf(", SOURCE_LOG_FILE='%s', SOURCE_LOG_POS=%s", row["Relay_Source_Log_File"], row["Exec_Source_Log_Pos"])
	default:
		change += fmt.Sprintf(", SOURCE_LOG_FILE='%s', SOURCE_LOG_POS=%d", at.Name(at.File), at.Offset)
	}
	statements := []string{change, "START REPLICA"}
	if !begun {
		statements = append([]string{"STOP REPLICA", "RESET REPLICA ALL"}, statements...)
	}
	for _, q := range statements {
		if _, err := r.db.ExecContext(ctx, q); err != nil {
			return fmt.Errorf("%.40s: %w", q, err)
		}
	}
	return r.await(ctx, feed, o)
}

// forget ends the server's way as a replica. Before it forgets how far it has come, the directory
// says that it is there.
func (r *Private) forget(ctx context.Context, fsys vfs.FS, o *ApplyOptions) error {
	if _, err := r.db.ExecContext(ctx, "STOP REPLICA"); err != nil {
		return fmt.Errorf("STOP REPLICA: %w", err)
	}
	if err := o.markApplied(fsys); err != nil {
		return err
	}
	if _, err := r.db.ExecContext(ctx, "RESET REPLICA ALL"); err != nil {
		return fmt.Errorf("RESET REPLICA ALL: %w", err)
	}
	return nil
}

// await waits until the server has applied what the feed has sent, all of it.
func (r *Private) await(ctx context.Context, feed *Feed, o *ApplyOptions) error {
	for {
		sent := feed.State()
		if o.Progress != nil {
			o.Progress(feed.Sent(), feed.Total(), sent.At.Format(time.DateTime))
		}
		row, err := firstRow(ctx, r.db, "SHOW REPLICA STATUS")
		if err != nil {
			return err
		}
		switch {
		case sent.Err != nil:
			return sent.Err
		case row["Last_SQL_Errno"] != "0" && row["Last_SQL_Errno"] != "":
			return fmt.Errorf("at %s:%s: error %s: %s", row["Relay_Source_Log_File"], row["Exec_Source_Log_Pos"], row["Last_SQL_Errno"], r.whyStopped(ctx, row["Last_SQL_Error"]))
		case sent.Complete && applied(row, &sent, o.Set.Point.Binlog.Executed != ""):
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pollEvery):
		}
	}
}

// whyStopped is the error of the worker that stopped the applier; told is what the coordinator says.
func (r *Private) whyStopped(ctx context.Context, told string) string {
	row, err := firstRow(ctx, r.db, "SELECT LAST_ERROR_MESSAGE AS why FROM performance_schema.replication_applier_status_by_worker WHERE LAST_ERROR_NUMBER <> 0")
	if err != nil || row["why"] == "" {
		return told
	}
	return row["why"]
}

// applied tells from a replica's status whether it has all that was sent.
func applied(row map[string]string, sent *FeedState, byGTID bool) bool {
	if byGTID {
		executed, err := binlog.ParseSet(row["Executed_Gtid_Set"])
		return err == nil && executed.ContainsSet(sent.Executed)
	}
	file := row["Relay_Source_Log_File"]
	n, err := strconv.ParseInt(row["Exec_Source_Log_Pos"], 10, 64)
	return sent.Transactions == 0 || err == nil && (laterLog(file, sent.File) || file == sent.File && n >= sent.Pos)
}
