package tabledef

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"emberdb/engine/catalog"
	"emberdb/sql/ast"
	"emberdb/sqllayer/sqlerr"
)

// Options of a table that say how InnoDB stores it. Ember stores all tables in one way and only
// remembers what a definition says, in the options of the catalog, and shows it.

// storageOption is one of them. listed is its place in CREATE_OPTIONS.
type storageOption struct {
	kind   ast.TableOptionKind
	name   string // in SHOW CREATE TABLE; in lower case, the key in the catalog
	listed int
}

// storageOptions are in the order of SHOW CREATE TABLE.
var storageOptions = []storageOption{
	{ast.OptionMinRows, "MIN_ROWS", 2}, {ast.OptionMaxRows, "MAX_ROWS", 1}, {ast.OptionAvgRowLength, "AVG_ROW_LENGTH", 3},
	{ast.OptionPackKeys, "PACK_KEYS", 8}, {ast.OptionStatsPersistent, "STATS_PERSISTENT", 7}, {ast.OptionStatsAutoRecalc, "STATS_AUTO_RECALC", 6},
	{ast.OptionStatsSamplePages, "STATS_SAMPLE_PAGES", 5}, {ast.OptionChecksum, "CHECKSUM", 9}, {ast.OptionDelayKeyWrite, "DELAY_KEY_WRITE", 10},
	{ast.OptionRowFormat, "ROW_FORMAT", 4}, {ast.OptionKeyBlockSize, "KEY_BLOCK_SIZE", 11}, {ast.OptionCompression, "COMPRESSION", 12},
}

func (o *storageOption) key() string { return strings.ToLower(o.name) }

func storageOptionOf(kind ast.TableOptionKind) *storageOption {
	if i := slices.IndexFunc(storageOptions, func(o storageOption) bool { return o.kind == kind }); i >= 0 {
		return &storageOptions[i]
	}
	return nil
}

var rowFormats = map[ast.OptionWord]string{ast.RowDynamic: "DYNAMIC", ast.RowCompressed: "COMPRESSED", ast.RowRedundant: "REDUNDANT", ast.RowCompact: "COMPACT",
	ast.RowFixed: "FIXED"}

// value is how an option is shown; "" is its default, which is not.
func (o *storageOption) value(n *ast.TableOption) string {
	switch {
	case n.Text != nil:
		return string(n.Text.Bytes())
	case n.Word != ast.NoOptionWord:
		return rowFormats[n.Word]
	}
	number, err := strconv.ParseUint(n.Number, 0, 64)
	if err != nil && n.Number != "" {
		number = math.MaxUint64
	}
	switch o.kind {
	case ast.OptionMinRows, ast.OptionMaxRows:
		number = min(number, math.MaxUint32)
	case ast.OptionChecksum, ast.OptionDelayKeyWrite:
		number = min(number, 1)
	case ast.OptionPackKeys, ast.OptionStatsPersistent, ast.OptionStatsAutoRecalc: // 0 is not their default
		return n.Number
	}
	if number == 0 {
		return ""
	}
	return strconv.FormatUint(number, 10)
}

// StorageError refuses an option whose value InnoDB does not have. Hint is what MySQL warns of
// before.
type StorageError struct {
	Option string // as ALTER TABLE names it
	Code   int    // of the warning
	Hint   string
}

func (e *StorageError) Error() string { return e.Hint }

// SetStorage remembers what a statement says of the storage of def's table. Unless it is strict, it
// passes over what InnoDB does not have and returns the warnings of that.
func SetStorage(def *catalog.Table, list []ast.TableOption, strict bool) ([]*StorageError, error) {
	for i := range list {
		o := storageOptionOf(list[i].Kind)
		if o == nil {
			continue
		}
		value := o.value(&list[i])
		if value == "" {
			delete(def.Options, o.key())
			continue
		}
		if def.Options == nil {
			def.Options = make(map[string]string)
		}
		def.Options[o.key()] = value
	}
	if !strict {
		return laxStorage(def), nil
	}
	return nil, checkStorage(def)
}

// StorageOf are the options of def's table that are remembered.
func StorageOf(def *catalog.Table) map[string]string {
	out := make(map[string]string)
	for i := range storageOptions {
		if key := storageOptions[i].key(); def.Options[key] != "" {
			out[key] = def.Options[key]
		}
	}
	return out
}

const erIllegalHaCreate = 1478

