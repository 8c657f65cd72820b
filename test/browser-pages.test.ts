import { hostilePages } from "./render/hostile-pages.ts";
import { pageFacts } from "./render/page-facts.ts";

await pageFacts(
  "chromium",
  "127.0.67.4",
  hostilePages.filter(({ isQuick }) => isQuick),
);
