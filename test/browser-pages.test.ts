import { pageFacts } from "./render/page-facts.ts";

pageFacts("chromium", "127.0.67.4");
