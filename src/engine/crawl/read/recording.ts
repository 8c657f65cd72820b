import type { Fetched, StoredBody } from "../../../core/records.ts";
import type { Exchange, Truncated } from "../../../store/index.ts";
import type { Fetcher, RawExchange } from "../../fetch/index.ts";
import { type Outcome, type VisitTools, visit } from "../visit.ts";
import { bodyReference, packBody } from "./pack-body.ts";

/** A visit whose request and response are kept for an archive: fetcher and reader are wrapped, the visit is unchanged. */
export const recordedVisit: typeof visit = async (v, tools, headers) => {
  let recorded: RecordedExchange | undefined;
  let body: StoredBody | undefined;
  const { reader } = tools;
  const recordingTools: VisitTools = {
    ...tools,
    fetcher: recordExchanges(tools.fetcher, async (now) => {
      recorded = now;
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
  const outcome = await visit(v, recordingTools, headers);
  return recorded ? { ...outcome, exchange: exchangeOf(recorded, v.siteId, body ?? storedBodyOf(outcome)) } : outcome;
};

/** Robots errands are not read, so their body comes from the answer. */
export const recordedRobotsRequests = (
  fetcher: Fetcher,
  siteOf: (url: string) => number,
  keep: (exchange: Exchange) => Promise<void>,
): Fetcher => recordExchanges(fetcher, (recorded) => keep(exchangeOf(recorded, siteOf(recorded.url), undefined)));

interface RecordedExchange {
  readonly url: string;
  readonly wire: RawExchange;
  readonly fetched: Fetched;
}

const recordExchanges = (fetcher: Fetcher, onExchange: (recorded: RecordedExchange) => Promise<void>): Fetcher => ({
  close: () => fetcher.close(),
  fetch: async (ask, signal) => {
    let wire: RawExchange | undefined;
    const onWire = (now: RawExchange) => {
      wire = now;
    };
    const fetched = await fetcher.fetch({ ...ask, onWire }, signal);
    if (wire) await onExchange({ url: ask.url, wire, fetched });
    return fetched;
  },
});

const storedBodyOf = ({ fetched, remembered }: Outcome): StoredBody | undefined =>
  fetched.kind === "not-modified" && remembered?.bodyHash !== undefined ? bodyReference(remembered.bodyHash, 0) : undefined;

function exchangeOf({ url, wire, fetched }: RecordedExchange, siteId: number, read: StoredBody | undefined): Exchange {
  const { request, response, address, aside } = wire;
  const own = fetched.kind === "body" ? fetched.bytes : aside?.bytes.length ? aside.bytes : undefined;
  const body = read ?? (own && packBody(own));
  const status = fetched.kind === "not-modified" ? 304 : (fetched.status ?? 0);
  return { siteId, url, at: fetched.timing.startedAt, status, address, request, response, body, truncated: truncated(fetched, aside) };
}

/** Why the archived response is incomplete, if it is. */
function truncated(fetched: Fetched, aside: RawExchange["aside"]): Truncated | undefined {
  if (fetched.kind === "body" || fetched.kind === "not-modified") return undefined;
  if (aside) return aside.isCut ? "length" : undefined;
  const reason = "reason" in fetched ? fetched.reason : undefined;
  if (reason === "size") return "length";
  if (reason === "timeout") return "time";
  return reason === "connection" ? "disconnect" : "unspecified";
}
