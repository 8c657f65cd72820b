/** SQLite functions that PostgreSQL lacks, under their SQLite names, so that each statement is written only once. */
export const functions = `
CREATE FUNCTION iif(boolean, anycompatible, anycompatible) RETURNS anycompatible LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT CASE WHEN $1 THEN $2 ELSE $3 END';
CREATE FUNCTION max(anycompatible, anycompatible) RETURNS anycompatible LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT CASE WHEN $1 IS NULL OR $2 IS NULL THEN NULL ELSE greatest($1, $2) END';
CREATE FUNCTION min(anycompatible, anycompatible) RETURNS anycompatible LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT CASE WHEN $1 IS NULL OR $2 IS NULL THEN NULL ELSE least($1, $2) END';
CREATE FUNCTION instr(text, text) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT strpos($1, $2)';
CREATE FUNCTION round(double precision, integer) RETURNS double precision LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT round($1::numeric, $2)::double precision';
CREATE FUNCTION like_glob(text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT translate(regexp_replace($1, '([\\\\%_])', '\\\\\\1', 'g'), '*?', '%_') $$;
CREATE FUNCTION json_path(text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT array_remove(string_to_array(replace(replace(substr($1, 2), '[', '.'), ']', ''), '.'), '') $$;
CREATE FUNCTION json_value_of(json) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE json_typeof($1) WHEN 'boolean' THEN CASE $1::text WHEN 'true' THEN '1' ELSE '0' END ELSE $1 #>> '{}' END $$;
CREATE FUNCTION json_extract(text, text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT json_value_of($1::json #> json_path(replace($2, ''"'', '''')))';
CREATE FUNCTION json_each(text) RETURNS TABLE (key text, value text) LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (nr - 1)::text, json_value_of(v) FROM json_array_elements(CASE WHEN json_typeof($1::json) = 'array' THEN $1::json ELSE '[]'::json END) WITH ORDINALITY AS e (v, nr)
  UNION ALL SELECT k, json_value_of(v) FROM json_each(CASE WHEN json_typeof($1::json) = 'object' THEN $1::json ELSE '{}'::json END) AS o (k, v) $$;
CREATE FUNCTION json_each(text, text) RETURNS TABLE (key text, value text) LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT * FROM json_each(($1::json #> json_path($2))::text)';
CREATE FUNCTION numbers_in(text) RETURNS bigint[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT coalesce(array_agg(value::numeric::bigint), '{}') FROM json_each($1) $$;
CREATE FUNCTION texts_in(text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT coalesce(array_agg(value), '{}') FROM json_each($1) $$;
CREATE FUNCTION json_patch(text, text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT ($1::jsonb || $2::jsonb)::text';
CREATE FUNCTION printf(text, bigint, bigint, bigint) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT lpad(to_hex($2), 16, '0') || lpad(to_hex($3), 4, '0') || lpad(to_hex($4), 2, '0') $$;
CREATE FUNCTION link_type(text, text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN $1 ~* '^(application/xhtml|text/html)' THEN 'html'
    WHEN $1 ~* '/(?:x-)?[a-z0-9]' THEN lower(substring($1 from '/(?:x-)?([A-Za-z0-9]+)'))
    ELSE CASE WHEN ending IS NULL OR ending ~ '^(html?|xhtml|php[0-9]?|aspx?|jsp|cfm|cgi)$' THEN 'html' ELSE ending END
  END FROM (SELECT lower(substring(split_part(split_part($2, '#', 1), '?', 1) from '[^/]/.*\\.([A-Za-z0-9]{1,5})$')) AS ending) AS named $$;
CREATE FUNCTION datetime(numeric, text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT to_char(to_timestamp($1) AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS') $$;
CREATE FUNCTION json_of_array(anycompatiblearray) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT to_json($1)::text';
CREATE AGGREGATE json_group_array(anycompatible) (sfunc = array_append, stype = anycompatiblearray, initcond = '{}', finalfunc = json_of_array);
CREATE FUNCTION counted(bigint, boolean) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT CASE WHEN $2 IS NULL THEN $1 ELSE coalesce($1, 0) + $2::int END';
CREATE AGGREGATE sum(boolean) (sfunc = counted, stype = bigint);
CREATE AGGREGATE max(boolean) (sfunc = boolor_statefunc, stype = boolean);
`;
