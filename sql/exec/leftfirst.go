package exec

// readLeft keeps the rows of the left side before the right one is read, and lets the scan that
// reads the right side's keys know those of the left: other rows of the right side are in no pair.
// A join whose left side is the smaller one so keeps few rows of the right side.
func (j *HashJoin) readLeft(c *Ctx) error {
	j.first.most = c.Limits.Join
	defer j.L.Close(c)
	if err := j.L.Open(c); err != nil {
		return err
	}
	keys := newKeyTable(j.LKeys, j.Keyers)
	block := blockBytes(c.Limits.Join)
	for {
		if err := c.Err(); err != nil {
			return err
		}
		b, err := j.L.Next(c)
		if err != nil {
			return err
		}
		if b == nil {
			break
		}
		if err := keys.eval(c, j.LKeys, b); err != nil {
			return err
		}
		for i := range b.N {
			if keys.number && !keys.nulls[i] {
				keys.addInt(i)
			}
			if err := j.first.add(c, b, i, block); err != nil {
				return err
			}
		}
		if keys.size() > c.Limits.Join {
			keys.number = false
		}
	}
	j.first.done = true
	if keys.number {
		j.narrow(c, j.R, j.RKeys[0], keys.ints)
	}
	return nil
}
