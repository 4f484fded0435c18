package server

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/sql/ast"
	"emberdb/sqllayer"
	"emberdb/sqllayer/infoschema"
	"emberdb/sqllayer/sqlerr"
)

// Statements that MySQL has and this server does not run, or runs in one case only. Who lacks their
// rights is refused as MySQL refuses. What MySQL says of things that do not exist is said here, too:
// neither plugins nor components exist.

// absentStatement refuses statements that MySQL has and this server does not run.
func absentStatement(tree ast.Statement) adminFunc {
	switch n := tree.(type) {
	case *ast.InstallPlugin:
		return absent(n, (*execution).installPlugin)
	case *ast.InstallComponent:
		return absent(n, (*execution).installComponent)
	case *ast.ImportTable:
		return absent(n, (*execution).importTable)
	case *ast.CreateReferenceSystem:
		return absent(n, (*execution).createReferenceSystem)
	case *ast.DropReferenceSystem:
		return absent(n, (*execution).dropReferenceSystem)
	case *ast.CreateServer, *ast.DropServer, *ast.Tablespace,
		*ast.ResourceGroup, *ast.SetResourceGroup, *ast.CreateLoadable, *ast.CreateMaskingPolicy,
		*ast.DropMaskingPolicy:
		return absent(tree, func(x *execution, _ *sql.Context, _ ast.Statement) error { return x.unsupported() })
	case *ast.Explain:
		if n.Connection != nil {
			return on(n, (*execution).explainConnection)
		}
		if n.Into != nil && !n.Schema.Given() {
			return on(n, (*execution).explainInto)
		}
	}
	return nil
}

// absent runs f if the session has the rights that the statement needs in MySQL.
func absent[N ast.Statement](n N, f func(*execution, *sql.Context, N) error) adminFunc {
	return func(x *execution, ctx *sql.Context) error {
		if err := x.h.s.mayUnrun(ctx, n); err != nil {
			return err
		}
		return f(x, ctx, n)
	}
}

// unsupported is the error of a statement that MySQL has and this server does not run.
func (x *execution) unsupported() error {
	return sqlerr.NewError(1235, "This version of Ember doesn't yet support '%s'", x.stmt.Words(3))
}

// unsupported is the same with its words.
func unsupported(what string) adminFunc {
	return refuse(1235, fmt.Sprintf("This version of Ember doesn't yet support '%s'", what))
}

// refuse answers those who could run the statement in MySQL with an error.
func refuse(code int, text string) adminFunc {
	return func(x *execution, ctx *sql.Context) error {
		if err := x.h.s.mayUnrun(ctx, x.stmt.Tree); err != nil {
			return err
		}
		return sqlerr.NewError(code, "%s", text)
	}
}

// installPlugin is INSTALL PLUGIN and UNINSTALL PLUGIN. The clone plugin is part of the server: who
// installs it, as tools do that do not look for it first, has it.
func (x *execution) installPlugin(ctx *sql.Context, n *ast.InstallPlugin) error {
	name := n.Name.Name
	clone, known := strings.EqualFold(name, "clone"), infoschema.KnowsPlugin(name)
	switch {
	case clone && !n.Uninstall:
		return x.ok(ctx, 0)
	case clone:
		return x.unsupported()
	case !n.Uninstall && known:
		return sqlerr.NewError(1125, "Function '%s' already exists", name)
	case !n.Uninstall:
		return x.unsupported()
	case known:
		return sqlerr.NewError(1619, "Built-in plugins cannot be deleted")
	}
	return sqlerr.NewError(1305, "PLUGIN %s does not exist", name)
}

// installComponent is INSTALL COMPONENT and UNINSTALL COMPONENT.
func (x *execution) installComponent(_ *sql.Context, n *ast.InstallComponent) error {
	if n.Uninstall {
		return sqlerr.NewError(3537, "Component specified by URN '%s' to unload has not been loaded before.", n.URNs[0].Text)
	}
	return x.unsupported()
}

// importTable is IMPORT TABLE, which names files of the server.
func (x *execution) importTable(_ *sql.Context, n *ast.ImportTable) error {
	for _, f := range n.Files {
		switch _, err := sqllayer.SecurePath(f.Text, false); {
		case errors.Is(err, sqllayer.ErrSecureFiles):
			return err
		case err != nil:
			return sqlerr.NewError(3608, "No SDI files matched the pattern '%s'", filepath.Base(f.Text))
		}
	}
	return x.unsupported()
}
