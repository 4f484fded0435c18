package sqllayer

// Temporary tables are tables of the engine in a schema of the session, "#temp_" and the connection
// id, which no client can name. So they have indexes and obey transactions like any other. They go
// with the session; what a crash leaves goes when the layer starts.

import (
	"context"
	"fmt"
	"sort"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/catalog"
)

// tempTables are a session's temporary tables.
type tempTables struct {
	schema string                  // "" until the first one
	byName map[tableName]tableName // database and lower-case name -> where the engine has it
}

func tempKey(database, name string) tableName {
	return tableName{strings.ToLower(database), strings.ToLower(name)}
}

// lookup finds a temporary table.
func (t *tempTables) lookup(database, name string) (tableName, bool) {
	if len(t.byName) == 0 {
		return tableName{}, false
	}
	at, ok := t.byName[tempKey(database, name)]
	return at, ok
}

// in lists the temporary tables of a database.
func (t *tempTables) in(database string) []tableName {
	var out []tableName
	for k, at := range t.byName {
		if k.schema == strings.ToLower(database) {
			out = append(out, at)
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].name < out[j].name })
	return out
}

func (s *Session) temporary(database, name string) (tableName, bool) {
	if s == nil {
		return tableName{}, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.temps.lookup(database, name)
}

// CreateTemporaryTable implements sql.TemporaryTableCreator.
func (d *Database) CreateTemporaryTable(ctx *sql.Context, name string, schema sql.PrimaryKeySchema, collation sql.CollationID) error {
	if err := checkTableName(name); err != nil {
		return err
	}
	s := sessionOf(ctx)
	if s.InBranch() {
		return temporaryInBranch()
	}
	if _, ok := s.temporary(d.name, name); ok {
		return sql.ErrTableAlreadyExists.New(name)
	}
	return d.layer.defineTemporary(ctx, func(def *definer) error {
		t := &s.temps
		at := tableName{fmt.Sprintf("%stemp_%d", internalPrefix, s.ID()), name}
		for n := 1; t.taken(at); n++ { // tables of the same name in other databases
			at.name = fmt.Sprintf("%s\x00%d", name, n)
		}
		if t.schema == "" {
			if err := def.eng.CreateSchema(ctx, def.tx, at.schema, nil); err != nil {
				return err
			}
		}
		table, err := newDefinition(ctx, at, schema, collation, nil)
		if err != nil {
			return err
		}
		table.Temporary = true
		if err := def.eng.CreateTable(def.s.Patient(ctx), def.tx, table); err != nil {
			return err
		}
		t.schema = at.schema
		if t.byName == nil {
			t.byName = make(map[tableName]tableName)
		}
		t.byName[tempKey(d.name, name)] = at
		return nil
	})
}

func (t *tempTables) taken(at tableName) bool {
	for _, other := range t.byName {
		if other == at {
			return true
		}
	}
	return false
}

func (d *Database) dropTemporary(ctx *sql.Context, s *Session, at tableName) error {
	return d.layer.defineTemporary(ctx, func(def *definer) error {
		if err := def.eng.DropTable(def.s.Patient(ctx), def.tx, at.schema, at.name); err != nil {
			return err
		}
		for k, other := range s.temps.byName {
			if other == at {
				delete(s.temps.byName, k)
			}
		}
		return nil
	})
}

// rename gives a temporary table another name in GMS; the engine's stays.
func (d *definer) renameTemporary(ctx context.Context, database, from, to string, at tableName) error {
	t := &d.s.temps
	if _, ok := t.lookup(database, to); ok {
		return sql.ErrTableAlreadyExists.New(to)
	}
	moved := tableName{at.schema, to}
	for n := 1; t.taken(moved); n++ {
		moved.name = fmt.Sprintf("%s\x00%d", to, n)
	}
	if err := d.eng.RenameTable(d.s.Patient(ctx), d.tx, at.schema, at.name, moved.schema, moved.name); err != nil {
		return err
	}
	delete(t.byName, tempKey(database, from))
	t.byName[tempKey(database, to)] = moved
	return nil
}

// dropTemporaryTables drops all of them: the session ends.
func (s *Session) dropTemporaryTables() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.temps.schema == "" {
		return
	}
	ctx := context.Background()
	err := s.separately(ctx, func(d *definer) error { return d.eng.DropSchema(ctx, d.tx, s.temps.schema) })
	if err != nil {
		s.GetLogger().WithError(err).Error("temporary tables are dropped at the next start")
	}
	s.temps = tempTables{}
}

// shownName is the name of a table as its clients know it.
func shownName(def *catalog.Table) string {
	if i := strings.IndexByte(def.Name, 0); def.Temporary && i >= 0 {
		return def.Name[:i]
	}
	return def.Name
}
