import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import { attempt } from "../../cache/replace-file.js";
import type { ProjectLocation } from "../../config/find.js";
import { ConfigurationError } from "../../errors.js";
import { hideFromGit } from "../data-folder.js";
import type { Output } from "../output.js";

/*
 * Programs of util-linux and the shell are named by their paths, as a project may put programs of its own on PATH. Nothing
 * here needs a util-linux that is newer than 2.34.
 */
const UNSHARE = "/usr/bin/unshare";

/** A user namespace, and one of process ids. What runs in it ends with it. */
const APART = ["--user", "--map-current-user", "--pid", "--fork", "--kill-child"];

/** A user namespace that may mount, for itself alone. */
const MOUNTING = ["--user", "--map-root-user", "--mount", "--propagation", "private"];

/** What the process gets as its last argument where it can write only to its own folders. */
const READ_ONLY = "read-only";

/**
 * Mounts everything read-only but the process's own folders, then starts it in a namespace that cannot undo that. Its
 * arguments: a folder for temporary files; folders to mount again, as they are; `--`; folders to remount, each with its
 * options; `--`; the command.
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

/** A probe takes a few of them; a busy machine may take long to come to it. */
const PROBE_MS = 10_000;

/** How to start a process that runs the project's own code. */
export interface Sandbox {
  /** The beginning of its command line. */
  readonly command: readonly string[];
  /** Variables that it needs, too. */
  readonly env: NodeJS.ProcessEnv;
}

/**
 * What the system has to keep a process from the rest of the machine. Linux lets nobody in a user namespace read the
 * environment or the memory of a process outside, and gives a process outside no number to signal; in a mount namespace,
 * it can write only to its caches and to temporary files.
 *
 * @returns An empty command where the system has no such thing, or doesn't allow it: most containers don't. How far it came,
 * the process itself tells (`isReadOnly`).
 */
export function createSandbox({ folder, dataFolder }: Pick<ProjectLocation, "folder" | "dataFolder">): Sandbox {
  // A folder that belongs to another user can't be written in from a namespace.
  if (process.platform !== "linux" || statSync(folder).uid !== process.getuid?.()) return { command: [], env: {} };
  const own = ownFolders(dataFolder);
  if (own !== undefined && works([...MOUNTING, UNSHARE, ...APART])) {
    const { temporary, kept } = own;
    const { binds, remounts } = sealing();
    const folders = [temporary, ...kept, ...binds, "--", ...remounts.flat(), "--"];
    return {
      command: [UNSHARE, ...MOUNTING, "/bin/sh", "-c", SCRIPT, "sandbox", ...folders],
      env: { TMPDIR: temporary },
    };
  }
  return { command: works(APART) ? [UNSHARE, ...APART] : [], env: {} };
}

/** Whether this process, which a sandbox's command started, can write only to its own folders. */
export function isReadOnly(): boolean {
  return process.argv.at(-1) === READ_ONLY;
}

export function warnOfWrites(output: Output): void {
  output.note(
    "Warning: the templates' code can write files on this machine, because the system does not allow namespaces.",
  );
  output.note("Run only reviewed code, or build without the key and sync from that: templates sync --from DIR");
}

function works(options: readonly string[]): boolean {
  const { status } = spawnSync(UNSHARE, [...options, "/bin/true"], { stdio: "ignore", env: {}, timeout: PROBE_MS });
  return status === 0;
}

interface OwnFolders {
  /** Empty, and what is written to it goes with the process. */
  readonly temporary: string;
  readonly kept: readonly string[];
}

/**
 * The folders that the process may write to. What a command with a key goes by is not in them.
 *
 * @returns Undefined where they can't be created.
 * @throws {ConfigurationError} One is a link, so that what it points to would become writable.
 */
function ownFolders(dataFolder: string): OwnFolders | undefined {
  hideFromGit(dataFolder);
  const temporary = path.join(dataFolder, "tmp");
  const kept = [path.join(dataFolder, "cache"), path.join(dataFolder, "modules")];
  for (const each of [temporary, ...kept]) {
    if (!attempt(() => mkdirSync(each, { recursive: true }))) return undefined;
    if (realpathSync(each) !== each)
      throw new ConfigurationError(`${each} is a symbolic link, or in one, and template code may write there.`, {
        hint: "Replace the link with a folder, or remove it.",
      });
  }
  return { temporary, kept };
}

interface Mount {
  readonly target: string;
  /** As `remount` takes them: those that are left out are asked to be dropped, which a namespace may not. */
  readonly options: readonly string[];
  readonly type: string;
}

/** What shows the kernel and stores no files. Only root can write there. */
const OF_THE_KERNEL = new Set(
  "sysfs cgroup cgroup2 devpts securityfs debugfs tracefs configfs pstore bpf hugetlbfs fusectl binfmt_misc efivarfs".split(
    " ",
  ),
);

/** What root could change the system with. The rest of /proc has to stay as it is, for the inner namespace. */
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
      type !== "proc" && !options.includes("ro") && (isRoot || !OF_THE_KERNEL.has(type)) && isReachable(target),
  );
  return {
    binds: settings.map(({ target }) => target),
    remounts: [...writable, ...settings].map(({ target, options }) => [
      target,
      ["ro", ...options.filter((option) => option !== "rw")].join(),
    ]),
  };
}

/** Nobody writes in what is below a folder that is closed to this user. */
function isReachable(target: string): boolean {
  return attempt(() => statSync(target));
}

/** What is mounted, of several in one place the uppermost: proc_pid_mountinfo(5). */
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
