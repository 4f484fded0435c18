package tools

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/internal/namedrows"
	"emberdb/internal/testkit"
)

// byID spreads tables over shards.
const byID = `{"sharded": true, "vindexes": {"hash": {"type": "hash"}}, "tables": {
	"t": {"column_vindexes": [{"column": "id", "name": "hash"}]}, "kinds": {"column_vindexes": [{"column": "id", "name": "hash"}]}}}`

// vitessFails are statements that MySQL refuses, too: Vitess asks for tables before they are made, or when
// they have moved, and ends connections that it has closed.
var vitessFails = []string{`(1049|1146) .* _vt\.`, "1146 select 1 from `", `1146 insert into t\(.*vt_client\.t`, `1094 kill`,
	`1205 lock tables t read`, // VReplication waits 30 s for transactions that Vitess ends after 30 s; on MySQL 9.7 it waits in the same place
}

// TestVitessReparents has Vitess change the source of a shard, as planned and after a kill, while
// clients write through vtgate.
func TestVitessReparents(t *testing.T) {
	v := openVitess(t, keyspace{"client", "semi_sync", []string{"-80", "80-"}, 3})
	v.must(t, "ApplySchema", "--sql=CREATE TABLE t (id BIGINT PRIMARY KEY, note VARCHAR(100))", "client")
	v.must(t, "ApplyVSchema", "--vschema="+byID, "client")
	c := openClients(t, func() int { return v.gate.port })
	left, right := v.tablets[:3], v.tablets[3:]

	before := c.rate(5 * time.Second)
	for _, to := range []*tablet{left[1], right[1], left[0], right[0]} {
		v.promote(t, to)
		t.Logf("%s is the source of %s; a commit after %v", to.name, to.shard, c.next(t).Round(time.Millisecond))
	}
	t.Logf("commits in five seconds: %d before, %d afterwards", before, c.rate(5*time.Second))
	for _, m := range v.tablets {
		m.failed.only(t, vitessFails...)
		m.failed = m.watch()
	}

	left[0].failed.only(t, vitessFails...)
	left[0].process.Kill()
	v.must(t, "EmergencyReparentShard", "--new-primary="+left[1].name, left[1].shard)
	t.Logf("from the emergency's end to a commit: %v", c.next(t).Round(time.Millisecond))
	c.rate(5 * time.Second)
	c.end(t, &v.gate)
	same(t, "vt_client", left[1:])
	same(t, "vt_client", right)
	for _, m := range v.tablets[1:] {
		m.failed.only(t, vitessFails...)
	}
}

