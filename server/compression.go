package server

import (
	"slices"
	"strings"

	"emberdb/internal/compressed"
	"emberdb/server/wire"
	"emberdb/sqllayer/sqlerr"
)

// Compression of a client's connection: agreed on in the login, in force behind the login's OK, and
// until the connection ends. It lies above TLS. protocol_compression_algorithms says what is
// offered.

// compression is what a client and the server have agreed on.
type compression struct {
	on        bool // packets are framed
	algorithm compressed.Algorithm
	level     int
}

// algorithms are the names in protocol_compression_algorithms.
var algorithms = []string{compressed.None: "uncompressed", compressed.Zlib: "zlib", compressed.Zstd: "zstd"}

// name is the algorithm in Compression_algorithm.
func (c compression) name() string {
	if c.algorithm == compressed.None {
		return ""
	}
	return algorithms[c.algorithm]
}

// setCompression sets protocol_compression_algorithms.
func (s *Server) setCompression(list string) error {
	allowed := uint32(0)
	for name := range strings.SplitSeq(strings.ToLower(list), ",") {
		i := slices.Index(algorithms, name)
		if i < 0 {
			return sqlerr.NewError(1231, "Variable 'protocol_compression_algorithms' can't be set to the value of '%s'", list)
		}
		allowed |= 1 << i
	}
	s.globals.compression.Store(allowed)
	return nil
}

// allows tells whether protocol_compression_algorithms names the algorithm.
func (s *Server) allows(a compressed.Algorithm) bool {
	return s.globals.compression.Load()&(1<<a) != 0
}

// compressionCapabilities are the algorithms that a greeting offers.
func (s *Server) compressionCapabilities() (caps uint32) {
	if s.allows(compressed.Zlib) {
		caps |= wire.CapCompress
	}
	if s.allows(compressed.Zstd) {
		caps |= wire.CapZstd
	}
	return caps
}

// chooseCompression is what a client gets that asks for caps. A client that asks for what is not
// offered is not compressed, if that is allowed; its packets are framed all the same.
func (s *Server) chooseCompression(caps uint32, zstdLevel byte) (compression, error) {
	switch {
	case caps&wire.CapCompress != 0 && s.allows(compressed.Zlib):
		return compression{on: true, algorithm: compressed.Zlib, level: compressed.DefaultLevel}, nil
	case caps&wire.CapZstd != 0 && s.allows(compressed.Zstd):
		if zstdLevel < 1 || zstdLevel > compressed.MaxLevel {
			return compression{}, sqlerr.NewError(3923, "Invalid zstd compression level for algorithm 'zstd'.")
		}
		return compression{on: true, algorithm: compressed.Zstd, level: int(zstdLevel)}, nil
	case !s.allows(compressed.None):
		return compression{}, sqlerr.NewError(3922, "Invalid compression algorithm 'uncompressed'.")
	}
	return compression{on: caps&(wire.CapCompress|wire.CapZstd) != 0}, nil
}

// compressedConn frames what goes over a connection.
type compressedConn struct {
	in  *compressed.Reader // reads from rd
	out *compressed.Writer
	rd  *wire.Reader // what arrives
}

// startCompression frames all that follows.
func (w *wireConn) startCompression() {
	if !w.compression.on {
		return
	}
	in := compressed.NewReader(w.rd, w.compression.algorithm)
	w.framed = &compressedConn{in: in, out: compressed.NewWriter(w.raw, in, w.compression.level), rd: w.rd}
	w.rd = wire.NewReader(in)
}

// write sends bytes to the client. It returns how many were sent, which compression changes.
func (w *wireConn) write(p []byte) (sent int, err error) {
	if w.framed == nil {
		return w.raw.Write(p)
	}
	_, err = w.framed.out.Write(p)
	return w.framed.out.TakeSent(), err
}

// movedCompression is the compression of a connection on its way.
type movedCompression struct {
	Algorithm compressed.Algorithm
	Level     int
	Pending   compressed.Pending
}

// exportCompression tells how the connection is compressed, nil if it is not.
func (w *wireConn) exportCompression() *movedCompression {
	if w.framed == nil {
		return nil
	}
	m := &movedCompression{Algorithm: w.compression.algorithm, Level: w.compression.level, Pending: w.framed.in.Pending()}
	m.Pending.Frame = append(m.Pending.Frame, w.framed.rd.Buffered()...)
	return m
}

// resumeCompression goes on as in the other process.
func (w *wireConn) resumeCompression(m *movedCompression) error {
	if m == nil {
		return nil
	}
	if err := w.rd.Preload(m.Pending.Frame); err != nil {
		return err
	}
	w.compression = compression{on: true, algorithm: m.Algorithm, level: m.Level}
	w.startCompression()
	w.framed.in.Resume(m.Pending)
	return nil
}
