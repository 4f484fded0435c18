package sqlerr

// Codes that vitess does not name.
const (
	ErKeyDoesNotExist      = 1176
	erCantExecuteReadOnly  = 1792
	ErCantChangeTxChars    = 1568
	erCheckRead            = 1020
	erTempFileWrite        = 1878
	erTableDefChanged      = 1412
	erLockNowait           = 3572
	erCheckViolated        = 3819
	ErCheckNotFound        = 3940
	erTableCorrupt         = 1712
	ErErrorOnWrite         = 1026
	erGetErrno             = 1030
	erSavepointMissing     = 1305
	ErTriggerExists        = 1359
	ErTriggerMissing       = 1360
	ErProcedureExists      = 1304
	erEventExists          = 1537
	erEventMissing         = 1539
	ErColumnCountMismatch  = 1136
	erFKDupName            = 1826
	erFKMissingIndexParent = 1822
	ErFKDropIndex          = 1553
	ErFKTruncate           = 1701
	erFKColumnDrop         = 1828
	ErFKIncompatible       = 3780
	erGeneratedValue       = 3105
	erGeneratedPrimary     = 3106
	ErViewInvalid          = 1356
	ErViewColumnCount      = 1353
	erTriggerTableInUse    = 1442
	erUnsupportedPS        = 1295
	erUnknownPS            = 1243
	erResultTooLong        = 1172
	erRoutineArgCount      = 1318
)
