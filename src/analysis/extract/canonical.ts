import type { MetaField } from "../../core/records.ts";
import type { PageView } from "./page-view.ts";
import { type Clue, chooseInOrder } from "./weigh.ts";

const order = ["link:canonical", "og:url"];

/** The canonical address that a page declares. It is not verified: duplicates are detected elsewhere. */
export function canonicalOf(page: PageView, _cascade: "weighed" | "classic"): MetaField<string> {
  return chooseInOrder(canonicalClues(page), order);
}

function canonicalClues({ elements, metas, resolve }: PageView): Clue<string>[] {
  const links = elements
    .filter(({ name, attributes }) => name === "link" && /(?:^|\s)canonical(?:\s|$)/i.test(attributes.rel ?? ""))
    .map(({ attributes }) => ["link:canonical", attributes.href ?? ""] as const);
  const declared = [...links, ...(metas.get("og:url") ?? []).map((value) => ["og:url", value] as const)];
  return declared
    .filter(([, href]) => href.trim() !== "")
    .map(([source, href]) => {
      const url = resolve(href.trim());
      if (url === undefined) return { source, value: href, signs: {}, rejected: "no address" };
      return { source, value: url, signs: {}, ...(/^https?:/.test(url) ? {} : { rejected: "not http or https" }) };
    });
}
