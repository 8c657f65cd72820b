import { describe, expect, test } from "vitest";
import {
  consolidate,
  outlineOf,
  type Pack,
  type PackPage,
  packMarkdown,
  scoreLinks,
  selectLinks,
  tokensOf,
} from "../src/analysis/context/index.ts";
import { parseDocument } from "../src/analysis/parse/index.ts";
import { mainPart } from "../src/features/fetch-page/page-forms.ts";
import { type PlantedSite, plantedKinds, plantedSite } from "./site/planted/index.ts";

const ORIGIN = "https://product.example";
const SEEDS = 20;

/** As `nuthatch context` does it, without a server: the root's links are scored, the best are read, and all of it becomes a pack. */
async function packOf(site: PlantedSite): Promise<Pack> {
  const root = await pageOf(site, { url: `${ORIGIN}/`, score: 1, text: "" });
  const { links } = parseDocument({ ...bodyOf(site, `${ORIGIN}/`), as: "page", embeddedLinks: false });
  const seen = links.flatMap((link) => (link.url !== undefined && link.kind === "a" ? [{ ...link, url: link.url }] : []));
  const chosen = selectLinks(scoreLinks(seen, { rootUrl: root.url }), root.url, { maxLinks: 5, minScore: 0.4 });
  const found = chosen.filter(({ url }) => site.pages[new URL(url).pathname] !== undefined);
  const failed = chosen.filter((link) => !found.includes(link));
  return consolidate(
    root,
    await Promise.all(found.map((link) => pageOf(site, link))),
    failed.map(({ url, score }) => ({ url, relevance: score, reason: "HTTP 404", rule: "" })),
  );
}

const bodyOf = (site: PlantedSite, url: string) => ({
  url,
  bytes: Buffer.from(site.pages[new URL(url).pathname]!),
  contentType: "text/html; charset=utf-8",
});

async function pageOf(site: PlantedSite, { url, score, text }: { url: string; score: number; text: string }): Promise<PackPage> {
  const body = bodyOf(site, url);
  const { title, description } = parseDocument({ ...body, as: "page", embeddedLinks: false });
  const main = await mainPart({ body, form: "markdown", title: title?.value, repeated: undefined });
  return {
    url,
    title: title?.value ?? "",
    metadata: { description: description?.value },
    ...outlineOf(main!.written),
    relevance: score,
    anchor: text,
    since: "2026-11-01T00:00:00.000Z",
  };
}

describe.each(plantedKinds)("a context of a generated %s site", (kind) => {
  const seeds = Array.from({ length: SEEDS }, (_, at) => at + 1);

  test("follows the pages that explain the product, and holds every fact under its question, without furniture", async () => {
    const wrong: string[] = [];
    for (const seed of seeds) {
      const site = plantedSite(kind, seed);
      const pack = await packOf(site);
      const followed = pack.linked.map(({ url }) => new URL(url).pathname);
      for (const path of site.explaining) if (!followed.includes(path)) wrong.push(`${seed}: ${path} was not followed`);
      for (const { text, question, page } of site.facts)
        if (!pack.sections[question].some(({ content, source }) => content.includes(text) && source === ORIGIN + page))
          wrong.push(`${seed}: ${page} ${question} lacks: ${text}`);
      const all = packMarkdown(pack);
      for (const phrase of site.furniture) if (all.includes(phrase)) wrong.push(`${seed}: furniture: ${phrase}`);
    }
    expect(wrong).toEqual([]);
  });

  test("within 2000 tokens keeps the facts of the root and the two most relevant pages", async () => {
    const wrong: string[] = [];
    for (const seed of seeds) {
      const site = plantedSite(kind, seed);
      const pack = await packOf(site);
      const small = packMarkdown(pack, 2000);
      const kept = ["/", ...pack.linked.slice(0, 2).map(({ url }) => new URL(url).pathname)];
      const lost = site.facts.filter(({ page, text }) => kept.includes(page) && !small.includes(text));
      wrong.push(...lost.map(({ page, text }) => `${seed}: ${page} lost: ${text}`));
      if (tokensOf(small) > 2000) wrong.push(`${seed}: ${tokensOf(small)} tokens`);
      if (tokensOf(packMarkdown(pack)) < 2000) wrong.push(`${seed}: everything fits into ${tokensOf(packMarkdown(pack))}`);
    }
    expect(wrong).toEqual([]);
  });
});
