import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * What ends a browser, whatever becomes of us. A shell of its own waits at the other end of a pipe; when that closes, because we let go or because we are no
 * more, it ends every process that bears the mark, with its group, and removes what they leave behind. A kill of the crawler closes the pipe as well.
 */
export interface Leash {
  /** What the browser is started with: the mark, a home of its own, and of our environment only what a program needs to run. */
  readonly env: Record<string, string>;
  /** On its command line, where the environment of others cannot be read. */
  readonly mark: string;
  /** For what it writes; goes with it. */
  readonly folder: string;
  /** Nothing that bears the mark runs when this is done. */
  pull(): Promise<void>;
}

/** No secrets: keys, passwords and proxies are in ours. */
const passed = ["PATH", "LANG", "LC_ALL", "TZ", "LD_LIBRARY_PATH", "FONTCONFIG_PATH", "FONTCONFIG_FILE", "SystemRoot"];

export function holdLeash(): Leash {
  const mark = `nuthatch-${randomBytes(12).toString("hex")}`;
  const folder = mkdtempSync(join(tmpdir(), "nuthatch-browser-"));
  const own = passed.flatMap((name): [string, string][] => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
  const env = { ...Object.fromEntries(own), NUTHATCH_BROWSER: mark, HOME: folder, XDG_RUNTIME_DIR: folder, TMPDIR: folder };
  const script = watcher(existsSync("/proc/self/environ"));
  // A group of its own, so that what ends ours (Ctrl-C) leaves it to do its work; the mark is told, because its own command line must not bear it.
  const shell = spawn("/bin/sh", ["-c", script], { detached: true, stdio: ["pipe", "ignore", "ignore"], env: Object.fromEntries(own) });
  const ended = new Promise<void>((resolve) => shell.once("close", () => resolve()).once("error", () => resolve()));
  shell.stdin.on("error", () => undefined); // it is gone, which `ended` says
  shell.stdin.write(`${mark}\n${folder}\n`);
  shell.unref();
  (shell.stdin as unknown as { unref(): void }).unref();
  return {
    env,
    mark,
    folder,
    async pull() {
      shell.ref();
      shell.stdin.end();
      await ended;
    },
  };
}

/** Exported for its test: where there is no /proc, processes are told by their command lines. */
export function watcher(hasProc: boolean): string {
  return `
read -r mark && read -r folder || exit 0
while read -r line; do :; done
profiles=
left=50
while [ $left -gt 0 ]; do
  found=
${hasProc ? byEnvironment : byCommandLine}
  [ -z "$found" ] && break
  left=$((left - 1))
  sleep 0.1
done
# Not before: who is dying still writes.
printf %s "$profiles" | while read -r profile; do rm -rf "$profile"; done
case "$folder" in */nuthatch-browser-*) rm -rf "$folder" ;; esac
`;
}

/** Children of Chromium wipe their environment, but are of its group; its crash reporter has left the group, but bears the mark. */
const byEnvironment = `
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

const byCommandLine = `
  while read -r pid group args; do
    case "$args" in *"$mark"*) found=1; kill -s KILL -- "-$group" 2>/dev/null; kill -s KILL "$pid" 2>/dev/null ;; esac
  done <<END
$(ps -A -o pid= -o pgid= -o args=)
END`;
