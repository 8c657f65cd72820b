/** Converts the "Edit scope" form to an API request. */

export const PATTERNS = [
  { name: "exclude", label: "Exclude", placeholder: "/archive/**\n/[?&]page=/" },
  { name: "include", label: "Include only", placeholder: "/news/**" },
] as const;

export const LIMITS = [
  { name: "rateLimit", label: "Requests per host" },
  { name: "maxConcurrent", label: "Requests in flight" },
  { name: "maxPages", label: "Pages at most" },
] as const;

export type Name = (typeof PATTERNS | typeof LIMITS)[number]["name"];
export type ScopeInput = Readonly<Partial<Record<Name, string>>>;

const asNumber = (text: string) => (/^\d{1,9}$/.test(text) ? Number(text) : text);

/** Empty fields are left unchanged. */
export function requestBodyOf(input: ScopeInput): Readonly<Record<string, unknown>> {
  const patterns = PATTERNS.map(({ name }) => [name, (input[name] ?? "").split("\n").flatMap((line) => line.trim() || [])] as const);
  const limits = LIMITS.map(({ name }) => [name, (input[name] ?? "").trim()] as const);
  return Object.fromEntries<unknown>([
    ...patterns.filter(([, lines]) => lines.length > 0),
    ...limits.filter(([, text]) => text !== "").map(([name, text]) => [name, name === "rateLimit" ? text : asNumber(text)] as const),
  ]);
}
