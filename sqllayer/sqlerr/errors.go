package sqlerr

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer/analyzererrors"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
	"github.com/dolthub/go-mysql-server/sql/planbuilder"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	goerrors "gopkg.in/src-d/go-errors.v1"

	"emberdb/engine/dict"
	"emberdb/engine/table"
	"emberdb/internal/base"
	"emberdb/sql/partition"
)

// Errors on their way to the client: every error the engine or go-mysql-server raises leaves with
// MySQL's code, SQLSTATE and text.
//
// go-mysql-server describes an error by a kind (a format string). A rule names the kind and
// rewrites the message: the arguments are cut out of the formatted message with the kind's own
// format and put into MySQL's text. Invariants:
//
//  1. A *mysql.SQLError passes untouched.
//  2. Engine sentinels (internal/base) win over everything that wraps them.
//  3. What no rule knows leaves as 1105 HY000 with its own text, so nothing is lost.

// sqlStates gives the SQLSTATE of every code that has one other than HY000.
var sqlStates = map[int]string{
	1021: "HY000", 1022: "23000", 1037: "HY001", 1038: "HY001", 1040: "08004", 1042: "08S01", 1043: "08S01", 1044: "42000", 1045: "28000", 1698: "28000",
	1046: "3D000", 1047: "08S01", 1048: "23000", 1049: "42000", 1050: "42S01", 1051: "42S02", 1052: "23000", 1053: "08S01", 1054: "42S22",
	1055: "42000", 1056: "42000", 1057: "42000", 1058: "21S01", 1059: "42000", 1060: "42S21", 1061: "42000", 1062: "23000", 1063: "42000",
	1064: "42000", 1065: "42000", 1066: "42000", 1067: "42000", 1068: "42000", 1069: "42000", 1070: "42000", 1071: "42000", 1072: "42000",
	1073: "42000", 1074: "42000", 1075: "42000", 1080: "08S01", 1081: "08S01", 1082: "42S12", 1083: "42000", 1084: "42000", 1090: "42000",
	1091: "42000", 1101: "42000", 1102: "42000", 1103: "42000", 1104: "42000", 1106: "42000", 1107: "42000", 1109: "42S02", 1110: "42000",
	1112: "42000", 1113: "42000", 1115: "42000", 1118: "42000", 1120: "42000", 1121: "42000", 1131: "42000", 1132: "42000", 1133: "42000",
	1136: "21S01", 1138: "22004", 1139: "42000", 1140: "42000", 1141: "42000", 1142: "42000", 1143: "42000", 1144: "42000", 1145: "42000",
	1146: "42S02", 1147: "42000", 1148: "42000", 1149: "42000", 1152: "08S01", 1153: "08S01", 1154: "08S01", 1155: "08S01", 1156: "08S01",
	1157: "08S01", 1158: "08S01", 1159: "08S01", 1160: "08S01", 1161: "08S01", 1162: "42000", 1163: "42000", 1164: "42000", 1166: "42000",
	1167: "42000", 1169: "23000", 1170: "42000", 1171: "42000", 1172: "42000", 1173: "42000", 1176: "42000", 1177: "42000", 1178: "42000",
	1179: "25000", 1184: "08S01", 1189: "08S01", 1190: "08S01", 1203: "42000", 1205: "HY000", 1207: "25000", 1211: "42000", 1213: "40001",
	1216: "23000", 1217: "23000", 1218: "08S01", 1222: "21000", 1226: "42000", 1227: "42000", 1230: "42000", 1231: "42000", 1232: "42000",
	1234: "42000", 1235: "42000", 1239: "42000", 1241: "21000", 1242: "21000", 1247: "42S22", 1248: "42000", 1249: "01000", 1250: "42000",
	1251: "08004", 1252: "42000", 1253: "42000", 1261: "01000", 1262: "01000", 1263: "22004", 1264: "22003", 1265: "01000", 1280: "42000",
	1281: "42000", 1286: "42000", 1292: "22007", 1303: "2F003", 1304: "42000", 1305: "42000", 1308: "42000", 1309: "42000", 1310: "42000",
	1311: "01000", 1312: "0A000", 1313: "42000", 1314: "0A000", 1315: "42000", 1316: "42000", 1317: "70100", 1318: "42000", 1319: "42000",
	1320: "42000", 1321: "2F005", 1322: "42000", 1323: "42000", 1324: "42000", 1325: "24000", 1326: "24000", 1327: "42000", 1329: "02000",
	1330: "42000", 1331: "42000", 1332: "42000", 1333: "42000", 1335: "0A000", 1336: "0A000", 1337: "42000", 1338: "42000", 1339: "20000",
	1347: "HY000", 1365: "22012", 1367: "22007", 1370: "42000", 1390: "42000", 1397: "XAE04", 1398: "XAE05", 1399: "XAE07", 1400: "XAE09",
	1401: "XAE03", 1402: "XA100", 1403: "42000", 1406: "22001", 1407: "42000", 1410: "42000", 1413: "42000", 1414: "42000", 1415: "0A000",
	1416: "22003", 1425: "42000", 1426: "42000", 1427: "42000", 1437: "42000", 1439: "42000", 1440: "XAE08", 1441: "22008", 1451: "23000",
	1452: "23000", 1453: "42000", 1458: "42000", 1460: "42000", 1461: "42000", 1463: "42000", 1582: "42000", 1583: "42000", 1584: "42000",
	1568: "25001", 1586: "23000", 1630: "42000", 1641: "42000", 1687: "42000", 1690: "22003", 1701: "42000", 1761: "23000", 1762: "23000", 1792: "25006",
	1845: "0A000", 1846: "0A000", 1859: "23000", 1873: "28000", 3020: "2201E", 3037: "22023", 3140: "22032", 3141: "22032", 3143: "42000", 3144: "22032", 6006: "0A000", 6007: "0A000", 6009: "0A000", 3145: "22032", 3146: "22032",
	3057: "42000", 3061: "42000", 3147: "22032", 3155: "22003", 3156: "22018", 3157: "22032", 3517: "SR002", 3518: "SR003", 3548: "SR001", 3555: "01000", 3673: "23000", 3714: "SR000", 3753: "42000", 3903: "22018", 4163: "42000",
	3708: "SR006", 3709: "SR006", 3710: "SR006", 3711: "SR006", 3712: "SR004", 3716: "SR005", 3717: "SR006", 3718: "SR006",
	3736: "SR002", 3737: "SR002", 3738: "SR002", 3739: "SR002", 3740: "SR002", 4105: "SR002", 4106: "SR002", 4107: "SR002",
	4124: "SR002", 4125: "SR002", 4126: "SR002", 4127: "SR002",
	1642: "01000", 1643: "02000", 1645: "0K000", 3004: "0Z002",
	1613: "XA106", 1614: "XA102",
}

