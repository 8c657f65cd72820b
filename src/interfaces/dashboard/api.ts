/** The dashboard's API client. It uses the same public routes as any other client. */

export const BASE = "/api/v1";

export interface ApiProblem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly suggestion?: string;
  readonly errors?: readonly { readonly pointer: string; readonly message: string; readonly suggestion?: string }[];
}

export class ApiError extends Error {
  readonly problem: ApiProblem;
  constructor(problem: ApiProblem) {
    super(problem.detail);
    this.name = "ApiError";
    this.problem = problem;
  }
}

/** A failure without a problem document from the server. */
export const failure = (title: string, detail: string): ApiError => new ApiError({ type: "about:blank", title, status: 0, detail });

export interface List<T> {
  readonly data: readonly T[];
  readonly page: { readonly nextCursor: string | null; readonly limit: number; readonly total?: number };
}

interface Call {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export async function api<T>(path: string, { method = "GET", body, headers, signal }: Call = {}): Promise<T> {
  const response = await ask(BASE + path, { method, body, headers, signal });
  return (response.status === 204 ? undefined : await response.json()) as T;
}

export async function apiText(path: string, signal?: AbortSignal): Promise<string> {
  return (await ask(BASE + path, { signal })).text();
}

async function ask(
  url: string,
  { method = "GET", body, headers, signal }: { [key in keyof Call]?: Call[key] | undefined },
): Promise<Response> {
  const response = await fetch(url, {
    method,
    headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  }).catch((cause: Error) => {
    // An aborted request is not a failure; for all others fetch throws a TypeError without a reason.
    throw cause.name === "AbortError" ? cause : failure("The server does not answer", "This screen is loaded again when it is back.");
  });
  if (response.ok) return response;
  if (response.status === 401 && location.pathname !== "/login")
    location.assign(`/login?to=${encodeURIComponent(location.pathname + location.search)}`);
  throw new ApiError(await problemOf(response));
}

async function problemOf(response: Response): Promise<ApiProblem> {
  try {
    return (await response.json()) as ApiProblem;
  } catch {
    return { type: "about:blank", title: response.statusText, status: response.status, detail: `the server answered ${response.status}` };
  }
}

/** The server's OpenAPI document. */
export const openApi = async <T>(): Promise<T> => (await ask("/openapi.json", {})).json() as Promise<T>;

/** Filters as a query string, without empty values. */
export function queryText(values: Readonly<Record<string, string | number | boolean | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values))
    if (value !== undefined && value !== "" && value !== false) query.set(name, String(value));
  const text = query.toString();
  return text === "" ? "" : `?${text}`;
}
