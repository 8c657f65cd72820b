/** Parts of a page: content, metadata and links. */
import { z } from "zod";
import type { Hash64 } from "../../../core/records.ts";
import type { App } from "../../../engine/app.ts";
import { unpackLinks } from "../../../engine/crawl/index.ts";
import { metadataFields, type ShownMetadata, shownMetadata } from "../../../features/enrich/page-metadata.ts";
import { storedMetadata } from "../../../features/enrich/stored-metadata.ts";
import { scoringOf } from "../../../features/pages/stored-pages.ts";
import { type ContentForm, contentForms, type PageContent, pageContent } from "../../../features/read-page/page-content.ts";
import type { ListedPage } from "../../../store/index.ts";
import { etagOf, isUnchanged } from "../etag.ts";
import { answerList, listQuery, listSpec, shortList } from "../list.ts";
import { Problem } from "../problem.ts";
import { type Reply, type RequestContext, type Route, route } from "../route.ts";
import { Id } from "../shapes/shapes.ts";
import { Content, Inlink, PageLink, PageMetadataDocument } from "../shapes/shapes-page.ts";
import { pageOf } from "./pages.ts";

const params = z.object({ id: Id });
const tag = "Pages";
const problems = ["not-found"] as const;

/** Content from the web must never run as a page of our origin. */
export const SANDBOX = { "content-security-policy": "sandbox; default-src 'none'", "x-content-type-options": "nosniff" };
export const types = {
  markdown: "text/markdown; charset=utf-8",
  text: "text/plain; charset=utf-8",
  html: "text/html; charset=utf-8",
  raw: "application/octet-stream",
};

interface ContentQuery {
  readonly format: ContentForm | "json";
  readonly start: number;
  readonly maxChars?: number | undefined;
}

function contentReply(
  page: ListedPage,
  { version, body, trouble }: PageContent,
  { format, start, maxChars }: ContentQuery,
  asked: RequestContext,
): Reply {
  if (trouble !== undefined) throw new Problem("unreadable", `${page.url}: ${trouble}`);
  if (body === undefined) throw new Problem("not-found", "its body is not stored, or has no words");
  const isText = typeof body === "string";
  const etag = etagOf(isText ? body : version.bodyHash, format, start, maxChars);
  const headers = { etag, ...SANDBOX };
  if (isUnchanged(asked, etag)) return { status: 304, headers };
  const totalChars = body.length;
  const end = maxChars === undefined ? totalChars : start + maxChars;
  const part = body.slice(start, end);
  const nextStart = end < totalChars ? end : null;
  if (format !== "json") {
    const place = { "x-total-chars": String(totalChars), ...(nextStart !== null && { "x-next-start": String(nextStart) }) };
    const file =
      format === "html" || format === "raw"
        ? { "content-disposition": `attachment; filename="page-${page.id}${isText ? ".html" : ""}"` }
        : {};
    return { headers: { ...headers, ...place, ...file }, stream: { type: types[format], parts: once(part) } };
  }
  const title = version.metadata.title?.value ?? null;
  const about = { id: page.id, url: page.url, version: version.number, format: "markdown", title };
  return { headers, data: { ...about, text: String(part), start, totalChars, nextStart } };
}

export async function* once<T>(value: T): AsyncGenerator<T> {
  yield value;
}

async function linksOf({ store }: App, page: ListedPage): Promise<z.output<typeof PageLink>[]> {
  const packed = await store.packedLinks(page.id);
  const scoring = await scoringOf(store);
  const hashText = ({ hi, lo }: Hash64) => `${hi}.${lo}`;
  const matched = new Map((scoring ? await store.links.onPage(page.id) : []).map((link) => [hashText(link.hash), link.matches]));
  return (packed ? unpackLinks(packed.links(), store.hashSeed) : []).map(({ hash, key: _, block, ...link }) => {
    const matches = matched.get(hashText(hash)) ?? [];
    const keywords = Object.fromEntries(matches.map(({ word, match }) => [word, match]));
    return { ...link, context: block, score: scoring?.(page.siteId, matches) ?? 0, keywords };
  });
}

/** Text and heading of the link on the page that contains it. */
async function inlinkJson(
  { store }: App,
  { pageId, page }: { pageId: number; page: string },
  target: Hash64,
): Promise<z.output<typeof Inlink>> {
  const packed = await store.packedLinks(pageId);
  const link = packed && unpackLinks(packed.links(), store.hashSeed).find(({ hash }) => hash.hi === target.hi && hash.lo === target.lo);
  return { pageId, page, text: link?.text ?? "", heading: link?.heading ?? "" };
}

