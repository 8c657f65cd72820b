export interface LoggedRequest {
  /** Milliseconds of `performance.now()`, with their fraction. */
  at: number;
  /** The Host header. */
  host: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  status: number;
  finishedAt: number;
}

/** Start-to-start gaps in milliseconds between consecutive requests of the same host. */
export function gaps(log: LoggedRequest[]): number[] {
  return byHost(log).flatMap((requests) => requests.slice(1).map((request, before) => request.at - requests[before]!.at));
}

/** The largest number of requests one host had in flight at once. */
export function mostAtOnce(log: LoggedRequest[]): number {
  return Math.max(0, ...byHost(log).map(mostOpen));
}

function mostOpen(requests: LoggedRequest[]): number {
  const starts = requests.map((request) => request.at);
  const ends = Float64Array.from(requests, (request) => request.finishedAt).sort();
  let most = 0;
  let ended = 0;
  for (const [started, at] of starts.entries()) {
    while (ended < ends.length && ends[ended]! <= at) ended += 1;
    most = Math.max(most, started + 1 - ended);
  }
  return most;
}

function byHost(log: LoggedRequest[]): LoggedRequest[][] {
  const hosts = new Map<string, LoggedRequest[]>();
  for (const request of log.toSorted((a, b) => a.at - b.at)) {
    const requests = hosts.get(request.host);
    if (requests) requests.push(request);
    else hosts.set(request.host, [request]);
  }
  return [...hosts.values()];
}
