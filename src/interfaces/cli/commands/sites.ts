import type { Command } from "commander";
import type { App } from "../../../engine/app.ts";
import { SetupError } from "../../../engine/config/index.ts";
import { count, plural } from "../../../engine/telemetry/index.ts";
import { findSite } from "../../../features/pages/find.ts";
import { siteRun } from "../../../features/sites/site-facts.ts";
import { type SiteReport, siteReports } from "../../../features/sites/sites.ts";
import { type Answer, openAnswer } from "../answer.ts";
import { newCommand } from "../command.ts";
import { addListFlags, type ListFlags, type ListShape, openList, sortItems } from "../list.ts";
import { dbFlag, paragraph, type Shell } from "../shell.ts";
import { pickVerb } from "../verb.ts";
import { checkRemoval, confirmAndRemove, type RemovalFlags } from "./removal.ts";
import { withStored } from "./stored.ts";

type SitesFlags = ListFlags & RemovalFlags;

const VERBS = ["list", "show", "rm"] as const;

const shape: ListShape = {
  columns: ["id", "url", "pages", "gone", "runs", "lastRun", "ended", "startedAt", "new", "changed", "keywords", "newLinks", "next"],
  shown: ["id", "pages", "lastRun", "ended", "new", "changed", "gone", "links", "url", "next"],
  sparse: ["links"],
  sort: "id",
};

export function build(shell: Shell, _exit: (code: number) => void): Command {
  const command = newCommand("sites", "The sites that were crawled into the data file. A site comes into it by being crawled.")
    .argument(`[${VERBS.join("|")}]`, "list them, show one, or remove one with its pages and runs", "list")
    .argument("[site]", "its number, its URL, or a part of it that only one site has")
    .option("--dry-run", "rm: say what would go, and remove nothing");
  addListFlags(command, shape);
  return command.action(async (given: string, text: string | undefined, flags: SitesFlags) => {
    const verb = pickVerb("sites", given, VERBS);
    if (verb === "list") return list(shell, flags);
    if (text === undefined) throw new SetupError(`which site is to be ${verb === "rm" ? "removed" : "shown"}?`, `nuthatch sites ${verb} 1`);
    const answer = openAnswer(shell, flags, "one");
    await withStored(flags, shell, async (app, db) => {
      await answer(verb === "show" ? await show(app, db, text) : await remove(app, text, { shell, flags }));
    });
  });
}

async function list(shell: Shell, flags: SitesFlags): Promise<void> {
  const print = openList(shell, flags, { name: "sites", shape });
  await withStored(flags, shell, async (app, db) => {
    const sites = (await siteReports(app)).map((site) => listed(site, db));
    await print(sortItems(sites, flags.sort));
  });
}

function listed(site: SiteReport, db: string) {
  const record = { ...site, next: `${site.next}${dbFlag(db)}` };
  const words = Object.entries(site.keywords).map(([word, weight]) => (weight === 1 ? word : `${word}=${weight}`));
  const links = site.newLinks > 0 ? `+${count(site.newLinks)} new ≥ 0.8` : "";
  const row = { ...record, new: site.changes?.new ?? null, changed: site.changes?.changed ?? null, keywords: words.join(", "), links };
  return { record, row };
}

async function show(app: App, db: string, text: string): Promise<Answer> {
  const { id } = await findSite(app, text);
  const site = (await siteReports(app)).find((report) => report.id === id)!;
  const runs = await app.store.runs({ siteId: id, limit: 5 });
  const before = await Promise.all(runs.slice(1).map((run) => siteRun(app, id, run)));
  const { record, row } = listed(site, db);
  const changes = Object.entries(site.changes ?? {}).filter(([, number]) => number > 0);
  const lines = [
    site.url,
    `  pages     ${count(site.pages)}${site.gone > 0 ? `, and ${count(site.gone)} that are gone` : ""}`,
    `  runs      ${count(site.runs)}`,
    ...(site.lastRun === null ? [] : [`  last run  ${site.lastRun}: ${site.ended}, begun ${site.startedAt}`]),
    ...(changes.length === 0 ? [] : [`  changes   ${changes.map(([change, number]) => `${change} ${count(number)}`).join(" · ")}`]),
    ...(row.keywords === "" ? [] : [`  keywords  ${row.keywords}`]),
    ...(site.newLinks === 0
      ? []
      : [`  links     +${plural(site.newLinks, "new link", "new links")} ≥ 0.8 → nuthatch links ${id} --new --min-score 0.8${dbFlag(db)}`]),
    ...before.map(
      ({ run, counts }) =>
        `  before    run ${run.id}, begun ${new Date(run.startedAt).toISOString()}${counts ? `, ${plural(counts.pages, "page", "pages")}` : ""}`,
    ),
    `  next      ${record.next}`,
  ];
  return { document: { site: record, runs: runs.map(({ id: run }) => run) }, text: paragraph(lines) };
}

async function remove(app: App, text: string, { shell, flags }: { shell: Shell; flags: SitesFlags }): Promise<Answer> {
  const site = await findSite(app, text);
  checkRemoval(flags, shell, `removing the site ${site.url}`);
  const plan = await app.store.maintenance.plan({ what: "site", siteId: site.id });
  return confirmAndRemove(plan, { shell, flags, what: site.url });
}
