/** What a crawl would do, before it starts. */
import { Facts } from "../parts/facts.tsx";
import { count, durationText } from "../words.ts";

export interface Preview {
  readonly seeds: readonly { readonly url: string; readonly ok: boolean; readonly status: number | null; readonly rule: string }[];
  readonly robots: readonly {
    readonly host: string;
    readonly kind: string;
    readonly allowed: boolean;
    readonly crawlDelayMs: number | null;
  }[];
  readonly sitemaps: readonly { readonly url: string; readonly urls: number }[];
  readonly wanted: number;
  readonly first: readonly { readonly url: string; readonly depth: number; readonly via: string }[];
  readonly skipped: readonly {
    readonly reason: string;
    readonly urls: number;
    readonly examples: readonly { readonly url: string; readonly rule: string }[];
  }[];
  readonly estimate: { readonly pages: number; readonly ms: number; readonly delayMs: number };
  readonly requests: number;
}

export function PreviewResult({ preview }: { readonly preview: Preview }) {
  const { estimate, robots, sitemaps, seeds } = preview;
  return (
    <>
      <Facts
        facts={[
          ["would be fetched, of what is known so far", count(preview.wanted)],
          [
            "at least",
            `${count(estimate.pages)} pages in ${durationText(estimate.ms)}, one every ${durationText(estimate.delayMs)} per host`,
          ],
          ["seeds", seeds.map(({ url, ok, status, rule }) => `${url} ${ok ? (status ?? "") : rule}`).join(", ")],
          [
            "robots.txt",
            robots
              .map(({ host, kind, allowed, crawlDelayMs }) =>
                [
                  host,
                  kind,
                  allowed ? "allows it" : "forbids it",
                  crawlDelayMs === null ? "" : `Crawl-delay ${durationText(crawlDelayMs)}`,
                ].join(" "),
              )
              .join(", "),
          ],
          ["sitemaps", sitemaps.map(({ url, urls }) => `${url} (${count(urls)})`).join(", ") || "none"],
          ["asked for this", preview.requests === 1 ? "1 request" : `${count(preview.requests)} requests`],
        ]}
      />
      <div class="halves">
        <section aria-label="First URLs">
          <h3>First</h3>
          <ol>
            {preview.first.map(({ url, via }) => (
              <li key={url}>
                {url} <span class="faint small">{via}</span>
              </li>
            ))}
          </ol>
        </section>
        <section aria-label="Left out">
          <h3>Left out</h3>
          <ul>
            {preview.skipped.map(({ reason, urls, examples }) => (
              <li key={reason}>
                {reason}: {count(urls)}
                {examples[0] && (
                  <div class="faint small">
                    {examples[0].url} {examples[0].rule}
                  </div>
                )}
              </li>
            ))}
            {preview.skipped.length === 0 && <li>Nothing.</li>}
          </ul>
        </section>
      </div>
    </>
  );
}
