#!/usr/bin/env node
import { runProcess } from "../program.ts";

await runProcess(["tse", ...process.argv.slice(2)]);
