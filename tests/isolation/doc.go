// Package isolation checks what concurrent transactions see of each other and where they wait,
// against outcomes recorded from MySQL 9.7.
//
// A script (testdata/*.txt) describes sessions and their steps; its head tells the rule it guards:
//
//	# A reader at READ COMMITTED never sees what is not committed.
//	setup
//	  create table t (id int primary key, v int)
//	session a
//	  init: set session transaction isolation level read committed
//	  a1: begin
//	  a2: update t set v = 1; update t set v = 2
//	session b
//	  b1: select v from t
//	permutation a1 b1 a2       one order of the steps, or
//	all 20                     every interleaving of the sessions' steps, at most 20 of them
//	races 12                   see below
//	alone                      see below
//	differs: reason            see below
//	finally
//	  select * from t          after the sessions are gone
//
// An init line runs when the session connects. The word wait:b1 in a permutation waits for step b1
// to end, for steps that end by a timeout.
//
// Each permutation runs on a database of its own. Steps start in the order given. A step that does
// not return at once is "waiting"; the following steps go on, and the step's result is printed
// after the step that let it go on ("b1 <- ..."). Steps of a session that still waits are put off
// until it returns.
//
// Where two sessions are let go at once, the outcome may depend on which is faster. Such a script
// says "races N": each permutation is recorded N times, and every outcome seen is allowed.
//
// Scripts run side by side on one server. A script that says "alone" runs before them: it takes a
// lock that all sessions meet, such as that of FLUSH TABLES WITH READ LOCK.
//
// The golden file beside a script holds the permutations and their outcomes. Record them from a
// MySQL server with
//
//	go test ./tests/isolation -rewrite -dsn 'root@tcp(127.0.0.1:3306)/'
//
// A script whose outcome is known to be another one on Ember says so, with the reason, in a line
// "differs: reason". Ember's outcome then stands in a golden file of its own (*.ember.golden),
// recorded by the same command without -dsn. A script that differs no more fails until the line is
// removed.
//
// When comparing, the golden outcome tells the runner what to be patient for: a step that must
// return is given minutes, and the server is asked whether a step that must wait does. So the speed
// of the machine decides nothing.
//
// Beside the scripts stand random histories (TestHistory): clients at all levels write to lists,
// sets and registers and read them, beside changes of definitions, a kill -9 and a replica. Package
// history judges whether what they saw is something that their levels forbid.
package isolation
