import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import { attempt } from "../files.js";
import { ConfigurationError } from "../errors.js";

/*
 * The shell and the programs of util-linux have absolute paths here, because a project can put its own programs on PATH.
 * util-linux 2.34 is enough.
 */
const UNSHARE = "/usr/bin/unshare";

/** A user namespace and a PID namespace. When the namespace ends, so does everything in it. */
const APART = ["--user", "--map-current-user", "--pid", "--fork", "--kill-child"];

/** A user namespace that may mount, invisibly to the rest of the system. */
const MOUNTING = ["--user", "--map-root-user", "--mount", "--propagation", "private"];

/** The process's last argument if it can write only to its own folders. */
const READ_ONLY = "read-only";

/**
 * Mounts everything read-only except for the process's own folders, then starts the process in a namespace that cannot undo
 * that. The script's arguments: a folder for temporary files; folders to bind-mount onto themselves; `--`; folders to remount,
 * each followed by its options; `--`; the command.
 */
const SCRIPT = `
sealed=${READ_ONLY}
attempt() { [ -z "$sealed" ] || /usr/bin/mount -n "$@" 2>/dev/null || sealed=; }
attempt -t tmpfs -o nosuid,nodev tmpfs "$1"
shift
while [ "$1" != -- ]; do attempt --rbind "$1" "$1"; shift; done
shift
while [ "$1" != -- ]; do attempt -o "remount,bind,$2" none "$1"; shift 2; done
shift
exec ${UNSHARE} ${APART.join(" ")} "$@" $sealed`;

/** Timeout of a probe in ms. It usually takes a few ms, but a busy machine may need much longer. */
const PROBE_MS = 10_000;

/** A project's folder, and the one with its caches. Absolute, links resolved. */
export interface SandboxFolders {
  readonly folder: string;
  readonly dataFolder: string;
}

/** How to start a process that runs project code. */
export interface Sandbox {
  /** The beginning of its command line. */
  readonly command: readonly string[];
  /** Additional environment variables. */
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Isolates a process from the rest of the machine, as far as the system allows. On Linux, a process in a user namespace
 * cannot read the environment or the memory of processes outside it, nor signal them; in a mount namespace, it can write
 * only to its caches and to temporary files.
 *
 * @returns An empty command if the system has no namespaces or does not allow them, as in most containers. Whether mounting
 * worked is only known inside the process (`isReadOnly`).
 */
export function createSandbox({ folder, dataFolder }: SandboxFolders): Sandbox {
  // Inside a namespace, a folder that belongs to another user is not writable.
  if (process.platform !== "linux" || statSync(folder).uid !== process.getuid?.()) return { command: [], env: {} };
  const own = ownFolders(dataFolder);
  if (own !== undefined && works([...MOUNTING, UNSHARE, ...APART])) {
    const { temporary, writable } = own;
    const { binds, remounts } = sealing();
    const folders = [temporary, ...writable, ...binds, "--", ...remounts.flat(), "--"];
    return {
      command: [UNSHARE, ...MOUNTING, "/bin/sh", "-c", SCRIPT, "sandbox", ...folders],
      env: { TMPDIR: temporary },
    };
  }
  return { command: works(APART) ? [UNSHARE, ...APART] : [], env: {} };
}

/** Whether this process, started with a sandbox's command, can write only to its own folders. */
export function isReadOnly(): boolean {
  return process.argv.at(-1) === READ_ONLY;
}

function works(options: readonly string[]): boolean {
  const { status } = spawnSync(UNSHARE, [...options, "/bin/true"], { stdio: "ignore", env: {}, timeout: PROBE_MS });
  return status === 0;
}

/**
 * The folders that the process may write to. A command with a key relies on nothing in them. A tmpfs is mounted on `temporary`:
 * its contents disappear with the process.
 *
 * @returns Undefined if they can't be created.
 * @throws {ConfigurationError} One is a symbolic link, whose target would become writable.
 */
function ownFolders(dataFolder: string) {
  const temporary = path.join(dataFolder, "tmp");
  const writable = [path.join(dataFolder, "cache"), path.join(dataFolder, "modules")];
  for (const each of [temporary, ...writable]) {
    const isThere = attempt(() => {
      mkdirSync(each, { recursive: true });
      return true;
    });
    if (!isThere) return undefined;
    if (realpathSync(each) !== each)
      throw new ConfigurationError(`${each} is a symbolic link, or is inside one. Template code may write there.`, {
        hint: "Remove the link or replace it with a folder.",
      });
  }
  return { temporary, writable };
}

interface Mount {
  readonly target: string;
  /** For `remount`, which drops every option that isn't listed. A namespace may not drop any. */
  readonly options: readonly string[];
  readonly type: string;
}

/** File systems that expose the kernel and store no files. Only root can write to them. */
const KERNEL_FILE_SYSTEMS = new Set(
  "sysfs cgroup cgroup2 devpts securityfs debugfs tracefs configfs pstore bpf hugetlbfs fusectl binfmt_misc efivarfs".split(
    " ",
  ),
);

/** Where root could change system settings. The rest of /proc must stay writable for the inner namespace. */
const SETTINGS = ["/proc/sys", "/proc/sysrq-trigger"];

function sealing(): { readonly binds: readonly string[]; readonly remounts: readonly (readonly [string, string])[] } {
  const mounts = readMounts();
  const isRoot = process.getuid?.() === 0;
  const proc = mounts.find(({ target }) => target === "/proc");
  const isMounted = (folder: string) => mounts.some(({ target }) => target === folder);
  const settings = SETTINGS.flatMap((target) =>
    isRoot && proc && !isMounted(target) && isReachable(target) ? { ...proc, target } : [],
  );
  const writable = mounts.filter(
    ({ target, options, type }) =>
      type !== "proc" && !options.includes("ro") && (isRoot || !KERNEL_FILE_SYSTEMS.has(type)) && isReachable(target),
  );
  return {
    binds: settings.map(({ target }) => target),
    remounts: [...writable, ...settings].map(({ target, options }) => [
      target,
      ["ro", ...options.filter((option) => option !== "rw")].join(),
    ]),
  };
}

/** A process cannot write below a folder that this user cannot enter. */
function isReachable(target: string): boolean {
  return attempt(() => statSync(target)) !== undefined;
}

/** All mounts; if several are stacked on one folder, the topmost: proc_pid_mountinfo(5). */
function readMounts(): Mount[] {
  const mounts = new Map<string, Mount>();
  for (const line of readFileSync("/proc/self/mountinfo", "utf8").trim().split("\n")) {
    const [, , , , escaped = "", options = "", ...rest] = line.split(" ");
    const target = escaped.replace(/\\([0-7]{3})/g, (_, octal: string) =>
      String.fromCharCode(Number.parseInt(octal, 8)),
    );
    const flags = options.split(",").filter((option) => option !== "idmapped");
    mounts.set(target, { target, options: flags, type: rest[rest.indexOf("-") + 1] ?? "" });
  }
  return [...mounts.values()];
}
