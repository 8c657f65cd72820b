import type { PageHandler } from "../site/index.ts";

const text = (name: string) => `<p>${`Only who came the right way reads what is said of ${name}. `.repeat(20)}</p>`;

/** What tells an engine from the others in the names they give themselves: each of them claims to be its elders, too. */
export const agents = {
  chromium: /Chrom(?:e|ium)\//,
  firefox: /Firefox\//,
  webkit: /Version\/[\d.]+ .*Safari\//,
} as const;

/** The same, asked of the engine itself. */
const features = {
  chromium: "'chrome' in window || 'webkitRequestFileSystem' in window",
  firefox: "CSS.supports('-moz-appearance', 'none')",
  webkit: "'GestureEvent' in window || CSS.supports('-webkit-hyphens', 'auto') && !('chrome' in window)",
} as const;

export type PickyEngine = keyof typeof agents;

const paths = ["/", "/one", "/two", "/three"];

/** Real content for one engine alone: for its name, or for what it can do. Others get a wall, or an empty page. */
export function pickySite(engine: PickyEngine, by: "name" | "feature"): PageHandler {
  const real = (path: string) =>
    `<main><h1>${path}</h1>${text(path)}<ul>${paths.map((other) => `<li><a href="${other}">${other}</a></li>`).join("")}</ul></main>`;
  return ({ path, headers }) => {
    if (!paths.includes(path)) return undefined;
    if (by === "feature")
      return `<!doctype html><title>${path}</title><div id=root></div><script>if (${features[engine]}) root.innerHTML = ${JSON.stringify(real(path))};</script>`;
    const isLetIn = agents[engine].test(headers["user-agent"] ?? "");
    return isLetIn
      ? `<!doctype html><title>${path}</title>${real(path)}`
      : {
          status: 403,
          body: "<!doctype html><title>Access Denied</title><h1>Access Denied</h1><p>You don't have permission to access this.</p>",
        };
  };
}

export const pickyPaths: readonly string[] = paths;