// NewError makes the error a client sees: code, its SQLSTATE, text.
func NewError(code int, format string, args ...any) *mysql.SQLError {
	state := sqlStates[code]
	if state == "" {
		state = mysql.SSUnknownSQLState
	}
	return mysql.NewSQLError(code, state, format, args...)
}

// rule turns one kind of go-mysql-server into a MySQL error. text may use $1, $2 ... for the kind's
// arguments, $m for the whole message and $db for the session's database; "" keeps the message.
type rule struct {
	Kind *goerrors.Kind
	Code int
	text string
}

var ErrorRules = []rule{
	{sql.ErrSavepointDoesNotExist, erSavepointMissing, ""},
	{sql.ErrTableNotFound, mysql.ERNoSuchTable, "Table '$db.$1' doesn't exist"},
	{sql.ErrUnknownTable, mysql.ERBadTable, "Unknown table '$db.$1'"},
	{sql.ErrTableAlreadyExists, mysql.ERTableExists, "Table '$1' already exists"},
	{sql.ErrDatabaseNotFound, mysql.ERBadDb, "Unknown database '$1'"},
	{sql.ErrDatabaseExists, mysql.ERDbCreateExists, "Can't create database '$1'; database exists"},
	{sql.ErrNoDatabaseSelected, mysql.ERNoDb, "No database selected"},
	{sql.ErrColumnNotFound, mysql.ERBadFieldError, "Unknown column '$1' in 'field list'"},
	{sql.ErrTableColumnNotFound, mysql.ERBadFieldError, "Unknown column '$1.$2' in 'field list'"},
	{sql.ErrUnknownColumn, mysql.ERBadFieldError, "Unknown column '$1' in 'field list'"},
	{sql.ErrMisusedAlias, 1247, "Reference '$1' not supported (forward reference in item list)"},
	{sql.ErrAmbiguousColumnName, mysql.ERNonUniq, "Column '$1' in field list is ambiguous"},
	{sql.ErrAmbiguousColumnOrAliasName, mysql.ERNonUniq, "Column '$1' in field list is ambiguous"},
	{sql.ErrAmbiguousColumnInOrderBy, mysql.ERNonUniq, "Column '$1' in order clause is ambiguous"},
	{sql.ErrDuplicateColumn, mysql.ERDupFieldName, "Duplicate column name '$1'"},
	{sql.ErrDuplicateEntrySet, 1291, "Column has duplicated value '$1'"},
	{sql.ErrColumnExists, mysql.ERDupFieldName, "Duplicate column name '$1'"},
	{sql.ErrColumnSpecifiedTwice, mysql.ERFieldSpecifiedTwice, "Column '$1' specified twice"},
	{sql.ErrDuplicateAliasOrTable, mysql.ERNonUniqTable, "Not unique table/alias: '$1'"},
	{sql.ErrDuplicateKey, mysql.ERDupKeyName, "Duplicate key name '$1'"},
	{sql.ErrIndexIDAlreadyRegistered, mysql.ERDupKeyName, "Duplicate key name '$1'"},
	{sql.ErrIndexNotFound, mysql.ERCantDropFieldOrKey, "Can't DROP '$1'; check that column/key exists"},
	{sql.ErrCantDropFieldOrKey, mysql.ERCantDropFieldOrKey, "Can't DROP '$1'; check that column/key exists"},
	{sql.ErrCantDropIndex, ErFKDropIndex, "Cannot drop index '$1': needed in a foreign key constraint"},
	{sql.ErrKeyColumnDoesNotExist, mysql.ERKeyColumnDoesNotExist, "Key column '$1' doesn't exist in table"},
	{sql.ErrMultiplePrimaryKeysDefined, mysql.ERMultiplePriKey, "Multiple primary key defined"},
	{sql.ErrInvalidAutoIncCols, mysql.ERWrongAutoKey, "Incorrect table definition; there can be only one auto column and it must be defined as a key"},
	{sql.ErrWrongAutoKey, mysql.ERWrongAutoKey, "Incorrect table definition; there can be only one auto column and it must be defined as a key"},
	{sql.ErrInvalidColumnSpecifier, mysql.ERWrongFieldSpec, "Incorrect column specifier for column '$1'"},
	{sql.ErrInvalidColumnDefaultValue, mysql.ERInvalidDefault, "Invalid default value for '$1'"},
	{sql.ErrIncompatibleDefaultType, mysql.ERInvalidDefault, "Invalid default value"},
	{sql.ErrInvalidOnUpdate, mysql.ERInvalidOnUpdate, "Invalid ON UPDATE clause for '$1' column"},
	{sql.ErrInsertIntoNonNullableDefaultNullColumn, mysql.ERNoDefaultForField, "Field '$1' doesn't have a default value"},
	{sql.ErrInsertIntoNonNullableProvidedNull, mysql.ERBadNullError, "Column '$1' cannot be null"},
	{sql.ErrColumnDefaultReturnedNull, mysql.ERBadNullError, ""},
	{sql.ErrInsertIntoMismatchValueCount, ErColumnCountMismatch, "Column count doesn't match value count at row 1"},
	{sql.ErrColValCountMismatch, ErColumnCountMismatch, "Column count doesn't match value count at row $1"},
	{sql.ErrExpectedSingleRow, mysql.ERSubqueryNo1Row, "Subquery returns more than 1 row"},
	{sql.ErrMoreThanOneRow, erResultTooLong, "Result consisted of more than one row"},
	{sql.ErrInvalidOperandColumns, mysql.EROperandColumns, "Operand should contain $1 column(s)"},
	{sql.ErrColumnNumberDoesNotMatch, mysql.ERWrongNumberOfColumnsInSelect, ""},
	{planbuilder.ErrSelectsDifferentLength, mysql.ERWrongNumberOfColumnsInSelect, "The used SELECT statements have a different number of columns"},
	{sql.ErrNonAggregatedColumnWithoutGroupBy, mysql.ERMixOfGroupFuncAndFields, "In aggregated query without GROUP BY, expression #$1 of SELECT list contains nonaggregated column '$db.$2'; this is incompatible with sql_mode=only_full_group_by"},
	{analyzererrors.ErrValidationGroupBy, mysql.ERWrongFieldWithGroup, ""},
	{sql.ErrForeignKeyChildViolation, mysql.ErNoReferencedRow2, "Cannot add or update a child row: a foreign key constraint fails"},
	{sql.ErrForeignKeyParentViolation, mysql.ERRowIsReferenced2, "Cannot delete or update a parent row: a foreign key constraint fails"},
	{sql.ErrForeignKeyNotResolved, mysql.ErNoReferencedRow2, "Cannot add or update a child row: a foreign key constraint fails (`$1`.`$2`, CONSTRAINT `$3` FOREIGN KEY (`$4`) REFERENCES `$5` (`$6`))"},
	{sql.ErrTemporaryTablesForeignKeySupport, mysql.ERCannotAddForeign, "Cannot add foreign key constraint"},
	{sql.ErrStoredGeneratedColumnForeignKeyConflict, mysql.ERCannotAddForeign, "Cannot add foreign key constraint"},
	{sql.ErrForeignKeyDuplicateName, erFKDupName, "Duplicate foreign key constraint name '$1'"},
	{sql.ErrForeignKeyMissingReferenceIndex, erFKMissingIndexParent, "Failed to add the foreign key constraint. Missing index for constraint '$1' in the referenced table '$2'"},
	{sql.ErrForeignKeyColumnTypeMismatch, ErFKIncompatible, "Referencing column '$1' and referenced column '$2' in foreign key constraint are incompatible."},
	{sql.ErrForeignKeyDropIndex, ErFKDropIndex, "Cannot drop index '$1': needed in a foreign key constraint"},
	{sql.ErrForeignKeyDropColumn, erFKColumnDrop, "Cannot drop column '$1': needed in a foreign key constraint '$2'"},
	{sql.ErrForeignKeyNotFound, mysql.ERCantDropFieldOrKey, "Can't DROP '$1'; check that column/key exists"},
	{sql.ErrForeignKeyColumnCountMismatch, mysql.ERWrongFKDef, ""},
	{sql.ErrForeignKeySetNullNonNullable, 1830, "Column '$1' cannot be NOT NULL: needed in a foreign key constraint SET NULL"},
	{sql.ErrForeignKeyTypeChange, 3780, ""},
	{sql.ErrForeignKeyDepthLimit, 3008, "Foreign key cascade delete/update exceeds max depth of 15."},
	{sql.ErrTruncateReferencedFromForeignKey, ErFKTruncate, "Cannot truncate a table referenced in a foreign key constraint (`$db`.`$3`, CONSTRAINT `$2`)"},
	{sql.ErrCheckConstraintViolated, erCheckViolated, "Check constraint '$1' is violated."},
	{sql.ErrDuplicateCheckName, 3822, "Duplicate check constraint name '$1'."},
	{sql.ErrUnknownConstraint, ErCheckNotFound, "Constraint '$1' does not exist."},
	{sql.ErrReadOnlyTransaction, erCantExecuteReadOnly, "Cannot execute statement in a READ ONLY transaction."},
	{sql.ErrReadOnly, mysql.EROptionPreventsStatement, "The MySQL server is running with the --read-only option so it cannot execute this statement"},
	{sql.ErrLockDeadlock, mysql.ERLockDeadlock, "Deadlock found when trying to get lock; try restarting transaction"},
	{sql.ErrUnknownSystemVariable, mysql.ERUnknownSystemVariable, "Unknown system variable '$1'"},
	{sql.ErrSystemVariableReadOnly, mysql.ERIncorrectGlobalLocalVar, "Variable '$1' is a read only variable"},
	{sql.ErrSystemVariableGlobalOnly, mysql.ERGlobalVariable, "Variable '$1' is a GLOBAL variable and should be set with SET GLOBAL"},
	{sql.ErrSystemVariableSessionOnly, mysql.ERLocalVariable, "Variable '$1' is a SESSION variable and can't be used with SET GLOBAL"},
	{sql.ErrInvalidSystemVariableValue, mysql.ERWrongValueForVar, "Variable '$1' can't be set to the value of '$2'"},
	{sql.ErrInvalidTimeZone, mysql.ERUnknownTimeZone, "Unknown or incorrect time zone: '$1'"},
	{sql.ErrSyntaxError, mysql.ERParseError, "You have an error in your SQL syntax; check the manual that corresponds to your MySQL server version for the right syntax to use: $1"},
	{sql.ErrUnsupportedFeature, mysql.ERNotSupportedYet, "This version of MySQL doesn't yet support '$1'"},
	{sql.ErrUnsupportedSyntax, mysql.ERNotSupportedYet, "This version of MySQL doesn't yet support '$1'"},
	{sql.ErrFunctionNotFound, 1305, "FUNCTION $db.$1 does not exist"},
	{sql.ErrInvalidArgumentNumber, 1582, "Incorrect parameter count in the call to native function '$1'"},
	{sql.ErrTriggerDoesNotExist, ErTriggerMissing, "Trigger does not exist"},
	{sql.ErrTriggerTableInUse, erTriggerTableInUse, "Can't update table '$1' in stored function/trigger because it is already used by statement which invoked this stored function/trigger."},
	{sql.ErrStoredProcedureAlreadyExists, ErProcedureExists, "PROCEDURE $1 already exists"},
	{sql.ErrUndeclaredVariable, 1327, "Undeclared variable: $1"},
	{sql.ErrStoredProcedureDoesNotExist, mysql.ERSPDoesNotExist, "PROCEDURE $db.$1 does not exist"},
	{sql.ErrCallIncorrectParameterCount, erRoutineArgCount, "Incorrect number of arguments for PROCEDURE $db.$1; expected $2, got $3"},
	{sql.ErrEventAlreadyExists, erEventExists, "Event '$1' already exists"},
	{sql.ErrEventDoesNotExist, erEventMissing, "Unknown event '$1'"},
	{sql.ErrUnknownEvent, erEventMissing, "Unknown event '$1'"},
	{sql.ErrExistingView, mysql.ERTableExists, "Table '$2' already exists"},
	{sql.ErrViewDoesNotExist, mysql.ERBadTable, "Unknown table '$1.$2'"},
	{sql.ErrExpectedTableFoundView, 1347, "'$db.$1' is not BASE TABLE"},
	{sql.ErrInvalidRefInView, ErViewInvalid, "View '$1.$2' references invalid table(s) or column(s) or function(s) or definer/invoker of view lack rights to use them"},
	{sql.ErrColumnCountMismatch, ErViewColumnCount, ""},
	{sql.ErrUnknownPreparedStatement, erUnknownPS, "Unknown prepared statement handler ($1) given to EXECUTE"},
	{sql.ErrUnsupportedPreparedStatement, erUnsupportedPS, ""},
	{sql.ErrGeneratedColumnValue, erGeneratedValue, "The value specified for generated column '$1' in table '$2' is not allowed."},
	{sql.ErrVirtualColumnPrimaryKey, erGeneratedPrimary, "'Defining a virtual generated column as primary key' is not supported for generated columns."},
	{sql.ErrJSONIndex, 3152, "JSON column '$1' supports indexing only via generated columns on a specified JSON path."},
	{sql.ErrDatabaseAccessDeniedForUser, mysql.ERDBAccessDenied, "Access denied for user $1 to database '$2'"},
	{sql.ErrTableAccessDeniedForUser, 1142, "Access denied for user $1 to table '$2'"},
	{sql.ErrPrivilegeCheckFailed, 1142, "command denied to user $1"},
	{sql.ErrUserCreationFailure, 1396, "Operation CREATE USER failed for $1"},
	{sql.ErrUserAlterFailure, 1396, "Operation ALTER USER failed for $1"},
	{sql.ErrUserDeletionFailure, 1396, "Operation DROP USER failed for $1"},
	{sql.ErrRoleCreationFailure, 1396, "Operation CREATE ROLE failed for $1"},
	{sql.ErrRoleDeletionFailure, 1396, "Operation DROP ROLE failed for $1"},
	{sql.ErrGrantUserDoesNotExist, 1410, "You are not allowed to create a user with GRANT"},
	{sql.ErrRevokeUserDoesNotExist, mysql.ERNonExistingGrant, "There is no such grant defined for user '$1' on host '$2'"},
	{sql.ErrShowGrantsUserDoesNotExist, mysql.ERNonExistingGrant, "There is no such grant defined for user '$1' on host '$2'"},
	{sql.ErrSecureFilePriv, mysql.EROptionPreventsStatement, ""},
	{sql.ErrLoadDataCannotOpen, 29, "File '$1' not found (OS errno 2 - No such file or directory)"},
	{sql.ErrFileExists, mysql.ERFileExists, ""},
	{sql.ErrNoTablesUsed, mysql.ERNoTablesUsed, ""},
	{sql.ErrInvalidJson, mysql.ERInvalidJSONText, "Invalid JSON text: $1"},
	{sql.ErrInvalidJSONText, mysql.ERInvalidJSONTextInParams, ""},
	{sql.ErrInvalidJSONArgument, 3146, "Invalid data type for JSON data in argument $1 to function $2; a JSON string or JSON type is required."},
	{sql.ErrCollationUnknown, mysql.ERUnknownCollation, "Unknown collation: '$1'"},
	{sql.ErrUnexpectedSeparator, 1083, ""},
	{sql.ErrCharSetUnknown, mysql.ERUnknownCharacterSet, "Unknown character set: '$1'"},
	{sql.ErrCharSetNotYetImplementedTemp, 1235, "This version of Ember doesn't yet support 'character set $1'"},
	{sql.ErrCollationNotYetImplementedTemp, 1235, "This version of Ember doesn't yet support 'collation $1'"},
	{sql.ErrCollationInvalidForCharSet, mysql.ERCollationCharsetMismatch, "COLLATION '$1' is not valid for CHARACTER SET '$2'"},
	{sql.ErrCollationIllegalMix, mysql.ERCantAggregate2Collations, ""},
	{sql.ErrInvalidValue, mysql.ERTruncatedWrongValueForField, "Incorrect value: '$1' for column of type '$2'"},
	{sql.ErrValueOutOfRange, mysql.ERWarnDataOutOfRange, "Out of range value for column: $1"},
	{sql.ErrTruncatedIncorrect, mysql.ERTruncatedWrongValue, "Truncated incorrect $1 value: '$2'"},
	{types.ErrLengthBeyondLimit, mysql.ERDataTooLong, "Data too long for column '$2' at row 1"},
	{types.ErrDataTruncatedForColumn, mysql.ERWarnDataTruncated, "Data truncated for column '$1' at row 1"},
	{types.ErrDataTruncatedForColumnAtRow, mysql.ERWarnDataTruncated, "Data truncated for column '$1' at row $2"},
	{types.ErrConvertingToTime, mysql.ERTruncatedWrongValue, "Incorrect datetime value: '$1'"},
	{types.ErrConvertingToTimeOutOfRange, mysql.ERTruncatedWrongValue, "Incorrect datetime value: '$1'"},
	{types.ErrConvertingToTimeType, mysql.ERTruncatedWrongValue, "Incorrect time value: '$1'"},
	{types.ErrConvertingToYear, mysql.ERWarnDataOutOfRange, "Out of range value for column: $1"},
	{types.ErrConvertingToDecimal, mysql.ERTruncatedWrongValueForField, "Incorrect decimal value: '$1'"},
	{types.ErrConvertToDecimalLimit, mysql.ERWarnDataOutOfRange, "Out of range value for decimal column"},
	{types.ErrConvertingToEnum, mysql.ERWarnDataTruncated, "Data truncated for column: $1"},
	{types.ErrBadCharsetString, mysql.ERTruncatedWrongValueForField, "Incorrect string value: '$1' for column '$2' at row $3"},
	{sql.ErrCharSetInvalidString, mysql.ERInvalidCharacterString, "Invalid $1 character string: '$2'"},
	{types.ErrLengthTooLarge, mysql.ERTooBigFieldLength, "Column length too big (max = $2); use BLOB or TEXT instead"},
	{analyzererrors.ErrInvalidRowLength, mysql.ERTooBigRowSize, "Row size too large. The maximum row size for the used table type, not counting BLOBs, is 65535. This includes storage overhead, check the manual. You have to change some columns to TEXT or BLOBs"},
	{sql.ErrTooManyKeyParts, mysql.ERTooManyKeyParts, "Too many key parts specified; max $1 parts allowed"},
	{sql.ErrKeyTooLong, mysql.ERTooLongKey, "Specified key was too long; max key length is 3072 bytes"},
	{sql.ErrInvalidBlobTextKey, mysql.ERBlobKeyWithoutLength, "BLOB/TEXT column '$1' used in key specification without a key length"},
	{planbuilder.ErrPrimaryKeyOnNullField, mysql.ERPrimaryCantHaveNull, "All parts of a PRIMARY KEY must be NOT NULL; if you need NULL in a key, use UNIQUE instead"},
	{sql.ErrNoSRID, 3548, "There's no spatial reference system with SRID $1."},
	{sql.ErrNotMatchingSRID, 3643, ""},
	{sql.ErrNotMatchingSRIDWithColName, 3643, ""},
	{sql.ErrSpatialTypeConversion, mysql.ErrCantCreateGeometryObject, "Cannot get geometry object from data you send to the GEOMETRY field"},
	{sql.ErrCteRecursionLimitExceeded, 3636, "Recursive query aborted after 1001 iterations. Try increasing @@cte_max_recursion_depth to a larger value."},
	{sql.ErrPartitionNotFound, 1526, "Table has no partition for value $1"},
	{sql.ErrUnresolvedTableLock, mysql.ErrUnresolvedTableLock, "Unresolved table name `$1` in locking clause."},
	{expression.ErrIntDivDataOutOfRange, mysql.ERDataOutOfRange, ""},
	{expression.ErrInvalidRegexp, 3685, "Illegal argument to a regular expression."},
	{function.ErrDivisionByZero, 1365, "Division by 0"},
}

