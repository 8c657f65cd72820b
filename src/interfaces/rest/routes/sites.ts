import { z } from "zod";
import { keyOptionsOf, resolve } from "../../../analysis/url/index.ts";
import { hasUserInfo, typedUrl } from "../../../core/typed-url.ts";
import { withTimeUnits } from "../../../core/units.ts";
import type { App } from "../../../engine/app.ts";
import { resolveConfig } from "../../../engine/config/index.ts";
import { changeKeywords } from "../../../features/keywords/keywords.ts";
import type { KnownRuns } from "../../../features/sites/site-facts.ts";
import type { Keyword as StoredKeyword } from "../../../store/index.ts";
import { refuseIfChanged } from "../etag.ts";
import type { LiveRuns } from "../events/live.ts";
import { loginInUrlMessage } from "../json/run-options.ts";
import { requireSite, siteJson, siteTag } from "../json/site-json.ts";
import { answerList, listQuery, listSpec, sortQuery } from "../list.ts";
import { Problem } from "../problem.ts";
import { removed } from "../removal.ts";
import { checkStoredOptions, RequestOptions } from "../request-options.ts";
import { type Reply, type Route, route } from "../route.ts";
import { Counts, Keyword, SiteId, Url, UrlFilter } from "../shapes/shapes.ts";
import { Site } from "../shapes/shapes-site.ts";

const params = z.object({ id: SiteId });
const tag = "Sites";

const NewKeyword = Keyword.strict().extend({
  word: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .regex(/^[^=;]*$/, "a keyword holds neither = nor a semicolon"),
  weight: z.number().min(0).max(1).default(1),
});
export const Keywords = z.array(NewKeyword).max(1000);

const siteFields = {
  name: z.string().max(200),
  tags: z.array(z.string().min(1).max(100)).max(50),
  config: RequestOptions.describe("Options of its crawls, as in a config file: { maxDepth: 3 }."),
  keywords: Keywords,
};

interface SiteChanges {
  readonly name?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly config?: Readonly<Record<string, unknown>> | undefined;
  readonly keywords?: readonly StoredKeyword[] | undefined;
}

/** New weights apply at once; new words are scored against the stored links. */
export async function replaceKeywords(
  app: App,
  site: { id: number; uid: string; url: string },
  keywords: readonly StoredKeyword[],
): Promise<boolean> {
  const set = Object.fromEntries(keywords.map(({ word, weight }) => [word, weight]));
  const remove = (await app.store.links.keywords(site.id)).map(({ word }) => word).filter((word) => !Object.hasOwn(set, word));
  const { isLater } = await changeKeywords(app, site, { set, remove });
  return isLater;
}

async function saveSite(
  app: App,
  site: { id: number; uid: string; url: string },
  { name, tags, config, keywords }: SiteChanges,
): Promise<void> {
  if (config) checkStoredOptions(config);
  await app.store.userData.setSite(site.id, { name, tags, options: config && withTimeUnits(config, "s") }, app.world.clock.wall());
  if (keywords) await replaceKeywords(app, site, keywords);
}

async function siteReply(app: App, id: number, live?: LiveRuns, reply: Reply = {}): Promise<Reply> {
  const data = await siteJson(app, await requireSite(app, String(id)), live);
  return { ...reply, headers: { ...reply.headers, etag: siteTag(data) }, data };
}

const keyOf = (url: string) => resolve(typedUrl(url), undefined, keyOptionsOf(resolveConfig([])));

