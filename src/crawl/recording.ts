import type { Fetcher, Wire } from "../fetch/index.ts";
import type { Fetched, StoredBody } from "../records.ts";
import type { Exchange, Truncated } from "../store/index.ts";
import { namedBody, packBody } from "./pack-body.ts";
import { type Outcome, type Tools, visit } from "./visit.ts";

/** A visit whose request and response are kept for an archive: fetcher and reader are wrapped, the visit is unchanged. */
export const recordedVisit: typeof visit = async (v, tools, headers) => {
  let heard: Heard | undefined;
  let body: StoredBody | undefined;
  const { reader } = tools;
  const listening: Tools = {
    ...tools,
    fetcher: listenTo(tools.fetcher, async (now) => {
      heard = now;
    }),
    reader: {
      close: () => reader.close(),
      read: async (job) => {
        const result = await reader.read(job);
        // Later reads in the same visit are of the stored body.
        if ("reading" in result) body ??= result.reading.body;
        return result;
      },
    },
  };
  const outcome = await visit(v, listening, headers);
  return heard ? { ...outcome, exchange: exchangeOf(heard, v.siteId, body ?? vouchedFor(outcome)) } : outcome;
};

/** Robots errands are not read, so their body comes from the answer. */
export const recordedErrands = (fetcher: Fetcher, siteOf: (url: string) => number, keep: (exchange: Exchange) => Promise<void>): Fetcher =>
  listenTo(fetcher, (heard) => keep(exchangeOf(heard, siteOf(heard.url), undefined)));

interface Heard {
  readonly url: string;
  readonly wire: Wire;
  readonly fetched: Fetched;
}

const listenTo = (fetcher: Fetcher, tell: (heard: Heard) => Promise<void>): Fetcher => ({
  close: () => fetcher.close(),
  fetch: async (ask, signal) => {
    let wire: Wire | undefined;
    const onWire = (now: Wire) => {
      wire = now;
    };
    const fetched = await fetcher.fetch({ ...ask, onWire }, signal);
    if (wire) await tell({ url: ask.url, wire, fetched });
    return fetched;
  },
});

const vouchedFor = ({ fetched, remembered }: Outcome): StoredBody | undefined =>
  fetched.kind === "not-modified" && remembered?.bodyHash !== undefined ? namedBody(remembered.bodyHash, 0) : undefined;

function exchangeOf({ url, wire, fetched }: Heard, siteId: number, read: StoredBody | undefined): Exchange {
  const { request, response, address, aside } = wire;
  const own = fetched.kind === "body" ? fetched.bytes : aside?.bytes.length ? aside.bytes : undefined;
  const body = read ?? (own && packBody(own));
  const status = fetched.kind === "not-modified" ? 304 : (fetched.status ?? 0);
  return { siteId, url, at: fetched.timing.startedAt, status, address, request, response, body, truncated: truncated(fetched, aside) };
}

/** Why the archived response is incomplete, if it is. */
function truncated(fetched: Fetched, aside: Wire["aside"]): Truncated | undefined {
  if (fetched.kind === "body" || fetched.kind === "not-modified") return undefined;
  if (aside) return aside.isCut ? "length" : undefined;
  const reason = "reason" in fetched ? fetched.reason : undefined;
  if (reason === "size") return "length";
  if (reason === "timeout") return "time";
  return reason === "connection" ? "disconnect" : "unspecified";
}
