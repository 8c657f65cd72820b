import { z } from "zod";
import { VERSION } from "../../../core/version.ts";
import { requestFields } from "../request-options.ts";
import { type Route, route } from "../route.ts";

const Option = z
  .object({
    name: z.string(),
    group: z.string(),
    flag: z.string().describe("On the command line."),
    help: z.string(),
    kind: z.enum(["boolean", "list", "object", "value"]),
    choices: z.array(z.string()).describe("Empty where anything will do."),
    default: z.unknown().describe("Null where there is none."),
  })
  .meta({ id: "Option" });

const COLLECTIONS = ["sites", "crawls", "pages", "links", "hosts", "workers", "contexts", "jobs", "events", "keys"] as const;
const SINGLE_ROUTES = ["search", "explain", "diff", "metadata", "version"] as const;

export const systemRoutes: readonly Route[] = [
  route(
    {
      id: "index",
      method: "GET",
      path: "",
      tag: "System",
      scope: "read",
      summary: "Where to begin: what there is, and where it is described",
      at: "reader",
      answers: {
        200: {
          about: "Addresses on this server",
          shape: z.object({ version: z.string(), docs: z.string(), openapi: z.string(), resources: z.record(z.string(), z.string()) }),
        },
      },
    },
    async () => {
      const resources = Object.fromEntries([...COLLECTIONS, ...SINGLE_ROUTES].map((name) => [name, `/api/v1/${name}`]));
      return { data: { version: VERSION, docs: "/docs", openapi: "/openapi.json", resources } };
    },
  ),
  route(
    {
      id: "version",
      method: "GET",
      path: "/version",
      tag: "System",
      scope: "read",
      summary: "Which nuthatch answers, and how far whoever asks may go",
      at: "reader",
      answers: {
        200: {
          about: "Its version, and your access",
          shape: z.object({
            version: z.string(),
            scope: z.enum(["read", "write", "admin"]).describe("What you may do here."),
            needsKey: z.boolean().describe("Whether this server wants a key: it does from its next start on, once there is one."),
          }),
        },
      },
    },
    async (_, { asked: { access } }) => ({ data: { version: VERSION, ...access } }),
  ),
  route(
    {
      id: "configSchema",
      method: "GET",
      path: "/config/schema",
      tag: "System",
      scope: "read",
      summary: "The options that a crawl over the API takes: neither paths nor secrets",
      at: "reader",
      answers: { 200: { about: "Options, by group", shape: z.object({ data: z.array(Option) }) } },
    },
    async () => ({
      data: {
        data: requestFields.map(({ key, group, flag, help, kind, choices, builtIn, schema }) => ({
          name: key,
          group,
          flag,
          help,
          kind,
          choices: [...choices],
          // A table is sent with its full default, because its content cannot be guessed.
          default: (kind === "object" ? schema.parse(undefined) : builtIn) ?? null,
        })),
      },
    }),
  ),
];