export const siteRoutes: readonly Route[] = [
  route(
    {
      id: "listSites",
      method: "GET",
      path: "/sites",
      tag,
      scope: "read",
      summary: "The sites so far",
      query: z.object({
        ...listQuery,
        ...sortQuery(["id"], "id"),
        url: UrlFilter.optional().describe("Exactly this site, however it is spelt."),
        q: z.string().max(500).optional().describe("A part of its URL or name."),
        tag: z.string().max(100).optional(),
      }),
      at: "reader",
      wantsLive: true,
      answers: { 200: listSpec("Sites", Site) },
    },
    async ({ app, signal }, { query: { url, q, tag: label, ...query }, live, asked }) => {
      const key = url === undefined ? undefined : (keyOf(url)?.key ?? "");
      const filter = { key, contains: q, tag: label };
      const runs: KnownRuns = new Map();
      return answerList(query, {
        name: "sites",
        list: app.store.lists.sites,
        filter,
        row: Site,
        json: (site) => siteJson(app, site, live, runs),
        signal,
        asked,
      });
    },
  ),
  route(
    {
      id: "addSite",
      method: "POST",
      path: "/sites",
      tag,
      scope: "write",
      summary: "Put a site on the list, to be crawled",
      body: z
        .strictObject({ url: Url, ...z.object(siteFields).partial().shape })
        .meta({ examples: [{ url: "https://example.org/", name: "Town", keywords: [{ word: "budget", weight: 0.8 }] }] }),
      at: "writer",
      answers: { 201: { about: "The site", shape: Site } },
      problems: ["invalid-url", "conflict"],
    },
    async ({ app }, { body: { url, ...card } }) => {
      const resolved = keyOf(url);
      if (!resolved) throw new Problem("invalid-url", `${url} is not an http or https URL`);
      if (hasUserInfo(url)) throw new Problem("invalid-url", loginInUrlMessage(resolved.host));
      const { rows } = await app.store.lists.sites.part({ key: resolved.key }, { sort: "id", limit: 1 });
      if (rows[0]) throw new Problem("conflict", "it is on the list already", { id: rows[0].id });
      if (card.config) checkStoredOptions(card.config);
      const site = await app.store.site(resolved.url, resolved.key);
      await saveSite(app, site, card);
      return siteReply(app, site.id, {}, { status: 201, headers: { location: `/api/v1/sites/${site.id}` } });
    },
  ),
  route(
    {
      id: "getSite",
      method: "GET",
      path: "/sites/{id}",
      tag,
      scope: "read",
      summary: "One site, with how its last crawl went",
      params,
      at: "reader",
      wantsLive: true,
      answers: { 200: { about: "The site", shape: Site } },
      problems: ["not-found"],
    },
    async ({ app }, { params: { id }, live }) => siteReply(app, (await requireSite(app, id)).id, live),
  ),
  ...(["PATCH", "PUT"] as const).map((method) =>
    route(
      {
        id: method === "PATCH" ? "editSite" : "replaceSite",
        method,
        path: "/sites/{id}",
        tag,
        scope: "write",
        summary:
          method === "PATCH" ? "Change what is said of a site" : "Say everything anew of a site; what is left out is as if never said",
        params,
        body: z.strictObject(z.object(siteFields).partial().shape),
        at: "writer",
        wantsLive: true,
        answers: { 200: { about: "The site as it is now", shape: Site } },
        problems: ["not-found", "precondition-failed"],
      },
      async ({ app }, { params: { id }, body, live, asked }) => {
        const site = await requireSite(app, id);
        refuseIfChanged(asked, siteTag(await siteJson(app, site)));
        const blank = { name: "", tags: [], config: {}, keywords: [] };
        await saveSite(
          app,
          site,
          method === "PATCH" ? { ...body, config: body.config && { ...site.options, ...body.config } } : { ...blank, ...body },
        );
        return siteReply(app, site.id, live);
      },
    ),
  ),
  route(
    {
      id: "removeSite",
      method: "DELETE",
      path: "/sites/{id}",
      tag,
      scope: "write",
      summary: "Remove a site with its pages, and the runs that visited nothing else",
      params,
      query: z.object({ dryRun: z.stringbool().default(false).describe("Only say what would go.") }),
      at: "writer",
      answers: { 200: { about: "What went, or would go", shape: z.object({ dryRun: z.boolean(), removed: Counts }) } },
      problems: ["not-found", "already-running"],
    },
    async ({ app }, { params: { id }, query: { dryRun } }) => {
      const site = await requireSite(app, id);
      return removed(app, site.id, { what: "site", siteId: site.id }, dryRun);
    },
  ),
];