// sentinels maps the engine's errors; order matters where one wraps another.
var sentinels = []struct {
	err  error
	code int
	text string
}{
	{base.ErrFailed, ErErrorOnWrite, "The storage engine refuses writes after an I/O error; restart the server"},
	{base.ErrDeadlock, mysql.ERLockDeadlock, "Deadlock found when trying to get lock; try restarting transaction"},
	{base.ErrLockTimeout, mysql.ERLockWaitTimeout, "Lock wait timeout exceeded; try restarting transaction"},
	{base.ErrNoWait, erLockNowait, "Statement aborted because lock(s) could not be acquired immediately and NOWAIT is set."},
	{base.ErrInterrupted, mysql.ERQueryInterrupted, "Query execution was interrupted"},
	{base.ErrForced, 1836, "Running in read-only mode"},
	{base.ErrServerReadOnly, mysql.EROptionPreventsStatement, "The MySQL server is running with the --super-read-only option so it cannot execute this statement"},
	{base.ErrReadOnly, erCantExecuteReadOnly, "Cannot execute statement in a READ ONLY transaction."},
	{base.ErrOnlineLogFull, 1799, "Creating index 'PRIMARY' required more than 'innodb_online_alter_log_max_size' bytes of modification log. Please try again."},
	{base.ErrTableGone, erTableDefChanged, "Table definition has changed, please retry transaction"},
	{base.ErrRowTooBig, mysql.ERTooBigRowSize, "Row size too large. The maximum row size for the used table type, not counting BLOBs, is 8126. This includes storage overhead, check the manual. You have to change some columns to TEXT or BLOBs"},
	{base.ErrKeyTooLong, mysql.ERTooLongKey, "Specified key was too long; max key length is 3072 bytes"},
	{base.ErrNoNumbers, 1467, "Failed to read auto-increment value from storage engine"},
	{context.DeadlineExceeded, mysql.ERQueryTimeout, "Query execution was interrupted, maximum statement execution time exceeded"},
	{context.Canceled, mysql.ERQueryInterrupted, "Query execution was interrupted"},
}

