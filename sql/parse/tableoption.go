package parse

import (
	"strconv"
	"strings"

	"emberdb/sql/ast"
	"emberdb/sql/token"
)

// tableOptions reads the options of CREATE TABLE, which may have commas between them.
func (p *parser) tableOptions() []ast.TableOption {
	var out []ast.TableOption
	for {
		o, ok := p.tableOption()
		if !ok {
			return out
		}
		out = append(out, o)
		if p.accept(',') && !p.startsTableOption() {
			p.fail()
		}
	}
}

// textOptions are options whose value is a string.
var textOptions = map[token.Kind]ast.TableOptionKind{token.PASSWORD: ast.OptionPassword, token.COMMENT: ast.OptionComment,
	token.COMPRESSION: ast.OptionCompression, token.ENCRYPTION: ast.OptionEncryption,
	token.CONNECTION: ast.OptionConnection, token.ENGINE_ATTRIBUTE: ast.OptionEngineAttribute,
	token.SECONDARY_ENGINE_ATTRIBUTE: ast.OptionSecondaryEngineAttribute}

// numberOptions are options whose value is a number; true: it may be hexadecimal.
var numberOptions = map[token.Kind]struct {
	kind ast.TableOptionKind
	hex  bool
}{token.MAX_ROWS: {ast.OptionMaxRows, false}, token.MIN_ROWS: {ast.OptionMinRows, false},
	token.AVG_ROW_LENGTH: {ast.OptionAvgRowLength, false}, token.AUTO_INCREMENT: {ast.OptionAutoIncrement, false},
	token.CHECKSUM: {ast.OptionChecksum, true}, token.TABLE_CHECKSUM: {ast.OptionTableChecksum, true},
	token.DELAY_KEY_WRITE: {ast.OptionDelayKeyWrite, true}, token.KEY_BLOCK_SIZE: {ast.OptionKeyBlockSize, false}}

// ternaryOptions are options whose value is 0, 1 or DEFAULT.
var ternaryOptions = map[token.Kind]ast.TableOptionKind{token.PACK_KEYS: ast.OptionPackKeys,
	token.STATS_AUTO_RECALC: ast.OptionStatsAutoRecalc, token.STATS_PERSISTENT: ast.OptionStatsPersistent,
	token.VERIFY_KEY_CONSTRAINTS: ast.OptionVerifyKeyConstraints, token.AUTO_REFRESH: ast.OptionAutoRefresh,
	token.STRICT_LOAD: ast.OptionStrictLoad, token.ALLOW_MISSING_FILES: ast.OptionAllowMissingFiles}

// startsTableOption reports whether an option of a table follows.
func (p *parser) startsTableOption() bool {
	k := p.tok.Kind
	if _, ok := textOptions[k]; ok {
		return true
	}
	if _, ok := numberOptions[k]; ok {
		return true
	}
	if _, ok := ternaryOptions[k]; ok {
		return true
	}
	switch k {
	case token.ENGINE, token.SECONDARY_ENGINE, token.STATS_SAMPLE_PAGES, token.ROW_FORMAT, token.UNION, token.DEFAULT,
		token.CHAR, token.CHARSET, token.COLLATE, token.INSERT_METHOD, token.DATA, token.INDEX, token.TABLESPACE,
		token.STORAGE, token.START, token.AUTOEXTEND_SIZE, token.FILE_FORMAT, token.FILES, token.AUTO_REFRESH_SOURCE:
		return true
	}
	return false
}

// tableOption reads one option of a table; ok is false when none follows.
func (p *parser) tableOption() (o ast.TableOption, ok bool) {
	if !p.startsTableOption() {
		return o, false
	}
	start := p.tok.From
	k := p.tok.Kind
	if kind, ok := textOptions[k]; ok {
		p.optionWord()
		o.Kind, o.Text = kind, p.stringLiteral()
	} else if n, ok := numberOptions[k]; ok {
		p.optionWord()
		o.Kind, o.Number = n.kind, p.optionNumber(n.hex)
	} else if kind, ok := ternaryOptions[k]; ok {
		p.optionWord()
		o.Kind = kind
		o.Number, o.IsDefault = p.ternary()
	} else {
		p.otherOption(&o)
	}
	o.Span = p.from(start)
	return o, true
}

// optionWord consumes the word of an option and the equals sign that may follow.
func (p *parser) optionWord() {
	p.next()
	p.acceptEqual()
}

func (p *parser) optionNumber(hex bool) string {
	if hex {
		return p.smallNumber()
	}
	return p.largeNumber()
}

