// Preloaded into a crawler of tests that run as root, whom no permission stops.
import { isMainThread } from "node:worker_threads";

if (isMainThread) process.setuid(65534);
