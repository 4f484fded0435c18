package parse

import (
	"emberdb/sql/ast"
	"emberdb/sql/token"
)

// tablespace reads CREATE, ALTER and DROP of tablespaces, undo tablespaces and log file groups
// behind the first word.
func (p *parser) tablespace(start uint32, verb ast.TablespaceVerb) *ast.Tablespace {
	t := &ast.Tablespace{Verb: verb}
	switch {
	case p.accept(token.UNDO):
		p.expect(token.TABLESPACE)
		t.Kind = ast.UndoTablespace
	case p.accept(token.LOGFILE):
		p.expect(token.GROUP)
		t.Kind = ast.LogfileGroup
	default:
		p.expect(token.TABLESPACE)
	}
	t.Name = p.ident()
	switch verb {
	case ast.TablespaceCreate:
		p.createSpace(t)
	case ast.TablespaceAlter:
		p.alterSpace(t)
	default:
		t.Options = p.spaceOptions(dropSpaceOptions(t.Kind))
	}
	t.Span = p.from(start)
	return t
}

// createSpace reads what follows the name behind CREATE.
func (p *parser) createSpace(t *ast.Tablespace) {
	switch t.Kind {
	case ast.GeneralTablespace:
		if p.accept(token.ADD) {
			p.expect(token.DATAFILE)
			t.File = p.stringLiteral()
			if p.accept(token.USE) {
				p.expect(token.LOGFILE, token.GROUP)
				t.Group = p.ident()
			}
		}
		t.Options = p.spaceOptions(createSpaceOptions)
	case ast.UndoTablespace:
		p.expect(token.ADD, token.DATAFILE)
		t.File = p.stringLiteral()
		t.Options = p.spaceOptions(engineOnly)
	case ast.LogfileGroup:
		p.expect(token.ADD, token.UNDOFILE)
		t.File = p.stringLiteral()
		t.Options = p.spaceOptions(createGroupOptions)
	}
}

// alterSpace reads what follows the name behind ALTER.
func (p *parser) alterSpace(t *ast.Tablespace) {
	switch {
	case t.Kind == ast.UndoTablespace:
		p.expect(token.SET)
		t.Verb = ast.TablespaceActivate
		if !p.accept(token.ACTIVE) {
			p.expect(token.INACTIVE)
			t.Verb = ast.TablespaceDeactivate
		}
		t.Options = p.spaceOptions(engineOnly)
	case t.Kind == ast.LogfileGroup:
		p.expect(token.ADD, token.UNDOFILE)
		t.Verb, t.File = ast.TablespaceAddFile, p.stringLiteral()
		t.Options = p.spaceOptions(addFileOptions)
	case p.oneOf(token.ADD, token.DROP):
		t.Verb = ast.TablespaceAddFile
		if p.is(token.DROP) {
			t.Verb = ast.TablespaceDropFile
		}
		p.next()
		p.expect(token.DATAFILE)
		t.File = p.stringLiteral()
		t.Options = p.spaceOptions(addFileOptions)
	case p.accept(token.RENAME):
		p.expect(token.TO)
		t.Verb, t.To = ast.TablespaceRename, p.ident()
	default:
		t.Options = p.spaceOptions(alterSpaceOptions)
		p.failIf(len(t.Options) == 0)
	}
}

// spaceOptionKinds are the words of options of tablespaces.
var spaceOptionKinds = map[token.Kind]ast.TablespaceOptionKind{token.INITIAL_SIZE: ast.SpaceInitialSize,
	token.AUTOEXTEND_SIZE: ast.SpaceAutoextendSize, token.MAX_SIZE: ast.SpaceMaxSize,
	token.EXTENT_SIZE: ast.SpaceExtentSize, token.UNDO_BUFFER_SIZE: ast.SpaceUndoBufferSize,
	token.REDO_BUFFER_SIZE: ast.SpaceRedoBufferSize, token.NODEGROUP: ast.SpaceNodegroup, token.ENGINE: ast.SpaceEngine,
	token.STORAGE: ast.SpaceEngine, token.WAIT: ast.SpaceWait, token.NO_WAIT: ast.SpaceNoWait,
	token.COMMENT: ast.SpaceComment, token.FILE_BLOCK_SIZE: ast.SpaceFileBlockSize,
	token.ENCRYPTION: ast.SpaceEncryption, token.ENGINE_ATTRIBUTE: ast.SpaceEngineAttribute}