// otherOption reads the options whose value is neither a string nor a number.
func (p *parser) otherOption(o *ast.TableOption) {
	switch p.tok.Kind {
	case token.ENGINE:
		p.optionWord()
		o.Kind, o.Name = ast.OptionEngine, p.textName()
	case token.SECONDARY_ENGINE:
		p.optionWord()
		o.Kind = ast.OptionSecondaryEngine
		if o.Null = p.accept(token.NULL); !o.Null {
			o.Name = p.textName()
		}
	case token.STATS_SAMPLE_PAGES:
		p.optionWord()
		o.Kind = ast.OptionStatsSamplePages
		if o.IsDefault = p.accept(token.DEFAULT); !o.IsDefault {
			o.Number = p.samplePages()
		}
	case token.FILE_FORMAT, token.FILES, token.AUTO_REFRESH_SOURCE:
		p.externalOption(o)
	case token.AUTOEXTEND_SIZE:
		p.optionWord()
		o.Kind, o.Number = ast.OptionAutoextendSize, p.size()
	case token.ROW_FORMAT:
		p.optionWord()
		o.Kind, o.Word = ast.OptionRowFormat, p.optionValue(rowFormats)
	case token.INSERT_METHOD:
		p.optionWord()
		o.Kind, o.Word = ast.OptionInsertMethod, p.optionValue(insertMethods)
	case token.UNION:
		p.optionWord()
		o.Kind, o.Tables = ast.OptionUnion, p.unionTables()
	case token.TABLESPACE:
		p.optionWord()
		o.Kind, o.Name = ast.OptionTablespace, p.ident()
	case token.STORAGE:
		p.next()
		o.Kind, o.Word = ast.OptionStorage, p.optionValue(storages)
	case token.START:
		p.next()
		p.expect(token.TRANSACTION)
		o.Kind = ast.OptionStartTransaction
	case token.DATA, token.INDEX:
		o.Kind = ast.OptionDataDirectory
		if p.is(token.INDEX) {
			o.Kind = ast.OptionIndexDirectory
		}
		p.next()
		p.expect(token.DIRECTORY)
		p.acceptEqual()
		o.Text = p.stringLiteral()
	default:
		p.charsetOption(o)
	}
}

// charsetOption reads [DEFAULT] CHARACTER SET [=] name and [DEFAULT] COLLATE [=] name.
func (p *parser) charsetOption(o *ast.TableOption) {
	o.IsDefault = p.accept(token.DEFAULT)
	if p.accept(token.COLLATE) {
		p.acceptEqual()
		o.Kind, o.Name = ast.OptionCollate, p.collationName()
		return
	}
	if !p.acceptCharset() {
		p.fail()
	}
	p.acceptEqual()
	o.Kind, o.Name = ast.OptionCharset, p.charsetName()
}

var (
	rowFormats = map[token.Kind]ast.OptionWord{token.DEFAULT: ast.RowDefault, token.FIXED: ast.RowFixed,
		token.DYNAMIC: ast.RowDynamic, token.COMPRESSED: ast.RowCompressed, token.REDUNDANT: ast.RowRedundant,
		token.COMPACT: ast.RowCompact}
	insertMethods = map[token.Kind]ast.OptionWord{token.NO: ast.InsertNo, token.FIRST: ast.InsertFirst,
		token.LAST: ast.InsertLast}
	storages = map[token.Kind]ast.OptionWord{token.DISK: ast.StorageDisk, token.MEMORY: ast.StorageMemory}
)

func (p *parser) optionValue(words map[token.Kind]ast.OptionWord) ast.OptionWord {
	w, ok := words[p.tok.Kind]
	if !ok {
		p.fail()
	}
	p.next()
	return w
}

func (p *parser) unionTables() []ast.TableName {
	p.expect('(')
	if p.accept(')') {
		return nil
	}
	tables := list(p, p.tableName)
	p.expect(')')
	return tables
}

// samplePages reads the value of STATS_SAMPLE_PAGES, whose fraction is cut.
func (p *parser) samplePages() string {
	at := p.tok.Pos()
	text := p.smallNumber()
	n, err := strconv.ParseUint(text, 0, 64)
	if i := strings.IndexByte(text, '.'); err != nil && i > 0 {
		n, err = strconv.ParseUint(text[:i], 10, 64)
	}
	if err != nil || n < 1 || n > 65535 {
		p.failNear(at, "The valid range for stats_sample_pages is [1, 65535]. Error")
	}
	return text
}
