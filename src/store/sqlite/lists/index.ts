import type { DatabaseSyncInstance as Database } from "@photostructure/sqlite";
import { linkType } from "../../link-type.ts";
import type { ListStore } from "../../lists.ts";
import type { Statements } from "../rows.ts";
import type { Runs } from "../runs.ts";
import { ChangeList } from "./changes.ts";
import { groupDecisions, openDecisionList, openFailureList } from "./decisions.ts";
import { listedLink, openLinkList, openSourceList, siteOfLink } from "./links.ts";
import { listedPage, openPageList } from "./pages.ts";
import { keywordsOf, listedSite, openRunList, openSiteList } from "./sites.ts";
import { graph, openInlinkList, pageHash, tree } from "./structure.ts";

/**
 * A top-level function, so that it references no statement: the driver holds it until the file is closed, and the file is closed when its
 * statements are collected.
 */
const typeOfLink = (type: string | null, url: string) => linkType(type ?? undefined, url);

/** Each list is read along an index, so that any part of a million rows is found as fast as the first. */
export function openLists(db: Database, sql: Statements, runs: Runs): ListStore {
  db.function("link_type", { deterministic: true }, typeOfLink);
  return {
    sites: openSiteList(sql),
    runs: openRunList(sql, runs),
    pages: openPageList(sql),
    links: openLinkList(sql),
    sources: openSourceList(sql),
    decisions: openDecisionList(sql),
    failures: openFailureList(sql),
    changes: new ChangeList(sql),
    inlinks: openInlinkList(sql),
    site: async (id) => listedSite(sql, id),
    page: async (id) => listedPage(sql, id),
    pageHash: async (id) => pageHash(sql, id),
    link: async (id, siteId = siteOfLink(sql, id)) => (siteId === undefined ? undefined : listedLink(sql, siteId, id)),
    decisionGroups: (filter, by, limit, signal) => groupDecisions(sql, filter, by, limit, signal),
    tree: (siteId, prefix, signal) => tree(sql, siteId, prefix, signal),
    graph: async (siteId, limit) => graph(sql, siteId, limit),
    keywords: async (siteId) => keywordsOf(sql, siteId),
  };
}
