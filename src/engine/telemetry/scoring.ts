import type { DescribingReport, ScoringProgress, ScoringReport } from "../crawl/index.ts";
import { count, plural } from "./amounts.ts";
import { printable } from "./printable.ts";

/** What a model has judged so far, and its cost, in a few words. */
export function scoringParts({ judged, cached, calls, tokensRead, tokensWritten, usd }: ScoringProgress): string[] {
  return [
    `${plural(judged, "link", "links")} judged`,
    ...(cached > 0 ? [`${count(cached)} known before`] : []),
    ...costParts({ calls, tokensRead, tokensWritten, usd }),
  ];
}

type Cost = Pick<ScoringProgress, "calls" | "tokensRead" | "tokensWritten" | "usd">;

const costParts = ({ calls, tokensRead, tokensWritten, usd }: Cost): string[] => [
  plural(calls, "call", "calls"),
  ...(calls > 0 ? [`${count(tokensRead)} + ${count(tokensWritten)} tokens`, usd === null ? "price not known" : dollars(usd)] : []),
];

/** Amounts below a cent are shown too. */
const dollars = (usd: number) => `$${usd >= 1 || usd === 0 ? usd.toFixed(2) : usd.toPrecision(2)}`;

/** Summary lines on scoring, with how it ended. */
export function modelLines(scoring: ScoringReport | undefined): (readonly [label: string, text: string])[] {
  if (!scoring) return [];
  const { model, unusable, left } = scoring;
  const rest = left > 0 ? `; ${plural(left, "link is", "links are")} left for nuthatch llm score` : "";
  const lines = [`${printable(model, 60)}: ${scoringParts(scoring).join(" · ")}`];
  if (unusable > 0) lines.push(`of ${plural(unusable, "link", "links")} it said nothing that can be used`);
  const ending = endWords(scoring);
  if (ending !== undefined) lines.push(`${ending}${rest}`);
  return lines.map((text, place) => [place === 0 ? "model" : "", text]);
}

/** A summary line on pages described by a model. */
export function describingLines(report: DescribingReport | undefined): (readonly [label: string, text: string])[] {
  if (!report || report.described + report.cached + report.unusable + (report.trouble === null ? 0 : 1) === 0) return [];
  const { model, described, cached, unusable, trouble } = report;
  const parts = [
    `${plural(described, "page", "pages")} described`,
    ...(cached > 0 ? [`${count(cached)} known before`] : []),
    ...(unusable > 0 ? [`of ${count(unusable)} nothing usable`] : []),
    ...costParts(report),
    ...(trouble === null ? [] : [`stopped by ${printable(trouble, 300)}`]),
  ];
  return [["model", `${printable(model, 60)}: ${parts.join(" · ")}`]];
}

function endWords({ ended, trouble, left }: ScoringReport): string | undefined {
  const why = trouble === null ? "" : `: ${printable(trouble, 300)}`;
  switch (ended) {
    case "finished":
      return left > 0 ? `some answers failed${why}` : (trouble ?? undefined);
    case "budget":
      return `scoring stopped at its budget${why}`;
    case "interrupted":
      return "scoring was interrupted";
    case "failed":
      return `scoring failed${why}`;
    default:
      return ended satisfies never;
  }
}
