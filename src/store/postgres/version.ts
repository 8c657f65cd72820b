import { SCHEMA_VERSION } from "../sqlite/schema.ts";

/** One step is PostgreSQL's alone, after the seventh. */
export const POSTGRES_VERSION = SCHEMA_VERSION + 1;
