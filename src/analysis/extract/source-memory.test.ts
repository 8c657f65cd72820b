import { expect, test } from "vitest";
import { extractWithSources } from "./index.ts";
import { metadataOf } from "./metadata.ts";
import { viewPage } from "./page-view.ts";
import { learnSources } from "./source-memory.ts";

const birds = ["nuthatch", "treecreeper", "wryneck", "dipper", "wheatear", "redstart"];
const pageOf = (bird: string) => `<!doctype html><html lang="en"><head><title>The ${bird}</title>
<meta property="og:image" content="/pictures/front.jpg"><meta name="description" content="What everybody should know about the ${bird} in winter.">
<meta property="og:description" content="What everybody should know about the ${bird} in winter."></head>
<body><article><h1>The ${bird}</h1><figure><img src="/pictures/${bird}.jpg" width="800" height="600"></figure>
<p>${`The ${bird} is a bird that many know by its voice and few by its looks. `.repeat(6)}</p></article></body></html>`;
const url = (bird: string) => `https://birds.example/${bird}`;

test("a picture that is on every page is the site's, and another one is taken once that is known", () => {
  const memory = learnSources(birds.map((bird) => extractWithSources(pageOf(bird), url(bird))));
  expect(memory.get("image:og:image")).toBeLessThan(-1);
  const read = (known?: typeof memory) =>
    metadataOf(viewPage(pageOf("siskin"), { url: url("siskin"), now: 0, ...(known && { memory: known }) })).metadata;
  expect(read().image.value).toBe("https://birds.example/pictures/front.jpg");
  expect(read(memory).image.value).toBe("https://birds.example/pictures/siskin.jpg");
});

test("where others agree with a source, its word counts for more", () => {
  const memory = learnSources(birds.map((bird) => extractWithSources(pageOf(bird), url(bird))));
  expect(memory.get("description:meta:description")).toBeGreaterThan(0);
  const known = viewPage(pageOf("siskin"), { url: url("siskin"), now: 0, memory });
  const before = extractWithSources(pageOf("siskin"), url("siskin")).description.confidence;
  expect(metadataOf(known).metadata.description.confidence).toBeGreaterThan(before);
});

test("a few pages teach nothing", () => {
  expect(learnSources(birds.slice(0, 4).map((bird) => extractWithSources(pageOf(bird), url(bird)))).size).toBe(0);
});