// optionSet is a set of kinds of options.
type optionSet uint32

func optionsOf(kinds ...ast.TablespaceOptionKind) (s optionSet) {
	for _, k := range kinds {
		s |= 1 << k
	}
	return s
}

func (s optionSet) has(k ast.TablespaceOptionKind) bool { return s&(1<<k) != 0 }

var (
	engineOnly         = optionsOf(ast.SpaceEngine)
	addFileOptions     = optionsOf(ast.SpaceInitialSize, ast.SpaceEngine, ast.SpaceWait, ast.SpaceNoWait, ast.SpaceAutoextendSize, ast.SpaceMaxSize)
	createSpaceOptions = optionsOf(ast.SpaceInitialSize, ast.SpaceAutoextendSize, ast.SpaceMaxSize, ast.SpaceExtentSize,
		ast.SpaceNodegroup, ast.SpaceEngine, ast.SpaceWait, ast.SpaceNoWait, ast.SpaceComment, ast.SpaceFileBlockSize,
		ast.SpaceEncryption, ast.SpaceEngineAttribute)
	createGroupOptions = optionsOf(ast.SpaceInitialSize, ast.SpaceUndoBufferSize, ast.SpaceRedoBufferSize,
		ast.SpaceNodegroup, ast.SpaceEngine, ast.SpaceWait, ast.SpaceNoWait, ast.SpaceComment)
	alterSpaceOptions = optionsOf(ast.SpaceInitialSize, ast.SpaceAutoextendSize, ast.SpaceMaxSize, ast.SpaceEngine,
		ast.SpaceWait, ast.SpaceNoWait, ast.SpaceEncryption, ast.SpaceEngineAttribute)
)

func dropSpaceOptions(kind ast.TablespaceKind) optionSet {
	if kind == ast.UndoTablespace {
		return engineOnly
	}
	return optionsOf(ast.SpaceEngine, ast.SpaceWait, ast.SpaceNoWait)
}

// spaceOptions reads options, which may have commas between them.
func (p *parser) spaceOptions(allowed optionSet) []ast.TablespaceOption {
	var out []ast.TablespaceOption
	for {
		kind, ok := spaceOptionKinds[p.tok.Kind]
		if !ok || !allowed.has(kind) {
			return out
		}
		out = append(out, p.spaceOption(kind))
		if p.accept(',') {
			kind, ok := spaceOptionKinds[p.tok.Kind]
			p.failIf(!ok || !allowed.has(kind))
		}
	}
}

func (p *parser) spaceOption(kind ast.TablespaceOptionKind) ast.TablespaceOption {
	o := ast.TablespaceOption{Kind: kind}
	start := p.tok.From
	if p.accept(token.STORAGE) {
		p.failIf(!p.is(token.ENGINE))
	}
	p.next()
	switch kind {
	case ast.SpaceWait, ast.SpaceNoWait:
	case ast.SpaceEngine:
		p.acceptEqual()
		o.Engine = p.textName()
	case ast.SpaceComment, ast.SpaceEncryption, ast.SpaceEngineAttribute:
		p.acceptEqual()
		o.Text = p.stringLiteral()
	case ast.SpaceNodegroup:
		p.acceptEqual()
		o.Number = p.wholeNumber()
	default:
		p.acceptEqual()
		o.Number = p.size()
	}
	o.Span = p.from(start)
	return o
}
