package server

import (
	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/server/virtual"
	"emberdb/sqllayer"
)

// installSchemas puts the schemas in place.
func (s *Server) installSchemas() {
	c := s.sql.Analyzer.Catalog
	info := virtual.NewInfoSchema(c.InfoSchema)
	s.addInformationSchema(info)
	c.InfoSchema = info
	if p, ok := c.DbProvider.(sql.CollatedDatabaseProvider); ok {
		c.DbProvider = &virtual.Provider{CollatedDatabaseProvider: p, System: s.systemDB(), Added: map[string]*virtual.Database{
			"performance_schema": s.performanceSchema(), "sys": s.sysSchema()}}
	}
}

// layer is the SQL layer over the engine; nil where tests have something else under the server.
func (s *Server) layer() *sqllayer.Layer {
	p, _ := s.sql.Analyzer.Catalog.DbProvider.(*virtual.Provider)
	if p == nil {
		return nil
	}
	below, _ := p.CollatedDatabaseProvider.(*sqllayer.Provider)
	if below == nil {
		return nil
	}
	return below.Layer()
}
