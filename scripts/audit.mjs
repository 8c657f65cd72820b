// Fails if the lock file is not as it should be (lock.mjs), and on high findings in what users get, by npm or joined into our own files. Where the registry offers
// no audit, it says so and goes by the lock alone.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { joined } from "./joined.mjs";
import { problemsIn } from "./lock.mjs";

const problems = problemsIn(".");
for (const problem of problems) console.log(`lock: ${problem}`);
if (problems.length > 0) process.exitCode = 1;

const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
const reachesUsers = ({ name, nodes }) => joined.includes(name) || nodes.some((node) => !packages[node]?.dev);

const { stdout } = spawnSync("npm", ["audit", "--json"], { encoding: "utf8" });
let report;
try {
  report = JSON.parse(stdout);
} catch {
  report = {};
}
if (!report.metadata?.vulnerabilities) {
  console.log("audit: not available here");
} else {
  const found = Object.values(report.vulnerabilities).filter(reachesUsers);
  const [high, critical] = ["high", "critical"].map((severity) => found.filter((one) => one.severity === severity).length);
  console.log(`audit: ${high} high, ${critical} critical`);
  if (high + critical > 0) process.exit(1);
}
