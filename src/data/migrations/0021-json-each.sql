-- A list as one parameter, as SQLite's own function of this name has it. The key is the place in the list, from 0.
/* postgres: create function json_each(list text) returns table (key bigint, value text) language sql immutable as 'select place - 1, member from json_array_elements_text(list::json) with ordinality as listed (member, place)' */;
