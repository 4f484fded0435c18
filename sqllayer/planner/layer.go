package planner

import (
	sqle "github.com/dolthub/go-mysql-server"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/rowexec"

	"emberdb/engine"
	"emberdb/engine/catalog"
	"emberdb/engine/table"
	"emberdb/sql/partition"
	"emberdb/sqllayer"
	"emberdb/sqllayer/expr"
	"emberdb/sqllayer/infoschema"
	"emberdb/sqllayer/rules"
	"emberdb/sqllayer/run"
)

// NewLayer gives a layer of eng that GMS does not know yet: package planner wires the two.
func NewLayer(eng *engine.Engine, o sqllayer.Options) *sqllayer.Layer {
	if o.DefaultCollation == sql.Collation_Unspecified {
		o.DefaultCollation = sql.Collation_utf8mb4_0900_ai_ci
	}
	l := &sqllayer.Layer{Eng: eng, Opts: o, Aside: expr.NewAside(), Locks: expr.NewUserLocks()}
	l.Provider = &sqllayer.Provider{Owner: l}
	l.Stats = sqllayer.NewStatistics(l)
	eng.SetPlacer(func(def *catalog.Table) (table.Placer, error) { return partition.New(def) })
	return l
}

// New wires GMS to eng. Temporary tables that a crash has left are dropped.
func New(eng *engine.Engine, o sqllayer.Options) (*sqllayer.Layer, error) {
	l := NewLayer(eng, o)
	overrides := sql.EngineOverrides{Builder: sql.BuilderOverrides{Parser: &sqllayer.Parser{Plain: o.Plain}}}
	a := analyzer.NewBuilder(l.Provider).AddOverrides(overrides).AddPreAnalyzeRule(demandsRule, checkDemands).AddPreAnalyzeRule(rules.EscapeRule, rules.EscapedPatterns).AddPreAnalyzeRule(rules.LimitRule, rules.NullLimits).
		AddPreAnalyzeRule(settledRule, settledLeaves).AddPreAnalyzeRule(lateralRule, lateralLeft).AddPreAnalyzeRule(likeRule, likeFullText).
		AddPreAnalyzeRule(upsertRule, upsertQueries).AddPreAnalyzeRule(uniqueNamesRule, l.UniqueNames).AddPreAnalyzeRule(distinctRule, l.CheckDistinct).
		AddPreAnalyzeRule(windowColumnsRule, windowColumns).AddPreAnalyzeRule(binaryTextsRule, binaryTexts).
		AddPreAnalyzeRule(datedTextsRule, datedTexts).AddPreAnalyzeRule(zeroDatesRule, zeroDates).AddPreAnalyzeRule(lastInsertedRule, lastInserted).
		AddPreAnalyzeRule(collationMixRule, collationMixes).Build()
	if err := rules.GuardSorts(a); err != nil {
		return nil, err
	}
	if err := guardExists(a); err != nil {
		return nil, err
	}
	if err := rules.MendGroupCheck(a, sqllayer.GroupsFollow); err != nil {
		return nil, err
	}
	if err := rules.MendDefinitions(a); err != nil {
		return nil, err
	}
	if err := rules.MendPruning(a); err != nil {
		return nil, err
	}
	if err := rules.MendPushdown(a); err != nil {
		return nil, err
	}
	if err := rules.MendOuterIndexes(a); err != nil {
		return nil, err
	}
	if err := hideIndexes(a); err != nil {
		return nil, err
	}
	if err := rules.BindConditions(a); err != nil {
		return nil, err
	}
	if err := mendTriggers(a); err != nil {
		return nil, err
	}
	if err := mendDrops(a); err != nil {
		return nil, err
	}
	if err := mendDeletes(a); err != nil {
		return nil, err
	}
	if err := mendHiddenNames(a); err != nil {
		return nil, err
	}
	if !o.Plain {
		if err := mendCreateSelect(a); err != nil {
			return nil, err
		}
	}
	if err := narrowLists(a); err != nil {
		return nil, err
	}
	if err := guardComparisons(a); err != nil {
		return nil, err
	}
	if err := rules.BoundSearch(a, joining); err != nil {
		return nil, err
	}
	rules.CheckInterrupts(a)
	priority := &run.Builder{Layer: l}
	executing := overrides
	executing.Builder.Parser = &sqllayer.Parser{Plain: true} // ALTER TABLE parses generated columns where own functions are not found
	priority.Base = rowexec.NewBuilder(priority, executing)
	a.ExecBuilder = priority.Base
	l.Inform(a)
	a.Catalog.InfoSchema = infoschema.NewInfoSchema(a.Catalog.InfoSchema, o.Plain)
	return l, l.Open(sqle.New(a, &sqle.Config{VersionPostfix: o.VersionPostfix, IsReadOnly: o.ReadOnly}))
}
