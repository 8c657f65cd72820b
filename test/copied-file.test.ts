/** A data file that is copied while a server works with it: the copy is a file like any other, and nothing that is at work in the original is done twice. */
import { copyFileSync, existsSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningServer, startServer } from "./api-server.ts";
import { nuthatch, tempFolder } from "./cli.ts";
import { type HeldSite, startHeldSite } from "./held-site.ts";