export async function metadataDocument(app: App, page: ListedPage): Promise<object> {
  const stored = await storedMetadata(app, page);
  const shown: ShownMetadata = stored ? shownMetadata(stored.metadata, { fields: metadataFields, showSources: true }) : page.metadata;
  return { id: page.id, url: page.url, isCurrent: stored?.isCurrent ?? false, metadata: { ...shown, ...overriddenFields(page, shown) } };
}

/** A manual value overrides the extracted one, which stays among the candidates. */
const overriddenFields = ({ overrides }: ListedPage, shown: ShownMetadata) =>
  Object.fromEntries(
    Object.entries(overrides).map(([field, value]) => {
      const { candidates } = (shown[field as keyof ShownMetadata] ?? {}) as { candidates?: readonly unknown[] };
      return [field, { value, source: "manual", confidence: 1, ...(candidates && { candidates }) }];
    }),
  );

export const pagePartRoutes: readonly Route[] = [
  route(
    {
      id: "getPageContent",
      method: "GET",
      path: "/pages/{id}/content",
      tag,
      scope: "read",
      summary: "What a page says: its main part in words, or the body as it came",
      params,
      query: z.object({
        format: z
          .enum([...contentForms, "json"])
          .default("markdown")
          .describe("json holds Markdown, with where it goes on."),
        version: z.coerce.number().int().min(1).optional(),
        start: z.coerce.number().int().min(0).default(0),
        maxChars: z.coerce.number().int().min(1).max(10_000_000).optional().describe("Bytes where the format is raw."),
      }),
      at: "reader",
      answers: {
        200: { about: "The content", shape: Content, types: ["text/markdown", "text/plain", "text/html", "application/octet-stream"] },
        304: { about: "It is what you have" },
      },
      problems: [...problems, "unreadable"],
    },
    async ({ app, signal }, { params: { id }, query, asked }) => {
      const page = await pageOf(app, id);
      const form = query.format === "json" ? "markdown" : query.format;
      const content = await pageContent(app, page, form, { number: query.version, signal });
      if (!content) throw new Problem("not-found", `page ${id} has no version ${query.version ?? 1}`);
      return contentReply(page, content, query, asked);
    },
  ),
  route(
    {
      id: "getPageMetadata",
      method: "GET",
      path: "/pages/{id}/metadata",
      tag,
      scope: "read",
      summary: "What a page says about itself: each value with its source, and what was not taken",
      params,
      at: "reader",
      answers: { 200: { about: "By field", shape: PageMetadataDocument } },
      problems,
    },
    async ({ app }, { params: { id } }) => {
      return { data: await metadataDocument(app, await pageOf(app, id)) };
    },
  ),
  route(
    {
      id: "listPageLinks",
      method: "GET",
      path: "/pages/{id}/links",
      tag,
      scope: "read",
      summary: "The links of a page, in their order there",
      params,
      query: z.object(listQuery),
      at: "reader",
      answers: { 200: listSpec("Links", PageLink) },
      problems,
    },
    async ({ app, signal }, { params: { id }, query, asked }) => {
      const links = await linksOf(app, await pageOf(app, id));
      return answerList(query, {
        name: "page links",
        list: shortList(links),
        filter: undefined,
        row: PageLink,
        json: (link) => link,
        signal,
        asked,
      });
    },
  ),
  route(
    {
      id: "listPageInlinks",
      method: "GET",
      path: "/pages/{id}/inlinks",
      tag,
      scope: "read",
      summary: "The pages of its site that link to a page",
      params,
      query: z.object(listQuery),
      at: "reader",
      answers: { 200: listSpec("Pages, with their words for it", Inlink) },
      problems,
    },
    async ({ app, signal }, { params: { id }, query, asked }) => {
      const { siteId } = await pageOf(app, id);
      const hash = (await app.store.lists.pageHash(id))!;
      return answerList(query, {
        name: "inlinks",
        list: app.store.lists.inlinks,
        filter: { siteId, hash },
        row: Inlink,
        json: (from) => inlinkJson(app, from, hash),
        signal,
        asked,
      });
    },
  ),
];
