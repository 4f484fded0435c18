package sqllayer

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/catalog"
	"emberdb/engine/lock"
	"emberdb/engine/txn"
	"emberdb/sql/ast"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/srs"
	"emberdb/sqllayer/tabledef"
)

// Spatial reference systems that statements make, change and drop. Each is an object of the
// dictionary, named by its id; one that stands for a predefined system that was dropped has no data.

// Error numbers of reference systems.
const (
	erNoSuchSystem     = 3548
	warnNoSuchSystem   = 3519
	erAttributeMissing = 3708
	erAttributeTwice   = 3709
	erSystemName       = 3710
	erOrganizationName = 3711
	erSystemExists     = 3712
	warnSystemExists   = 3713
	erPlaneFixed       = 3714
	warnReserved       = 3715
	erSystemUsed       = 3716
	erAttributeChars   = 3717
	erAttributeLong    = 3718
	erLineFeed         = 1525
)

const noSuchSystem = "There's no spatial reference system with SRID %d."

// ReferenceSystems are the spatial reference systems as they were committed last.
func (s *Session) ReferenceSystems(ctx context.Context) (*srs.Set, error) {
	return s.layer.referenceSystems(ctx, nil)
}

func (l *Layer) referenceSystems(ctx context.Context, tx *txn.Trx) (*srs.Set, error) {
	return cached(l, tx,
		func(c *dictCache) (*srs.Set, bool) { return c.systems, c.systems != nil },
		func() (*srs.Set, error) {
			objects, err := l.Eng.ListObjects(ctx, tx, catalog.KindReferenceSystem, "")
			if err != nil {
				return nil, err
			}
			changed := make(map[uint32]*srs.System, len(objects))
			for _, o := range objects {
				id, err := strconv.ParseUint(o.Name, 10, 32)
				if err != nil {
					return nil, fmt.Errorf("spatial reference system %q: %w", o.Name, err)
				}
				var system *srs.System
				if len(o.Data) > 0 {
					system = &srs.System{}
					if err := json.Unmarshal(o.Data, system); err != nil {
						return nil, fmt.Errorf("spatial reference system %q: %w", o.Name, err)
					}
				}
				changed[uint32(id)] = system
			}
			return srs.NewSet(changed), nil
		},
		func(c *dictCache, v *srs.Set) { c.systems = v })
}

// CreateReferenceSystem is CREATE SPATIAL REFERENCE SYSTEM, up to the commit.
func CreateReferenceSystem(ctx *sql.Context, n *ast.CreateReferenceSystem) (changed bool, err error) {
	id, err := changeableSRID(n.SRID, "CREATE")
	if err != nil {
		return false, err
	}
	system, err := describedSystem(id, n)
	if err != nil {
		return false, err
	}
	err = changeSystem(ctx, id, func(d *definer, set *srs.Set) error {
		before, exists := set.Find(id)
		switch {
		case exists && n.IfNotExists:
			ctx.Warn(warnSystemExists, "There is already a spatial reference system with SRID %d.", id)
			return nil
		case exists && !n.OrReplace:
			return sqlerr.NewError(erSystemExists, "There is already a spatial reference system with SRID %d.", id)
		}
		after, err := srs.Define(id, system.Text)
		if err != nil {
			return err
		}
		if exists && !after.Means(before.Definition()) {
			if err := d.refuseUsedSystem(ctx, id); err != nil {
				return err
			}
		}
		if err := refuseTakenNames(set, system); err != nil {
			return err
		}
		data, err := json.Marshal(system)
		if err != nil {
			return err
		}
		changed = true
		return d.putSystem(ctx, id, data)
	})
	return changed, err
}

// DropReferenceSystem is DROP SPATIAL REFERENCE SYSTEM, up to the commit.
func DropReferenceSystem(ctx *sql.Context, n *ast.DropReferenceSystem) (changed bool, err error) {
	id, err := changeableSRID(n.SRID, "DROP")
	if err != nil {
		return false, err
	}
	err = changeSystem(ctx, id, func(d *definer, set *srs.Set) error {
		_, exists := set.Find(id)
		switch {
		case !exists && n.IfExists:
			ctx.Warn(warnNoSuchSystem, noSuchSystem, id)
			return nil
		case !exists:
			return sqlerr.NewError(erNoSuchSystem, noSuchSystem, id)
		}
		if err := d.refuseUsedSystem(ctx, id); err != nil {
			return err
		}
		changed = true
		if _, predefined := (*srs.Set)(nil).Find(id); predefined {
			return d.putSystem(ctx, id, nil)
		}
		warnOfReserved(ctx, id)
		return d.eng.DeleteObject(ctx, d.tx, catalog.KindReferenceSystem, "", strconv.FormatUint(uint64(id), 10))
	})
	return changed, err
}