func checkStorage(def *catalog.Table) error {
	format, size := def.Options["row_format"], def.Options["key_block_size"]
	if wrong := checkCompression(def); wrong != nil {
		return wrong
	}
	if def.Temporary && (format == "COMPRESSED" || size != "") {
		return sqlerr.NewError(3500, "CREATE TEMPORARY TABLE is not allowed with ROW_FORMAT=COMPRESSED or KEY_BLOCK_SIZE.")
	}
	if size != "" && !slices.Contains(blockSizes, size) {
		return &StorageError{"KEY_BLOCK_SIZE", erIllegalHaCreate, fmt.Sprintf("InnoDB: invalid KEY_BLOCK_SIZE = %s. Valid values are [1, 2, 4, 8, 16]", size)}
	}
	switch format {
	case "FIXED":
		return &StorageError{"ROW_TYPE", erIllegalHaCreate, "InnoDB: invalid ROW_FORMAT specifier."}
	case "", "COMPRESSED":
		return nil
	}
	if size != "" {
		return &StorageError{"KEY_BLOCK_SIZE", erIllegalHaCreate, fmt.Sprintf("InnoDB: cannot specify ROW_FORMAT=%s with KEY_BLOCK_SIZE.", format)}
	}
	return nil
}

// checkCompression refuses an algorithm that InnoDB does not have.
func checkCompression(def *catalog.Table) *StorageError {
	algorithm := def.Options["compression"]
	if algorithm == "" || slices.ContainsFunc([]string{"zlib", "lz4", "none"}, func(s string) bool { return strings.EqualFold(s, algorithm) }) {
		return nil
	}
	return &StorageError{"COMPRESSION", 1112, fmt.Sprintf("InnoDB: Unsupported compression algorithm '%s'", algorithm)}
}

var blockSizes = []string{"1", "2", "4", "8", "16"}

// laxStorage is checkStorage without innodb_strict_mode. A temporary table keeps what is ignored.
func laxStorage(def *catalog.Table) (ignored []*StorageError) {
	ignore := func(option, format string, args ...any) {
		ignored = append(ignored, &StorageError{option, erIllegalHaCreate, "InnoDB: " + fmt.Sprintf(format, args...)})
	}
	if wrong := checkCompression(def); wrong != nil {
		ignored = append(ignored, wrong)
	}
	format, size := def.Options["row_format"], def.Options["key_block_size"]
	kept := maps.Clone(def.Options)
	switch {
	case size == "":
	case def.Temporary:
		ignore("KEY_BLOCK_SIZE", "KEY_BLOCK_SIZE is ignored for TEMPORARY TABLE.")
	case !slices.Contains(blockSizes, size):
		ignore("KEY_BLOCK_SIZE", "ignoring KEY_BLOCK_SIZE=%s.", size)
		if delete(kept, "key_block_size"); format == "COMPRESSED" {
			kept["key_block_size"] = "8"
		}
	case format != "" && format != "COMPRESSED":
		ignore("KEY_BLOCK_SIZE", "ignoring KEY_BLOCK_SIZE=%s as ROW_FORMAT is not COMPRESSED.", size)
		delete(kept, "key_block_size")
	}
	compressed := def.Temporary && format == "COMPRESSED"
	if compressed {
		ignore("ROW_FORMAT", "ROW_FORMAT=COMPRESSED is ignored for TEMPORARY TABLE.")
	}
	if compressed || format == "FIXED" {
		ignore("ROW_FORMAT", "assuming ROW_FORMAT=DYNAMIC.")
		kept["row_format"] = "DYNAMIC"
	}
	if !def.Temporary {
		def.Options = kept
	}
	return ignored
}

// storageText is what SHOW CREATE TABLE says of the storage.
func storageText(def *catalog.Table) (text string) {
	for i := range storageOptions {
		o := &storageOptions[i]
		value := def.Options[o.key()]
		if o.kind == ast.OptionCompression && value != "" {
			value = QuoteText(value)
		}
		if value != "" {
			text += " " + o.name + "=" + value
		}
	}
	return text
}

// CreateOptions is the text of the column CREATE_OPTIONS.
func CreateOptions(def *catalog.Table) string {
	var out []string
	inOrder := slices.SortedFunc(slices.Values(storageOptions), func(a, b storageOption) int { return cmp.Compare(a.listed, b.listed) })
	for _, o := range inOrder {
		value, name := def.Options[o.key()], o.key()
		switch o.kind {
		case ast.OptionKeyBlockSize:
			name = o.name
		case ast.OptionCompression:
			name = o.name
			if value != "" {
				value = `"` + value + `"`
			}
		}
		if value != "" {
			out = append(out, name+"="+value)
		}
	}
	if def.Partitioning != nil {
		out = append(out, "partitioned")
	}
	return strings.Join(out, " ")
}

// RowFormat is the text of the column ROW_FORMAT.
func RowFormat(def *catalog.Table) string {
	switch format := def.Options["row_format"]; {
	case format != "":
		return format[:1] + strings.ToLower(format[1:])
	case def.Options["key_block_size"] != "":
		return "Compressed"
	}
	return "Dynamic"
}

// Verbose is a copy of the definition that tells its row format, too.
func (d *TableDef) Verbose() *TableDef {
	shown, def := *d, *d.Def
	if def.Options["row_format"] == "" {
		def.Options = maps.Clone(def.Options)
		if def.Options == nil {
			def.Options = make(map[string]string)
		}
		def.Options["row_format"] = strings.ToUpper(RowFormat(d.Def))
	}
	shown.Def = &def
	return &shown
}
