import { pageFacts } from "./page-facts.ts";

await pageFacts("firefox", "127.0.67.5");