// Translate gives the error the client of a session with current database db sees. nil stays nil.
func Translate(err error, db string) *mysql.SQLError {
	told := translate(err, db)
	if told != nil && len(told.Message) > mostMessage {
		short := *told
		short.Message = Clipped(told.Message)
		return &short
	}
	return told
}

func translate(err error, db string) *mysql.SQLError {
	if err == nil {
		return nil
	}
	var known *mysql.SQLError
	if errors.As(err, &known) {
		return known
	}
	if err = sql.UnwrapError(err); errors.As(err, &known) {
		return known
	}
	if sort, ok := err.(interface{ Cause() error }); ok && sql.ErrUnableSort.Is(err) && sort.Cause() != nil {
		return translate(sort.Cause(), db) // of an expression that rows are sorted by
	}
	var corrupt *base.CorruptError
	if errors.As(err, &corrupt) {
		return NewError(erTableCorrupt, "Index or table is corrupted: %s", corrupt.Error())
	}
	if errors.Is(err, table.ErrTemporary) {
		return NewError(erTempFileWrite, "Temporary file write failure.")
	}
	if errors.Is(err, base.ErrDiskFull) && !errors.Is(err, base.ErrFailed) || errors.Is(err, syscall.ENOSPC) {
		return diskFull(err)
	}
	if known := partitionError(err); known != nil {
		return known
	}
	var changed *table.ChangedError
	if errors.As(err, &changed) {
		return NewError(erCheckRead, "%s", changed.Error())
	}
	for _, s := range sentinels {
		if errors.Is(err, s.err) || causedBy(err, s.err) {
			return NewError(s.code, "%s", s.text)
		}
	}
	if text, ok := duplicateText(err); ok {
		return NewError(mysql.ERDupEntry, "%s", text)
	}
	if failed := CheckOption(err.Error()); failed != nil {
		return failed
	}
	if sql.ErrSyntaxError.Is(err) {
		if known := ParserError(err); known != nil {
			return known
		}
	}
	for i := range ErrorRules {
		if ErrorRules[i].Kind.Is(err) {
			return NewError(ErrorRules[i].Code, "%s", ErrorRules[i].Rewrite(err.Error(), db))
		}
	}
	cast := sql.CastSQLError(err)
	if cast.Num == mysql.ERUnknownError {
		if e := wordedError(cast.Message); e != nil {
			return e
		}
		var system syscall.Errno
		if errors.As(err, &system) {
			return NewError(erGetErrno, "Got error %d - '%s' from storage engine", int(system), cast.Message) // it names the file
		}
	}
	return NewError(cast.Num, "%s", cast.Message)
}

