#!/usr/bin/env node
import { runProcess } from "./program.ts";

await runProcess(process.argv.slice(2));
