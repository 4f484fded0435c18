// Package window holds window functions: RANGE frames, CUME_DIST, NTH_VALUE, bits over frames, and
// window functions over groups.
package window