// changeSystem runs fn in the session's DDL transaction. It waits for other changes of systems, and
// for statements that give a column this one.
func changeSystem(ctx *sql.Context, srid uint32, fn func(d *definer, set *srs.Set) error) error {
	s := SessionOf(ctx)
	return s.layer.define(ctx, func(d *definer) error {
		if err := d.eng.LockMeta(s.Patient(ctx), d.tx, "", string(catalog.KindReferenceSystem), lock.MetaExclusive); err != nil {
			return err
		}
		if err := d.lockSystem(ctx, srid, lock.MetaExclusive); err != nil {
			return err
		}
		set, err := d.l.referenceSystems(ctx, d.tx)
		if err != nil {
			return err
		}
		return fn(d, set)
	})
}

func (d *definer) putSystem(ctx *sql.Context, id uint32, data []byte) error {
	warnOfReserved(ctx, id)
	return d.eng.PutObject(ctx, d.tx, catalog.Object{Kind: catalog.KindReferenceSystem, Name: strconv.FormatUint(uint64(id), 10), Data: data})
}

// changeableSRID reads the number of a reference system that a statement changes.
func changeableSRID(digits, verb string) (uint32, error) {
	n, err := strconv.ParseUint(digits, 10, 32)
	switch {
	case err != nil:
		return 0, sqlerr.NewError(1690, "SRID value is out of range in '%s SPATIAL REFERENCE SYSTEM'", verb)
	case n == 0:
		return 0, sqlerr.NewError(erPlaneFixed, "SRID 0 is not modifiable.")
	}
	return uint32(n), nil
}

// describedSystem is the system that the attributes of a statement describe.
func describedSystem(id uint32, n *ast.CreateReferenceSystem) (*srs.System, error) {
	system := &srs.System{ID: id}
	given := make(map[ast.ReferenceAttributeKind]bool)
	for _, a := range n.Attributes {
		kind := attributeKinds[a.Kind]
		if given[a.Kind] {
			return nil, sqlerr.NewError(erAttributeTwice, "Multiple definitions of attribute %s.", kind.name)
		}
		given[a.Kind] = true
		text := a.Text.Text
		if err := kind.check(text); err != nil {
			return nil, err
		}
		switch a.Kind {
		case ast.ReferenceName:
			system.Name = text
		case ast.ReferenceDefinition:
			system.Text = text
		case ast.ReferenceDescription:
			system.Description = &text
		case ast.ReferenceOrganization:
			number, err := strconv.ParseUint(a.ID, 10, 32)
			if err != nil {
				return nil, sqlerr.NewError(1690, "IDENTIFIED BY value is out of range in 'CREATE SPATIAL REFERENCE SYSTEM'")
			}
			system.Organization, system.OrganizationID = &text, uint32(number)
		}
	}
	for _, kind := range []ast.ReferenceAttributeKind{ast.ReferenceName, ast.ReferenceDefinition} {
		if !given[kind] {
			return nil, sqlerr.NewError(erAttributeMissing, "Missing mandatory attribute %s.", attributeKinds[kind].name)
		}
	}
	return system, nil
}

// attributeKind is a kind of an attribute: its name, how many characters it takes, and the error of a
// text that is empty or begins or ends with white space.
type attributeKind struct {
	name string
	most int
	code int
	what string
}

var attributeKinds = map[ast.ReferenceAttributeKind]attributeKind{
	ast.ReferenceName:         {"NAME", 80, erSystemName, "spatial reference system"},
	ast.ReferenceDefinition:   {"DEFINITION", 4096, 0, ""},
	ast.ReferenceOrganization: {"ORGANIZATION", 256, erOrganizationName, "organization"},
	ast.ReferenceDescription:  {"DESCRIPTION", 2048, 0, ""},
}

