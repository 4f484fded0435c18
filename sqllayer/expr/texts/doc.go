// Package texts holds the functions of texts and bytes: LPAD, INSERT, REGEXP, CONVERT ... USING,
// AES_ENCRYPT, UNCOMPRESS, INET_ATON, SOUNDEX, LOAD_FILE, digests and sets of GTIDs.
package texts
