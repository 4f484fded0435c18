// Package expr holds the expressions and functions that Ember evaluates itself because
// go-mysql-server's own differ from MySQL in type or value.
//
//	operators.go   Replace: + - * / % DIV of a parsed statement become calls of the functions below, before go-mysql-server plans it
//	base.go        what expressions over others share
//	arith.go       Arithmetic: MySQL's result types, exact decimals, error 1690 on overflow
//	number.go      values as numbers of one of three kinds
//	aggregate.go   SUM and AVG: DECIMAL of exact numbers, DOUBLE of the others
//	mend.go        Mend: comparisons of a planned statement that go-mysql-server makes otherwise than MySQL
//	compare.go     = <=> < <= > >= IN;  collate.go  texts by collation;  insubquery.go  rows IN (subquery);  extreme.go, moment.go  LEAST, GREATEST
//	notin.go       x NOT IN (subquery);  temporal.go  typed literals, dates and intervals;  whole.go  FLOOR, CEILING, EXP, POW;  deviation.go  STDDEV
//	sleep.go       SLEEP;  userlocks.go  GET_LOCK and its kin
//	member.go      ENUM against texts;  quantified.go  > ALL, ANY, SOME (subquery), INTERVAL(n, ...);  document.go  JSON numbers as they are written
//	rollup.go      WITH ROLLUP, GROUPING();  inarray.go  MEMBER OF;  role.go  CURRENT_ROLE();  window.go  CUME_DIST, NTH_VALUE;  diagnostic.go  GET DIAGNOSTICS;  format.go  FORMAT_BYTES
//	collating.go   the collation of texts that functions make, LPAD, RPAD, INSERT;  concatenation.go  GROUP_CONCAT;  windowed.go  window functions over groups;  frame.go  RANGE frames;  lateral.go
//	jsonpath.go    JSON paths;  jsonextract.go, jsoncontains.go, jsonsearch.go, jsonmodify.go, jsonvalue.go  functions of documents by paths;  jsonread.go  texts read as documents, and what is no document;  jsonsize.go;  strtodate.go, formatted.go  STR_TO_DATE;  regexp.go  REGEXP
//	datetime.go    date and time functions that go-mysql-server lacks;  dated.go, clocked.go  texts and numbers as dates and times;  counted.go  texts as whole numbers;  kept.go  columns that are selected and not inserted
//	text.go        arguments that are no texts as MySQL writes them;  float.go  texts of FLOAT and DOUBLE;  bits.go  b'101' and x'41' as bytes or numbers;  bitwise.go, bittotal.go  | & ^ ~ << >>, BIT_COUNT, BIT_AND and its kin;  soundex.go;  inet.go  INET_ATON;  queryattribute.go  MYSQL_QUERY_ATTRIBUTE_STRING
//	interrupts.go, aside.go  calls that end with their statement
//
//	bounded.go     Bounded: results over max_allowed_packet are NULL with warning 1301;  jsonbound.go  documents that are too large or nest too deep;  jsonaggregate.go
//	geometry.go    ST_...FromText, ST_...FromWKB, and bytes that become geometries;  compressed.go  UNCOMPRESS, RANDOM_BYTES;  elt.go
//	xml.go, xmlvalue.go  EXTRACTVALUE, UPDATEXML, and the values of XPath expressions
//
// Lookup is asked before go-mysql-server's registry. The names of operators are no identifiers, so
// no client can call them by name; the expressions print themselves as operators, so stored texts
// (views, checks, generated columns) never show the names.
package expr
