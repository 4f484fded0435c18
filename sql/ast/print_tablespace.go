package ast

func (n *Tablespace) print(p *printer) {
	switch n.Verb {
	case TablespaceCreate:
		p.put("CREATE ")
	case TablespaceDrop:
		p.put("DROP ")
	default:
		p.put("ALTER ")
	}
	p.put([...]string{GeneralTablespace: "TABLESPACE ", UndoTablespace: "UNDO TABLESPACE ",
		LogfileGroup: "LOGFILE GROUP "}[n.Kind], n.Name)
	switch n.Verb {
	case TablespaceRename:
		p.put(" RENAME TO ", n.To)
	case TablespaceActivate:
		p.put(" SET ACTIVE")
	case TablespaceDeactivate:
		p.put(" SET INACTIVE")
	}
	if n.File != nil {
		p.put([...]string{" ADD ", " DROP "}[index(n.Verb == TablespaceDropFile)])
		p.put([...]string{"DATAFILE ", "UNDOFILE "}[index(n.Kind == LogfileGroup)], n.File)
	}
	p.when(n.Group.Given(), " USE LOGFILE GROUP ", n.Group)
	for i := range n.Options {
		p.put(" ", &n.Options[i])
	}
}

var spaceOptionWords = [...]string{SpaceInitialSize: "INITIAL_SIZE=", SpaceAutoextendSize: "AUTOEXTEND_SIZE=",
	SpaceMaxSize: "MAX_SIZE=", SpaceExtentSize: "EXTENT_SIZE=", SpaceUndoBufferSize: "UNDO_BUFFER_SIZE=",
	SpaceRedoBufferSize: "REDO_BUFFER_SIZE=", SpaceNodegroup: "NODEGROUP=", SpaceEngine: "ENGINE=", SpaceWait: "WAIT",
	SpaceNoWait: "NO_WAIT", SpaceComment: "COMMENT=", SpaceFileBlockSize: "FILE_BLOCK_SIZE=",
	SpaceEncryption: "ENCRYPTION=", SpaceEngineAttribute: "ENGINE_ATTRIBUTE="}

func (n *TablespaceOption) print(p *printer) {
	p.put(spaceOptionWords[n.Kind])
	p.raw(n.Number)
	p.when(n.Text != nil, n.Text)
	p.when(n.Engine.Given(), n.Engine)
}
