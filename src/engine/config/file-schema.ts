import { z } from "zod";
import { type Field, fields } from "./config.ts";
import { secretText } from "./secrets.ts";

const isHttp = (text: string) => /^https?:\/\//i.test(text) && URL.canParse(text);

/** The schema of an option in a file: optional, and secrets only as env:NAME. */
function fileSchemaOf({ schema, kind, isSecret, help, builtIn }: Field): z.ZodType {
  if (isSecret) return (kind === "list" ? z.array(secretText) : secretText).optional().describe(`${help}; only by way of env:NAME`);
  return schema.optional().meta(builtIn === undefined ? { description: help } : { description: help, default: builtIn });
}

const options: Record<string, z.ZodType> = Object.fromEntries(fields.map((field) => [field.key, fileSchemaOf(field)]));

/** A config file: options at its top, or under `defaults`, and per site under `sites`. */
export const FileSchema = z.strictObject({
  $schema: z.string().optional().describe("Where an editor finds the schema of this file"),
  db: z
    .string("must be the name of a file")
    .min(1, "must be the name of a file")
    .optional()
    .describe("The data file, beside this file, or the address of a PostgreSQL database"),
  ...options,
  defaults: z.strictObject(options).optional().describe("Options of all sites"),
  sites: z
    .array(
      z.strictObject({
        url: z.string().refine(isHttp, "must be an address that starts with http:// or https://").describe("Where to begin"),
        ...options,
      }),
    )
    .optional()
    .describe("Sites to crawl, each with options of its own"),
});

/** JSON Schema for editors, in the draft that all of them support. */
export function configJsonSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(FileSchema, {
    target: "draft-7",
    io: "input",
    override: ({ zodSchema, jsonSchema }) => {
      // zod leaves out defaults before a transform; the written form can be shown.
      const { default: written } = z.globalRegistry.get(zodSchema) ?? {};
      if (written !== undefined) jsonSchema.default = written;
      for (const internalKey of ["kept", "path"]) delete jsonSchema[internalKey];
    },
  });
  return { title: "Options of nuthatch", ...schema };
}
