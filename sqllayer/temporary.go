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

	"emberdb/sqllayer/tabledef"
)

// tempTables are a session's temporary tables.
type tempTables struct {
	schema string                                    // "" until the first one
	byName map[tabledef.TableName]tabledef.TableName // database and lower-case name -> where the engine has it

	made, gone bool // whether the open transaction has created or dropped one
}

// changesTemporary notes that a transaction has created or dropped one, which ROLLBACK does not undo.
func (s *Session) changesTemporary(made bool) {
	if !s.autocommit() {
		s.Temps.made, s.Temps.gone = s.Temps.made || made, s.Temps.gone || !made
	}
}

// warnTemporary tells what a ROLLBACK leaves as it is. REQUIRES: s.mu.
func (s *Session) warnTemporary() {
	if s.Temps.made {
		s.BaseSession.Warn(&sql.Warning{Level: "Warning", Code: 1751, Message: "The creation of some temporary tables could not be rolled back."})
	}
	if s.Temps.gone {
		s.BaseSession.Warn(&sql.Warning{Level: "Warning", Code: 1752, Message: "Some temporary tables were dropped, but these operations could not be rolled back."})
	}
}

func tempKey(database, name string) tabledef.TableName {
	return tabledef.TableName{Schema: strings.ToLower(database), Name: strings.ToLower(name)}
}

// Lookup finds a temporary table.
func (t *tempTables) Lookup(database, name string) (tabledef.TableName, bool) {
	if len(t.byName) == 0 {
		return tabledef.TableName{}, false
	}
	at, ok := t.byName[tempKey(database, name)]
	return at, ok
}

// in lists the temporary tables of a database.
func (t *tempTables) in(database string) []tabledef.TableName {
	var out []tabledef.TableName
	for k, at := range t.byName {
		if k.Schema == strings.ToLower(database) {
			out = append(out, at)
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out
}

func (s *Session) temporary(database, name string) (tabledef.TableName, bool) {
	if s == nil {
		return tabledef.TableName{}, false
	}
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return s.Temps.Lookup(database, name)
}

// CreateTemporaryTable implements sql.TemporaryTableCreator.
func (d *Database) CreateTemporaryTable(ctx *sql.Context, name string, schema sql.PrimaryKeySchema, collation sql.CollationID) error {
	if err := checkTableName(name); err != nil {
		return err
	}
	s := SessionOf(ctx)
	if s.InBranch() {
		return temporaryInBranch()
	}
	if _, ok := s.temporary(d.name, name); ok {
		return sql.ErrTableAlreadyExists.New(name)
	}
	declare := declaredStorage(ctx, name)
	s.changesTemporary(true)
	return d.Layer.defineTemporary(ctx, func(def *definer) error {
		t := &s.Temps
		at := tabledef.TableName{Schema: fmt.Sprintf("%stemp_%d", internalPrefix, s.ID()), Name: name}
		for n := 1; t.taken(at); n++ { // tables of the same name in other databases
			at.Name = fmt.Sprintf("%s\x00%d", name, n)
		}
		if t.schema == "" {
			if err := def.eng.CreateSchema(ctx, def.tx, at.Schema, nil); err != nil {
				return err
			}
		}
		table, err := tabledef.NewDefinition(ctx, at, schema, collation, nil)
		if err != nil {
			return err
		}
		table.Temporary = true
		if err := declare(table); err != nil {
			return err
		}
		if err := def.checkSystems(ctx, table); err != nil {
			return err
		}
		if err := def.eng.CreateTable(def.s.Patient(ctx), def.tx, table); err != nil {
			return err
		}
		t.schema = at.Schema
		if t.byName == nil {
			t.byName = make(map[tabledef.TableName]tabledef.TableName)
		}
		t.byName[tempKey(d.name, name)] = at
		return nil
	})
}

func (t *tempTables) taken(at tabledef.TableName) bool {
	for _, other := range t.byName {
		if other == at {
			return true
		}
	}
	return false
}

func (d *Database) dropTemporary(ctx *sql.Context, s *Session, at tabledef.TableName) error {
	s.changesTemporary(false)
	return d.Layer.defineTemporary(ctx, func(def *definer) error {
		if err := def.eng.DropTable(def.s.Patient(ctx), def.tx, at.Schema, at.Name); err != nil {
			return err
		}
		for k, other := range s.Temps.byName {
			if other == at {
				delete(s.Temps.byName, k)
				s.Stmt.dropped, s.log.done = append(s.Stmt.dropped, k), true
			}
		}
		return nil
	})
}

// rename gives a temporary table another name in GMS; the engine's stays.
func (d *definer) renameTemporary(ctx context.Context, database, from, to string, at tabledef.TableName) error {
	t := &d.s.Temps
	if _, ok := t.Lookup(database, to); ok {
		return sql.ErrTableAlreadyExists.New(to)
	}
	moved := tabledef.TableName{Schema: at.Schema, Name: to}
	for n := 1; t.taken(moved); n++ {
		moved.Name = fmt.Sprintf("%s\x00%d", to, n)
	}
	if err := d.eng.RenameTable(d.s.Patient(ctx), d.tx, at.Schema, at.Name, moved.Schema, moved.Name); err != nil {
		return err
	}
	delete(t.byName, tempKey(database, from))
	t.byName[tempKey(database, to)] = moved
	return nil
}

// dropTemporaryTables drops all of them: the session ends.
func (s *Session) dropTemporaryTables() {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if s.Temps.schema == "" {
		return
	}
	ctx := context.Background()
	err := s.separately(ctx, func(d *definer) error { return d.eng.DropSchema(ctx, d.tx, s.Temps.schema) })
	if err != nil {
		s.GetLogger().WithError(err).Error("temporary tables are dropped at the next start")
	}
	s.Temps = tempTables{}
}