// diskFull is the error of a full disk: of a client's table, or of a file.
func diskFull(err error) *mysql.SQLError {
	var full *table.FullError
	if errors.As(err, &full) && full.Table.Schema != dict.SystemSchema {
		return NewError(mysql.ERRecordFileFull, "The table '%s' is full", full.Table.Name)
	}
	what := strings.TrimSuffix(err.Error(), ": "+base.ErrDiskFull.Error())
	return NewError(mysql.ERDiskFull, "Disk full (%s); waiting for someone to free some space... (errno: 28 - No space left on device)", what)
}

// checkedByParser is the text of an error of the layer's parser, of which go-mysql-server makes a
// syntax error.
var checkedByParser = regexp.MustCompile(`(?s)^(.*) \(errno (\d+)\) \(sqlstate \w+\)`)

// ParserError finds in a syntax error what the layer's parser has refused; nil if that is the
// syntax.
func ParserError(err error) *mysql.SQLError {
	m := checkedByParser.FindStringSubmatch(err.Error())
	if m == nil {
		return nil
	}
	code, _ := strconv.Atoi(m[2])
	return NewError(code, "%s", m[1])
}

// causedBy looks through the causes of go-mysql-server's errors, which errors.Is cannot follow.
func causedBy(err, target error) bool {
	for {
		ge, ok := err.(*goerrors.Error)
		if !ok {
			return errors.Is(err, target)
		}
		if err = ge.Cause(); err == nil {
			return false
		}
	}
}

