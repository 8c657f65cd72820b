import { pageFacts } from "./page-facts.ts";

pageFacts("webkit", "127.0.66.51");
