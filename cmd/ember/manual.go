package main

import (
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

func init() { verbs = append(verbs, manualVerb) }

// manualVerb writes the manual pages that packages hold; users read them with man.
func manualVerb() *cobra.Command {
	var dir string
	c := &cobra.Command{
		Use:    "manual --dir=DIR",
		Short:  "Write a manual page for each verb",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			c.Root().DisableAutoGenTag = true
			date := time.Unix(0, 0) // the same pages for the same program
			return doc.GenManTree(c.Root(), &doc.GenManHeader{Section: "1", Source: "Ember", Manual: "Ember", Date: &date}, dir)
		},
	}
	c.Flags().StringVar(&dir, "dir", ".", "directory to write to")
	return c
}
