// Package temporal holds the functions of dates and times: literals, arguments read as dates or
// times, intervals, DATE_FORMAT, STR_TO_DATE, TIMESTAMP and the clocks.
package temporal
