-- Spaces at the end of a text mean nothing under a PAD SPACE collation: not in the row, and not where ranges of a key meet.
CREATE TABLE padded (id INT PRIMARY KEY, gc VARCHAR(10) COLLATE utf8mb4_general_ci, bi CHAR(6) COLLATE utf8mb4_bin, la VARCHAR(10) CHARACTER SET latin1, no VARCHAR(10) COLLATE utf8mb4_0900_ai_ci, KEY gc (gc), KEY bi (bi, id), UNIQUE KEY la (la), KEY no (no));
INSERT INTO padded VALUES (1, 'a', 'a', 'a', 'a'), (2, 'a ', 'a ', 'b ', 'a '), (3, 'A', 'A', '\t', 'A'), (4, 'a\t', 'a\t', 'c\t', 'a\t'), (5, 'b_', 'b', 'd', 'b_'), (6, ' ', ' ', ' ', ' '), (7, NULL, NULL, NULL, NULL), (8, '5', '5', '5', '5');
SELECT id FROM padded WHERE gc <=> 'a' AND gc IN ('b_', 'zz', 'a ') ORDER BY id;
SELECT id FROM padded WHERE bi <=> 'a ' AND bi IN ('b_', 'zz', 'a') ORDER BY id;
SELECT id FROM padded WHERE la <=> 'b' AND la IN ('b ', 'zz', 'a') ORDER BY id;
SELECT id FROM padded WHERE no <=> 'a' AND no IN ('b_', 'zz', 'a ') ORDER BY id;
SELECT id FROM padded WHERE gc = 'a' AND gc = 'a  ' ORDER BY id;
SELECT id FROM padded WHERE gc <= 'a' OR gc = 'a ' ORDER BY id;
SELECT id FROM padded WHERE gc <= 'a' OR gc = 'a ' ORDER BY id;
SELECT id FROM padded WHERE gc < 'a ' OR gc >= 'a' ORDER BY id;
SELECT id FROM padded WHERE gc IN ('a', 'a ', 'A', '5 ') ORDER BY id;
SELECT id FROM padded WHERE bi IN ('a', 'a ', 'A', '5 ') ORDER BY id;
SELECT id FROM padded WHERE gc <> 'a ' AND gc <> 'A' ORDER BY id;
SELECT id FROM padded WHERE gc > 'a ' AND gc <= 'a' ORDER BY id;
SELECT id FROM padded WHERE gc BETWEEN 'a\t' AND 'a' ORDER BY id;
SELECT id FROM padded WHERE bi BETWEEN 'a\t' AND 'a ' ORDER BY id;
SELECT id FROM padded WHERE no BETWEEN 'a\t' AND 'a' ORDER BY id;
SELECT id FROM padded WHERE gc >= 'a\t' AND gc <= 'a ' AND gc <> 'A' ORDER BY id;
SELECT p.id + 0, q.id + 0 FROM padded p JOIN padded q ON q.gc = p.la AND q.gc IN ('a', 'b_ ') ORDER BY p.id, q.id;
SELECT id FROM padded WHERE (gc = 'a ' OR gc = 'b_') AND (gc = 'a' OR gc = 'b_ ') AND id > 1 ORDER BY id;
SELECT id FROM padded WHERE gc IN ('a', 'a ', 'b_ ', '5') AND id <> 4 ORDER BY gc DESC, id;
-- params: ["a", "b_", "zz", "a "]
SELECT id FROM padded WHERE gc <=> ? AND gc IN (?, ?, ?) ORDER BY id;
-- params: ["a", "a "]
SELECT id FROM padded WHERE gc <= ? OR gc = ? ORDER BY id;
-- differs: the warnings of texts that are compared with numbers, by a key
SELECT id FROM padded WHERE gc IN ('5', 5) ORDER BY id;
SELECT id FROM padded WHERE no IN ('a', 'A', 'b_') ORDER BY id;
UPDATE padded SET no = 'x' WHERE gc <=> 'a ' AND gc IN ('b', 'a');
DELETE FROM padded WHERE gc >= 'a\t' AND gc < 'a  ';
SELECT id, no FROM padded ORDER BY id;
SELECT gc FROM padded WHERE gc IN ('b', 'B', 'a', 'X', 'zz') ORDER BY gc, id;
CREATE TABLE ordered (id INT PRIMARY KEY, c VARCHAR(9), KEY (c));
INSERT INTO ordered VALUES (1, 'a'), (2, 'B'), (3, 'c'), (4, 'd'), (5, 'E');
SELECT c FROM ordered WHERE c IN ('d', 'a', 'B', 'E') ORDER BY c;
SELECT c FROM ordered WHERE c IN ('d', 'a', 'B', 'E') ORDER BY c DESC LIMIT 2;
-- params: ["E", "a", "B"]
SELECT c FROM ordered WHERE c IN (?, ?, ?) ORDER BY c LIMIT 2;
SELECT c, UPPER(c) FROM ordered WHERE c IN ('d', 'a', 'B', 'E') AND id > 0 ORDER BY c;
