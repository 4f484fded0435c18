package parse

import (
	"emberdb/sql/ast"
	"emberdb/sql/token"
)

// partitionActions are the first words of commands on partitions that PARTITION must follow.
var partitionActions = map[token.Kind]ast.PartitionActionKind{token.ADD: ast.AddPartition, token.DROP: ast.DropPartition,
	token.REBUILD: ast.RebuildPartition, token.OPTIMIZE: ast.OptimizePartition, token.ANALYZE: ast.AnalyzePartition,
	token.CHECK: ast.CheckPartition, token.REPAIR: ast.RepairPartition, token.COALESCE: ast.CoalescePartition,
	token.TRUNCATE: ast.TruncatePartition, token.REORGANIZE: ast.ReorganizePartition,
	token.EXCHANGE: ast.ExchangePartition, token.DISCARD: ast.DiscardPartition, token.IMPORT: ast.ImportPartition}

// partitionAction reads a command that stands alone in ALTER TABLE, or returns nil when none
// follows.
func (p *parser) partitionAction() *ast.PartitionAction {
	a := &ast.PartitionAction{}
	start := p.tok.From
	switch {
	case p.oneOf(token.SECONDARY_LOAD, token.SECONDARY_UNLOAD):
		p.secondaryLoad(a)
	default:
		kind, ok := partitionActions[p.tok.Kind]
		if !ok || (kind == ast.AddPartition || kind == ast.DropPartition) && p.peek() != token.PARTITION {
			return nil
		}
		p.next()
		switch {
		case kind == ast.DiscardPartition && p.accept(token.TABLESPACE):
			a.Kind = ast.DiscardTablespace
		case kind == ast.ImportPartition && p.accept(token.TABLESPACE):
			a.Kind = ast.ImportTablespace
		default:
			p.expect(token.PARTITION)
			a.Kind = kind
			p.partitionActionBody(a)
		}
	}
	a.Span = p.from(start)
	return a
}

func (p *parser) secondaryLoad(a *ast.PartitionAction) {
	a.Kind = ast.SecondaryLoad
	if p.is(token.SECONDARY_UNLOAD) {
		a.Kind = ast.SecondaryUnload
	}
	p.next()
	switch {
	case p.accept(token.PARTITION):
		a.Names = inParens(p, p.identList)
	case a.Kind == ast.SecondaryLoad && p.accept(token.GUIDED):
		if !p.accept(token.OFF) {
			p.expect(token.ON)
			a.Guided = ast.GuidedOn
			return
		}
		a.Guided = ast.GuidedOff
	}
}

// partitionActionBody reads what follows PARTITION.
func (p *parser) partitionActionBody(a *ast.PartitionAction) {
	switch a.Kind {
	case ast.AddPartition:
		a.NoBinlog = p.noBinlog()
		switch {
		case p.accept(token.PARTITIONS):
			a.Count = p.wholeNumber()
		case p.is('('):
			a.Defs = p.partitionDefs()
		}
	case ast.DropPartition:
		a.Names = p.identList()
	case ast.RebuildPartition, ast.OptimizePartition, ast.AnalyzePartition:
		a.NoBinlog = p.noBinlog()
		p.partitionNames(a)
	case ast.RepairPartition:
		a.NoBinlog = p.noBinlog()
		p.partitionNames(a)
		a.Checks = p.checkOptions(repairOptions)
	case ast.CheckPartition:
		p.partitionNames(a)
		a.Checks = p.checkOptions(checkOptions)
	case ast.CoalescePartition:
		a.NoBinlog = p.noBinlog()
		a.Count = p.wholeNumber()
	case ast.TruncatePartition:
		p.partitionNames(a)
	case ast.DiscardPartition, ast.ImportPartition:
		p.partitionNames(a)
		p.expect(token.TABLESPACE)
	case ast.ReorganizePartition:
		a.NoBinlog = p.noBinlog()
		if p.tok.Kind.IsIdent() {
			a.Names = p.identList()
			p.expect(token.INTO)
			a.Defs = p.partitionDefs()
		}
	case ast.ExchangePartition:
		p.exchangePartition(a)
	}
}

func (p *parser) exchangePartition(a *ast.PartitionAction) {
	a.Names = []ast.Ident{p.ident()}
	p.expect(token.WITH, token.TABLE)
	t := p.tableName()
	a.Table = &t
	if p.oneOf(token.WITH, token.WITHOUT) {
		a.Validation = p.validation()
	}
}

// partitionNames reads ALL or names.
func (p *parser) partitionNames(a *ast.PartitionAction) {
	if a.All = p.accept(token.ALL); !a.All {
		a.Names = p.identList()
	}
}

// noBinlog reads LOCAL or NO_WRITE_TO_BINLOG.
func (p *parser) noBinlog() bool {
	return p.accept(token.LOCAL) || p.accept(token.NO_WRITE_TO_BINLOG)
}

var (
	checkOptions = map[token.Kind]ast.CheckOption{token.QUICK: ast.CheckQuick, token.FAST: ast.CheckFast,
		token.MEDIUM: ast.CheckMedium, token.EXTENDED: ast.CheckExtended, token.CHANGED: ast.CheckChanged,
		token.FOR: ast.CheckForUpgrade}
	repairOptions = map[token.Kind]ast.CheckOption{token.QUICK: ast.CheckQuick, token.EXTENDED: ast.CheckExtended,
		token.USE_FRM: ast.RepairUseFrm}
)

// checkOptions reads the words behind CHECK and REPAIR.
func (p *parser) checkOptions(words map[token.Kind]ast.CheckOption) ast.CheckOption {
	var out ast.CheckOption
	for {
		o, ok := words[p.tok.Kind]
		if !ok {
			return out
		}
		p.next()
		if o == ast.CheckForUpgrade {
			p.expect(token.UPGRADE)
		}
		out |= o
	}
}