// duplicateText is MySQL's text of a unique key violation: the editors store it as the key string.
func duplicateText(err error) (string, bool) {
	if !sql.ErrPrimaryKeyViolation.Is(err) && !sql.ErrUniqueKeyViolation.Is(err) && !sql.ErrDuplicateEntry.Is(err) {
		return "", false
	}
	var unique sql.UniqueKeyError
	if ge, ok := err.(*goerrors.Error); ok && errors.As(ge.Cause(), &unique) {
		return unique.Error(), true
	}
	return err.Error(), true
}

var argument = regexp.MustCompile(`%[a-zA-Z]`)

// patterns caches, per kind, the expression that cuts the arguments out of a message of that kind.
var patterns sync.Map // *goerrors.Kind -> *regexp.Regexp

func Pattern(kind *goerrors.Kind) *regexp.Regexp {
	if re, ok := patterns.Load(kind); ok {
		return re.(*regexp.Regexp)
	}
	var b strings.Builder
	b.WriteString(`(?s)^`)
	rest := kind.Message
	for {
		at := argument.FindStringIndex(rest)
		if at == nil {
			break
		}
		b.WriteString(regexp.QuoteMeta(rest[:at[0]]))
		if rest[at[0]+1] == 'q' {
			b.WriteString(`"(.*?)"`)
		} else {
			b.WriteString(`(.*?)`)
		}
		rest = rest[at[1]:]
	}
	b.WriteString(regexp.QuoteMeta(rest))
	b.WriteString(`$`)
	re := regexp.MustCompile(b.String())
	patterns.Store(kind, re)
	return re
}

