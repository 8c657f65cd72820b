/** What SQLite has and PostgreSQL has not, under SQLite's names, so that a statement need be written only once. */
export const functions = `
CREATE FUNCTION iif(boolean, anycompatible, anycompatible) RETURNS anycompatible LANGUAGE sql IMMUTABLE AS 'SELECT CASE WHEN $1 THEN $2 ELSE $3 END';
CREATE FUNCTION max(anycompatible, anycompatible) RETURNS anycompatible LANGUAGE sql IMMUTABLE AS 'SELECT CASE WHEN $1 IS NULL OR $2 IS NULL THEN NULL ELSE greatest($1, $2) END';
CREATE FUNCTION min(anycompatible, anycompatible) RETURNS anycompatible LANGUAGE sql IMMUTABLE AS 'SELECT CASE WHEN $1 IS NULL OR $2 IS NULL THEN NULL ELSE least($1, $2) END';
CREATE FUNCTION instr(text, text) RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT strpos($1, $2)';
CREATE FUNCTION round(double precision, integer) RETURNS double precision LANGUAGE sql IMMUTABLE AS 'SELECT round($1::numeric, $2)::double precision';
CREATE FUNCTION json_path(text) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$ SELECT array_remove(string_to_array(replace(replace(substr($1, 2), '[', '.'), ']', ''), '.'), '') $$;
CREATE FUNCTION json_extract(text, text) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT $1::jsonb #>> json_path($2)';
CREATE FUNCTION json_each(text) RETURNS TABLE (key text, value text) LANGUAGE sql IMMUTABLE AS $$
  SELECT (nr - 1)::text, v FROM jsonb_array_elements_text(CASE WHEN jsonb_typeof($1::jsonb) = 'array' THEN $1::jsonb ELSE '[]'::jsonb END) WITH ORDINALITY AS e (v, nr)
  UNION ALL SELECT k, v FROM jsonb_each_text(CASE WHEN jsonb_typeof($1::jsonb) = 'object' THEN $1::jsonb ELSE '{}'::jsonb END) AS o (k, v) $$;
CREATE FUNCTION json_each(text, text) RETURNS TABLE (key text, value text) LANGUAGE sql IMMUTABLE AS 'SELECT * FROM json_each(($1::jsonb #> json_path($2))::text)';
CREATE FUNCTION numbers_in(text) RETURNS bigint[] LANGUAGE sql IMMUTABLE AS 'SELECT array_agg(value::numeric::bigint) FROM json_each($1)';
CREATE FUNCTION texts_in(text) RETURNS text[] LANGUAGE sql IMMUTABLE AS 'SELECT array_agg(value) FROM json_each($1)';
CREATE FUNCTION printf(text, bigint, bigint, bigint) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT lpad(to_hex($2), 16, '0') || lpad(to_hex($3), 4, '0') || lpad(to_hex($4), 2, '0') $$;
CREATE FUNCTION link_type(text, text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN $1 ~* '^(application/xhtml|text/html)' THEN 'html'
    WHEN $1 ~ '/' THEN lower(substring($1 from '/(?:x-)?([A-Za-z0-9]+)'))
    ELSE CASE WHEN ending IS NULL OR ending ~ '^(html?|xhtml|php[0-9]?|aspx?|jsp|cfm|cgi)$' THEN 'html' ELSE ending END
  END FROM (SELECT lower(substring(split_part(split_part($2, '#', 1), '?', 1) from '[^/]/.*.([A-Za-z0-9]{1,5})$')) AS ending) AS named $$;
CREATE FUNCTION datetime(numeric, text) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT to_char(to_timestamp($1) AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS') $$;
CREATE FUNCTION joined(text, text, text) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT CASE WHEN $1 IS NULL THEN $2 WHEN $2 IS NULL THEN $1 ELSE $1 || $3 || $2 END';
CREATE AGGREGATE group_concat(text, text) (sfunc = joined, stype = text);
CREATE FUNCTION json_appended(jsonb, anyelement) RETURNS jsonb LANGUAGE sql IMMUTABLE AS 'SELECT $1 || jsonb_build_array($2)';
CREATE AGGREGATE json_group_array(anyelement) (sfunc = json_appended, stype = jsonb, initcond = '[]');
`;