// TestVitessMoves has Vitess move tables into a keyspace of two shards, split both, and change
// definitions, while clients write through vtgate.
func TestVitessMoves(t *testing.T) {
	v := openVitess(t, keyspace{"client", "none", []string{"0"}, 2}, keyspace{"shop", "none", []string{"-80", "80-"}, 2})
	v.must(t, "ApplySchema", "--sql=CREATE TABLE t (id BIGINT PRIMARY KEY, note VARCHAR(100))", "client")
	v.must(t, "ApplySchema", "--sql="+kinds, "client")
	v.must(t, "ApplyVSchema", "--vschema="+byID, "shop")
	old, left, right := v.tablets[0], v.tablets[2], v.tablets[4]
	old.exec(t, fillKinds)
	c := openClients(t, func() int { return v.gate.port })
	c.rate(5 * time.Second)

	v.move(t, "MoveTables", "--source-keyspace=client", "--tables=t,kinds")
	testkit.Eventually(t, func() bool { return rowsOfKinds(t, "vt_client", old) == rowsOfKinds(t, "vt_shop", left, right) }, "the former shard does not follow")
	v.must(t, "MoveTables", "--workflow=MoveTables", "--target-keyspace=shop", "complete", "--keep-routing-rules") // the clients still name the old keyspace
	t.Logf("moved; a commit after %v", c.next(t).Round(time.Millisecond))
	for _, s := range []string{"-40", "40-80", "80-c0", "c0-"} {
		v.addShard(t, "shop/"+s, 1)
	}
	quarters := v.tablets[6:]
	v.move(t, "Reshard", "--source-shards=-80,80-", "--target-shards=-40,40-80,80-c0,c0-")
	testkit.Eventually(t, func() bool { return rowsOfKinds(t, "vt_shop", left, right) == rowsOfKinds(t, "vt_shop", quarters...) }, "the former shards do not follow")
	want := rowsOfKinds(t, "vt_shop", quarters...)
	v.must(t, "Reshard", "--workflow=Reshard", "--target-keyspace=shop", "complete")
	t.Logf("split; a commit after %v", c.next(t).Round(time.Millisecond))
	v.alter(t, "ALTER TABLE t ADD COLUMN more INT NOT NULL DEFAULT 5, ADD KEY (note)",
		"ALTER TABLE kinds MODIFY small INT, DROP COLUMN middle, CONVERT TO CHARACTER SET utf8mb4, ADD UNIQUE KEY (at, id), ADD COLUMN made TIMESTAMP DEFAULT CURRENT_TIMESTAMP",
		"CREATE TABLE more (id BIGINT PRIMARY KEY)", "ALTER TABLE kinds PARTITION BY HASH (id) PARTITIONS 3", "DROP TABLE more")
	t.Logf("altered; a commit after %v", c.next(t).Round(time.Millisecond))
	require.Equal(t, want, rowsOfKinds(t, "vt_shop", quarters...))
	c.end(t, &v.gate)
	same(t, "vt_shop", v.tablets[4:6])
	for _, m := range v.tablets {
		m.failed.only(t, vitessFails...)
	}
}

// move copies rows into the keyspace shop while some change, compares them, and has the clients use the
// copies, the originals again, which followed the copies, and the copies.
func (v *vitess) move(t *testing.T, how string, options ...string) {
	t.Helper()
	workflow := []string{"--workflow=" + how, "--target-keyspace=shop"}
	v.must(t, append(append([]string{how}, workflow...), append([]string{"create"}, options...)...)...)
	v.gate.exec(t, changeKinds...)
	v.eventually(t, append(append([]string{how}, workflow...), "switchtraffic", "--dry-run")...)
	v.gate.exec(t, changeKinds...)
	require.Contains(t, v.must(t, append(append([]string{"VDiff"}, workflow...), "create", "--wait", "--wait-update-interval=1s")...), "completed")
	require.NotContains(t, v.must(t, append(append([]string{"VDiff"}, workflow...), "show", "last")...), "HasMismatch:  true")
	for _, direction := range []string{"switchtraffic", "reversetraffic", "switchtraffic"} {
		v.must(t, append(append([]string{how}, workflow...), direction)...)
		v.gate.exec(t, changeKinds...)
	}
}

// alter changes definitions one after the other, in all shards of the keyspace shop.
func (v *vitess) alter(t *testing.T, statements ...string) {
	t.Helper()
	for i, q := range statements {
		v.must(t, "ApplySchema", "--ddl-strategy=vitess", "--sql="+q, "shop")
		v.migrated(t, 4*(i+1))
	}
}

// migrated waits until n changes of definitions are done, each of one shard.
func (v *vitess) migrated(t *testing.T, n int) {
	t.Helper()
	deadline := time.Now().Add(toolLimit)
	for {
		all, err := namedrows.Query(t.Context(), v.gate.db, "SHOW VITESS_MIGRATIONS FROM shop")
		require.NoError(t, err)
		done := 0
		for _, m := range all {
			require.NotContains(t, []string{"failed", "cancelled"}, m["migration_status"], "%v", m)
			if m["migration_status"] == "complete" {
				done++
			}
		}
		if len(all) == n && done == n {
			return
		}
		require.True(t, time.Now().Before(deadline), "%v", all)
		time.Sleep(time.Second)
	}
}