// Rewrite makes MySQL's text of a message of the rule's kind.
func (r *rule) Rewrite(message, db string) string {
	if r.text == "" {
		return message
	}
	args := Pattern(r.Kind).FindStringSubmatch(message)
	if args == nil && strings.Contains(r.text, "$1") {
		return message
	}
	text := strings.ReplaceAll(r.text, "$m", message)
	for i := len(args) - 1; i > 0; i-- {
		name, _, _ := strings.Cut(args[i], ", maybe you mean ") // go-mysql-server's guess is not MySQL's
		if name == "<nil>" {
			name = "NULL"
		}
		if r.Kind == sql.ErrExpectedTableFoundView {
			name = strings.Trim(name, "'") // a rename quotes it already
		}
		text = strings.ReplaceAll(text, fmt.Sprintf("$%d", i), strings.TrimPrefix(name, NameMark))
	}
	if strings.Contains(text, "$db.") && len(args) > 1 && strings.Contains(args[1], ".") {
		text = strings.ReplaceAll(text, "$db.", "") // the name came qualified
	}
	if db == "" {
		text = strings.ReplaceAll(text, "$db.", "")
	}
	return strings.ReplaceAll(text, "$db", db)
}

const ErWrongColumnName = 1166

// NameMark begins the name of a prepared statement. No text of a client has it: see RefuseNUL.
const NameMark = "\x00"

