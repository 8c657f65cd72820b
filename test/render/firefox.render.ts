import { pageFacts } from "./page-facts.ts";

pageFacts("firefox", "127.0.67.5");
