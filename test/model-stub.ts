/** An endpoint on loopback that speaks OpenAI's protocol, well or badly. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export interface Shown {
  readonly id: number;
  readonly text?: string;
  readonly url: string;
  readonly heading?: string;
  readonly context?: string;
}

/** What the model was shown, and how it was asked. */
export interface Call {
  readonly headers: IncomingMessage["headers"];
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly system: string;
  readonly keywords: readonly string[];
  readonly links: readonly Shown[];
  /** Of a page that is to be described. */
  readonly title?: string;
  readonly text?: string;
}

export type Manner = (call: Call, response: ServerResponse) => void;

/** A chat completion with this for its content. */
export const says =
  (content: unknown, usage: object | null = { prompt_tokens: 900, completion_tokens: 100 }): Manner =>
  (_, response) => {
    const words = typeof content === "string" ? content : JSON.stringify(content);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ choices: [{ message: { role: "assistant", content: words }, finish_reason: "stop" }], usage }));
  };

export const refuses =
  (status: number, body: unknown = { error: { message: `no: ${status}` } }, headers: Record<string, string> = {}): Manner =>
  (_, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    response.statusCode = status;
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };

/** The right answer for whoever takes a keyword for present where its word is: 0.9, and a reason. */
export function wellAnswered({ keywords, links }: Call): { links: object[]; none: number[] } {
  const matching = ({ text: words = "", url }: Shown) => keywords.filter((word) => `${words} ${url}`.toLowerCase().includes(word));
  const hits = links.filter((link) => matching(link).length > 0);
  return {
    links: hits.map((link) => ({ id: link.id, matches: matching(link).map((keyword) => ({ keyword, match: 0.9 })), reason: "it says so" })),
    none: links.filter((link) => !hits.includes(link)).map(({ id }) => id),
  };
}

export const well: Manner = (call, response) => says(call.links ? wellAnswered(call) : wellDescribed)(call, response);

/** What it says of a page. */
export const wellDescribed = { description: "It says what the page is about, in one sentence.", topics: ["Politics", "roofs"] };

export interface ModelStub {
  readonly url: string;
  readonly calls: Call[];
  /** How the next requests are answered, one each; those after them well. */
  next(...manners: Manner[]): void;
  /** Answers the next requests well. */
  forget(): void;
  close(): Promise<void>;
}

export async function serveModel(address: string): Promise<ModelStub> {
  const calls: Call[] = [];
  const manners: Manner[] = [];
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await text(request)) as Call["body"];
    const [system, user] = body.messages as readonly { content: string }[];
    const call = {
      headers: request.headers,
      path: request.url ?? "",
      body,
      system: system!.content,
      ...(JSON.parse(user!.content) as object),
    };
    calls.push(call as Call);
    (manners.shift() ?? well)(call as Call, response);
  });
  await new Promise<void>((ready) => server.listen(0, address, ready));
  const close = () =>
    new Promise<void>((closed) => {
      server.close(() => closed());
      server.closeAllConnections();
    });
  return {
    url: `http://${address}:${(server.address() as AddressInfo).port}/v1`,
    calls,
    next: (...more) => void manners.push(...more),
    forget: () => void manners.splice(0),
    close,
  };
}