// ViewMark stands between the name of a table and those of the view through which it is changed.
const ViewMark = "\x00view "

// CheckOption is the error of a row that a view's CHECK OPTION refuses; nil for other errors.
func CheckOption(text string) *mysql.SQLError {
	_, view, ok := strings.Cut(text, strings.Trim(strconv.Quote(ViewMark), "\""))
	if !ok || !strings.HasPrefix(text, "Check constraint") {
		return nil
	}
	view, _, _ = strings.Cut(view, "\"")
	return NewError(1369, "CHECK OPTION failed '%s'", view)
}

// partitionError is the client's form of an error about partitions; nil for others.
func partitionError(err error) *mysql.SQLError {
	var known *partition.Error
	if errors.As(err, &known) {
		return NewError(known.Code, "%s", known.Text)
	}
	var none *table.NoPartError
	if errors.As(err, &none) {
		return NewError(1526, "Table has no partition for value %s", none.Value)
	}
	return nil
}

// Bounds of messages: MySQL's own buffer, and what it shows of a value.
const (
	mostMessage = 511
	mostShown   = 128
)

// Clipped is a message of at most mostMessage bytes. What is cut of a longer one is the value that
// it shows, if it shows one.
func Clipped(message string) string {
	if len(message) <= mostMessage {
		return message
	}
	if before, value, ok := strings.Cut(message, ": '"); ok && len(before) < mostMessage-mostShown {
		end := strings.LastIndexByte(value, '\'')
		if end > mostShown && len(value)-end < mostMessage-mostShown-len(before)-len(": '") {
			return before + ": '" + strings.ToValidUTF8(value[:mostShown], "") + value[end:]
		}
	}
	return strings.ToValidUTF8(message[:mostMessage], "")
}
