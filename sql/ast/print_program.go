package ast

import (
	"strings"

	"emberdb/sql/token"
)

var routineWords = [...]string{Procedure: "PROCEDURE ", Function: "FUNCTION "}

func (n *CreateRoutine) print(p *printer) {
	p.put("CREATE ")
	p.when(n.Definer != nil, "DEFINER=", n.Definer, " ")
	p.put(routineWords[n.Kind])
	p.when(n.IfNotExists, "IF NOT EXISTS ")
	p.put(&n.Name, "(")
	printValues(p, n.Params)
	p.put(")")
	if n.Kind == Function {
		p.put(" RETURNS ", n.Returns)
		p.when(n.ReturnsCollate.Given(), " COLLATE ", n.ReturnsCollate)
	}
	p.characteristics(n.Characteristics)
	if n.Source != nil {
		p.put(" AS ", n.Source)
		return
	}
	p.put(" ", n.Body)
}

func (n *RoutineParam) print(p *printer) {
	p.put([...]string{DefaultMode: "", ParamIn: "IN ", ParamOut: "OUT ", ParamInOut: "INOUT "}[n.Mode], n.Name, " ", n.Type)
	p.when(n.Collate.Given(), " COLLATE ", n.Collate)
}

func (p *printer) characteristics(list []Characteristic) {
	for i := range list {
		p.put(" ", &list[i])
	}
}

func (n *Characteristic) print(p *printer) {
	switch n.Kind {
	case RoutineComment:
		p.put("COMMENT ", n.Text)
	case RoutineLanguage:
		p.put("LANGUAGE ")
		if token.PlainWord(n.Name.Name, false) || strings.EqualFold(n.Name.Name, "SQL") {
			p.raw(n.Name.Name)
		} else {
			p.put(n.Name)
		}
	case RoutineSecurity:
		p.put([...]string{SecurityDefiner: "SQL SECURITY DEFINER", SecurityInvoker: "SQL SECURITY INVOKER"}[n.Security])
	case UsingLibraries:
		p.put("USING (")
		printValues(p, n.Libraries)
		p.put(")")
	default:
		p.put([...]string{NoSQL: "NO SQL", ContainsSQL: "CONTAINS SQL", ReadsSQLData: "READS SQL DATA",
			ModifiesSQLData: "MODIFIES SQL DATA", Deterministic: "DETERMINISTIC",
			NotDeterministic: "NOT DETERMINISTIC"}[n.Kind])
	}
}

func (n *LibraryUse) print(p *printer) {
	p.put(&n.Name)
	p.when(n.Alias.Given(), " AS ", n.Alias)
}

func (n *AlterRoutine) print(p *printer) {
	p.put("ALTER ", routineWords[n.Kind], &n.Name)
	p.characteristics(n.Characteristics)
}

func (n *DropProgram) print(p *printer) {
	p.put("DROP ", [...]string{DropProcedure: "PROCEDURE ", DropFunction: "FUNCTION ", DropTrigger: "TRIGGER ",
		DropEvent: "EVENT ", DropLibrary: "LIBRARY "}[n.Kind])
	p.when(n.IfExists, "IF EXISTS ")
	p.put(&n.Name)
}

func (n *Library) print(p *printer) {
	p.put([...]string{"CREATE ", "ALTER "}[index(n.Alter)], "LIBRARY ")
	p.when(n.IfNotExists, "IF NOT EXISTS ")
	p.put(&n.Name)
	p.characteristics(n.Characteristics)
	p.when(n.Source != nil, " AS ", n.Source)
}

func (n *CreateTrigger) print(p *printer) {
	p.put("CREATE ")
	p.when(n.Definer != nil, "DEFINER=", n.Definer, " ")
	p.put("TRIGGER ")
	p.when(n.IfNotExists, "IF NOT EXISTS ")
	p.put(&n.Name, [...]string{" BEFORE ", " AFTER "}[index(n.After)],
		[...]string{OnInsert: "INSERT", OnUpdate: "UPDATE", OnDelete: "DELETE"}[n.Event], " ON ", &n.Table, " FOR EACH ROW ")
	if n.Order != NoOrder {
		p.put([...]string{Follows: "FOLLOWS ", Precedes: "PRECEDES "}[n.Order], n.Other, " ")
	}
	p.put(n.Body)
}

func (n *CreateEvent) print(p *printer) {
	p.put([...]string{"CREATE ", "ALTER "}[index(n.Alter)])
	p.when(n.Definer != nil, "DEFINER=", n.Definer, " ")
	p.put("EVENT ")
	p.when(n.IfNotExists, "IF NOT EXISTS ")
	p.put(&n.Name)
	p.when(n.Schedule != nil, " ON SCHEDULE ", n.Schedule)
	p.put([...]string{NoCompletion: "", Preserve: " ON COMPLETION PRESERVE",
		NotPreserve: " ON COMPLETION NOT PRESERVE"}[n.Completion])
	p.when(n.RenameTo != nil, " RENAME TO ", n.RenameTo)
	p.put([...]string{NoEventState: "", EventEnabled: " ENABLE", EventDisabled: " DISABLE",
		EventDisabledOnReplica: " DISABLE ON REPLICA"}[n.State])
	p.when(n.Comment != nil, " COMMENT ", n.Comment)
	p.when(n.Body != nil, " DO ", n.Body)
}

func (n *Schedule) print(p *printer) {
	if n.At != nil {
		p.put("AT ", n.At)
		return
	}
	p.put("EVERY ", n.Every.X, " ", n.Every.Unit.String())
	p.when(n.Starts != nil, " STARTS ", n.Starts)
	p.when(n.Ends != nil, " ENDS ", n.Ends)
}
