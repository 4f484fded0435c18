// Package xmlvalue holds EXTRACTVALUE and UPDATEXML, and the values of XPath expressions.
package xmlvalue
