// Package spatial holds the functions of geometries: ST_GeomFromText and its kin, distances on the
// plane and on a sphere, geohashes.
package spatial