func (k attributeKind) check(text string) error {
	switch {
	case strings.Contains(text, "\n"):
		return sqlerr.NewError(erLineFeed, "Incorrect argument contains not-allowed LF value: '%s'", text)
	case k.code != 0 && (text == "" || strings.TrimFunc(text, unicode.IsSpace) != text):
		return sqlerr.NewError(k.code, "The %s name can't be an empty string or start or end with whitespace.", k.what)
	case strings.ContainsFunc(text, unicode.IsControl):
		return sqlerr.NewError(erAttributeChars, "Invalid character in attribute %s.", k.name)
	case utf8.RuneCountInString(text) > k.most:
		return sqlerr.NewError(erAttributeLong, "Attribute %s is too long. The maximum length is %d characters.", k.name, k.most)
	}
	return nil
}

// warnOfReserved warns of a system that an upgrade may change.
func warnOfReserved(ctx *sql.Context, id uint32) {
	const text = "The SRID range [%d, %d] has been reserved for system use. SRSs in this range may be added, modified or removed without warning during upgrade."
	switch {
	case id <= 32767:
		ctx.Warn(warnReserved, text, 0, 32767)
	case id >= 60_000_000 && id <= 69_999_999:
		ctx.Warn(warnReserved, text, 60_000_000, 69_999_999)
	}
}

// refuseTakenNames refuses a system whose name, or name by an organization, is another's.
func refuseTakenNames(set *srs.Set, system *srs.System) (err error) {
	organized := func(s *srs.System) string {
		if s.Organization == nil {
			return ""
		}
		return fmt.Sprintf("%s-%d", *s.Organization, s.OrganizationID)
	}
	own := organized(system)
	set.Each(func(s *srs.System) bool {
		switch {
		case s.ID == system.ID:
		case strings.EqualFold(s.Name, system.Name):
			err = sqlerr.NewError(1062, "Duplicate entry '1-%s' for key 'st_spatial_reference_systems.SRS_NAME'", system.Name)
			return false
		case own != "" && strings.EqualFold(organized(s), own):
			err = sqlerr.NewError(1062, "Duplicate entry '1-%s' for key 'st_spatial_reference_systems.ORGANIZATION_AND_ID'", own)
		}
		return true
	})
	return err
}

// refuseUsedSystem refuses to change a system that a column has.
func (d *definer) refuseUsedSystem(ctx *sql.Context, id uint32) error {
	schemas, err := d.l.schemas(ctx, d.tx)
	if err != nil {
		return err
	}
	for _, schema := range schemas {
		objects, err := d.eng.ListObjects(ctx, d.tx, catalog.KindTable, schema.Name)
		if err != nil {
			return err
		}
		for _, o := range objects {
			var def catalog.Table
			if err := json.Unmarshal(o.Data, &def); err != nil {
				return err
			}
			for _, c := range def.Columns {
				if c.SRID != nil && *c.SRID == id {
					return sqlerr.NewError(erSystemUsed, "Can't modify SRID %d. There is at least one column depending on it.", id)
				}
			}
		}
	}
	return nil
}

// checkSystems refuses columns of systems that are not there. Those that are there stay until the
// transaction ends.
func (d *definer) checkSystems(ctx *sql.Context, def *catalog.Table) error {
	for _, c := range def.Columns {
		if c.SRID == nil {
			continue
		}
		if err := d.lockSystem(ctx, *c.SRID, lock.MetaShared); err != nil {
			return err
		}
		set, err := d.l.referenceSystems(ctx, d.tx)
		if err != nil {
			return err
		}
		if _, known := set.Find(*c.SRID); !known {
			return sql.ErrNoSRID.New(*c.SRID)
		}
	}
	return nil
}

// lockSystem locks one spatial reference system: shared for a column of it.
func (d *definer) lockSystem(ctx *sql.Context, srid uint32, mode lock.MetaMode) error {
	return d.eng.LockMeta(d.s.Patient(ctx), d.tx, "", fmt.Sprintf("%s %d", catalog.KindReferenceSystem, srid), mode)
}

// hasSpatialKey tells whether a column has a spatial index.
func hasSpatialKey(def *catalog.Table, column string) bool {
	special, _ := tabledef.SpecialIndexes(def)
	return slices.ContainsFunc(special, func(x tabledef.SpecialIndex) bool {
		return x.Kind == "spatial" && strings.EqualFold(x.Columns[0], column)
	})
}
