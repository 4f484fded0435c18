package server

// installSchemas adds performance_schema, sys and this server's information_schema tables.
func (s *Server) installSchemas() {}
