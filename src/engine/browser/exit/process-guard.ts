import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Ensures that a browser ends with its crawler, even if the crawler is killed. A separate shell waits at the other end
 * of a pipe. When the pipe closes, because `killAll` was called or our process exited, the shell kills every process with
 * the mark and its process group, and removes their files.
 */
export interface ProcessGuard {
  /** The browser's environment: the mark, its own HOME, and only those of our variables that a program needs to run. */
  readonly env: Record<string, string>;
  /** On its command line, for systems where the environment of other processes cannot be read. */
  readonly mark: string;
  /** For the browser's files; removed with it. */
  readonly folder: string;
  /** No process with the mark runs when this resolves. */
  killAll(): Promise<void>;
}

/** Only these variables are passed on, because ours may contain keys, passwords and proxies. */
const passedVariables = ["PATH", "LANG", "LC_ALL", "TZ", "LD_LIBRARY_PATH", "FONTCONFIG_PATH", "FONTCONFIG_FILE", "SystemRoot"];

export function startProcessGuard(): ProcessGuard {
  const mark = `nuthatch-${randomBytes(12).toString("hex")}`;
  const folder = mkdtempSync(join(tmpdir(), "nuthatch-browser-"));
  const own = passedVariables.flatMap((name): [string, string][] => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
  const env = { ...Object.fromEntries(own), NUTHATCH_BROWSER: mark, HOME: folder, XDG_RUNTIME_DIR: folder, TMPDIR: folder };
  const script = guardScript(existsSync("/proc/self/environ"));
  // In a process group of its own, so that Ctrl-C for our group does not end it. The mark is sent over stdin,
  // because the shell's own command line must not contain it.
  const shell = spawn("/bin/sh", ["-c", script], { detached: true, stdio: ["pipe", "ignore", "ignore"], env: Object.fromEntries(own) });
  const ended = new Promise<void>((resolve) => shell.once("close", () => resolve()).once("error", () => resolve()));
  shell.stdin.on("error", () => undefined); // the shell has exited, which `ended` reports
  shell.stdin.write(`${mark}\n${folder}\n`);
  shell.unref();
  (shell.stdin as unknown as { unref(): void }).unref();
  return {
    env,
    mark,
    folder,
    async killAll() {
      shell.ref();
      shell.stdin.end();
      await ended;
    },
  };
}

/** Exported for its test: without /proc, processes are found by their command lines. */
export function guardScript(hasProc: boolean): string {
  return `
read -r mark && read -r folder || exit 0
while read -r line; do :; done
profiles=
left=50
while [ $left -gt 0 ]; do
  found=
${hasProc ? findByEnvironment : findByCommandLine}
  [ -z "$found" ] && break
  left=$((left - 1))
  sleep 0.1
done
# Not before: who is dying still writes.
printf %s "$profiles" | while read -r profile; do rm -rf "$profile"; done
case "$folder" in */nuthatch-browser-*) rm -rf "$folder" ;; esac
`;
}

/** Children of Chromium clear their environment but stay in its process group; its crash reporter has left the group but has the mark. */
const findByEnvironment = `
  for file in $(grep -lsF "$mark" /proc/[0-9]*/environ); do
    pid=\${file#/proc/}; pid=\${pid%/environ}
    profile=$(tr '\\0=' '\\n\\n' 2>/dev/null < "/proc/$pid/cmdline" | grep -m 1 '^/.*/playwright_[a-z]*dev_profile-[A-Za-z0-9]*$')
    stat=
    read -r stat 2>/dev/null < "/proc/$pid/stat"
    set -- \${stat##*) }
    found=1
    [ -n "$3" ] && kill -s KILL -- "-$3" 2>/dev/null
    kill -s KILL "$pid" 2>/dev/null
    [ -n "$profile" ] && profiles="$profiles$profile
"
  done`;

const findByCommandLine = `
  while read -r pid group args; do
    case "$args" in *"$mark"*) found=1; kill -s KILL -- "-$group" 2>/dev/null; kill -s KILL "$pid" 2>/dev/null ;; esac
  done <<END
$(ps -A -o pid= -o pgid= -o args=)
END`;
