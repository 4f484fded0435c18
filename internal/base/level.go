package base

import "log/slog"

// LevelSystem is the level of records that are in the log whatever its verbosity: what the server
// has come to. They are no faults.
const LevelSystem = slog.LevelError + 4
