/** S3's shape, name by name. */
import type { Section } from "./outline.ts";
import type { Pack, PackPage, PackSection } from "./pack.ts";

export function packJson({ root, linked, sections, failed }: Pack): Record<string, unknown> {
  return {
    root_page: { url: root.url, ...pageJson(root) },
    linked_pages: linked.map((page) => ({ ...pageJson(page), url: page.url, relevance_score: page.relevance, anchor_text: page.anchor })),
    global_sections: Object.fromEntries(Object.entries(sections).map(([name, list]) => [name, list.map(sectionJson)])),
    failed_links: failed.map(({ url, relevance, reason, rule }) => ({ url, relevance_score: relevance, reason, rule })),
  };
}

const pageJson = ({ title, metadata, headings, sections, since }: PackPage) => ({
  title,
  metadata,
  headings,
  sections: Object.fromEntries(sections.map((section) => [section.id, partJson(section)])),
  first_seen: since,
});

const partJson = ({ heading, level, content, path }: Section) => ({ heading, level, content, path });

const sectionJson = ({ name, content, id, source, since, also }: PackSection) => ({
  name,
  content,
  id,
  source,
  first_seen: since,
  ...(also.length > 0 && { also_on: also }),
});
