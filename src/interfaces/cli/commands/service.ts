import { z } from "zod";
import { unsafeReasonAt } from "../../../core/file-owner.ts";
import type { App } from "../../../engine/app.ts";
import { SetupError } from "../../../engine/config/index.ts";
import { isPostgres } from "../../../store/index.ts";
import { dbFlag, type Shell } from "../shell.ts";

/** A client for the server that works on a data file. */
export interface Service {
  readonly url: string;
  request(method: string, path: string, body?: unknown): Promise<unknown>;
  /** Events of a stream, until it ends or `signal` aborts. */
  events(path: string, signal: AbortSignal): AsyncGenerator<{ readonly type: string; readonly data: ServiceEvent }>;
}

export interface ServiceEvent {
  readonly crawlId: number | null;
  readonly data: Readonly<Record<string, unknown>>;
}

const runShape = z.looseObject({
  id: z.number().int(),
  status: z.string(),
  stopReason: z.string().nullable(),
  counters: z.looseObject({ pages: z.number() }),
});
const startedShape = runShape.pick({ id: true, status: true });

/** A run as a server returns it. */
export type RemoteRun = z.infer<typeof runShape>;

/** The URL of the server may come from a data file, so answers are validated before they are printed or used in requests. */
const validated = <Shape extends z.ZodType>(shape: Shape, { url }: Service, answer: unknown): z.infer<Shape> =>
  shape.safeParse(answer).data ?? rejectForeignServer(url);

export const remoteRun = (service: Service, answer: unknown) => validated(runShape, service, answer);
export const remoteRuns = (service: Service, answer: unknown) => validated(z.object({ data: z.array(runShape) }), service, answer).data;
export const startedRun = (service: Service, answer: unknown) => validated(startedShape, service, answer);

/** The server of CRAWLER_SERVICE_URL, for which no data file is needed. */
export function configuredService({ env }: Shell): Service | undefined {
  const url = env.CRAWLER_SERVICE_URL;
  if (!url) return undefined;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new SetupError(`CRAWLER_SERVICE_URL ${url} is not an http or https URL`, "export CRAWLER_SERVICE_URL=http://127.0.0.1:8000");
  return serviceAt(url, env);
}

/** The server of CRAWLER_SERVICE_URL, or the one registered in this data file. */
export async function findService(app: App, db: string, shell: Shell): Promise<Service> {
  const named = configuredService(shell);
  if (named) return named;
  const url = await app.store.service.server();
  if (!url) throw new SetupError("no server works with this data file", `start one: nuthatch serve${dbFlag(db)}`);
  if (shell.env.NUTHATCH_API_KEY) protectApiKey(url, db);
  return serviceAt(url, shell.env);
}

function serviceAt(url: string, env: Shell["env"]): Service {
  const headers = env.NUTHATCH_API_KEY ? { authorization: `Bearer ${env.NUTHATCH_API_KEY}` } : {};
  const at = (path: string) => new URL(`/api/v1${path}`, url);
  return {
    url,
    async request(method, path, body) {
      const response = await reachServer(url, () =>
        fetch(at(path), {
          method,
          headers: body === undefined ? headers : { ...headers, "content-type": "application/json" },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        }),
      );
      const answer = (await response.json().catch(() => rejectForeignServer(url))) as { detail?: string; suggestion?: string };
      if (response.ok) return answer;
      throw new SetupError(
        `the server refused: ${answer.detail ?? response.status}`,
        answer.suggestion ?? (response.status === 401 ? "set NUTHATCH_API_KEY to a key of the server" : `${url}/docs tells what it takes`),
      );
    },
    async *events(path, signal) {
      const response = await reachServer(url, () => fetch(at(path), { headers, signal }));
      let text = "";
      for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
        const blocks = `${text}${part}`.split("\n\n");
        text = blocks.pop()!;
        for (const block of blocks) {
          const type = /^event: (.*)$/m.exec(block)?.[1];
          const data = /^data: (.*)$/m.exec(block)?.[1];
          if (type !== undefined && data !== undefined) yield { type, data: parseEvent(data) ?? rejectForeignServer(url) };
        }
      }
    },
  };
}

/**
 * The server URL comes from the data file. The API key is sent there only if it is on this machine, and if no other user could have written
 * the file.
 */
function protectApiKey(url: string, db: string): void {
  const isLocal = /^(localhost|127\.[\d.]+|0\.0\.0\.0|\[::1?\])$/.test(new URL(url).hostname);
  const unsafeReason = isPostgres(db) ? undefined : unsafeReasonAt(db);
  if (isLocal && unsafeReason === undefined) return;
  const why = unsafeReason === undefined ? "is on another machine" : `is named by ${db}, which ${unsafeReason}`;
  throw new SetupError(
    `NUTHATCH_API_KEY is not sent to ${url}: it ${why}`,
    `name it together with the key: export CRAWLER_SERVICE_URL=${url}`,
  );
}

const eventShape = z.looseObject({ crawlId: z.number().nullable(), data: z.record(z.string(), z.unknown()) });

function parseEvent(text: string): ServiceEvent | undefined {
  try {
    return eventShape.safeParse(JSON.parse(text)).data;
  } catch {
    // Not JSON.
    return undefined;
  }
}

function rejectForeignServer(url: string): never {
  throw new SetupError(`what answers at ${url} is no server of nuthatch`, "check CRAWLER_SERVICE_URL");
}

async function reachServer(url: string, request: () => Promise<Response>): Promise<Response> {
  try {
    return await request();
  } catch (cause) {
    if ((cause as Error).name === "AbortError") throw cause;
    throw new SetupError(`the server at ${url} does not answer`, "check that it is at work, or start it again: nuthatch serve", {
      cause,
    });
  }
}
