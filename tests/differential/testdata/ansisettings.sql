# Names that stand for texts where variables are set under ANSI_QUOTES.
set sql_mode = ansi;
set sql_mode = "";
select @@sql_mode, "a" || 'b';
set sql_mode = ansi;
set sql_mode = ``;
select @@sql_mode;
set sql_mode = ansi;
set time_zone = "+00:00";
set sql_mode = "ansi_quotes";
select @@sql_mode, @@time_zone;
set sql_mode = "no such mode";
set sql_mode = "";
