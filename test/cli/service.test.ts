import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { TestProject } from "./project.js";

test.each([
  ["a file", "service.db", "it is a file, not a folder"],
  ["a folder with another service.db", ".", "is not a database of the local service"],
])("service: %s as the data folder is a usage error with a hint", async (_, data, reason) => {
  const project = new TestProject({ "service.db": "no database ".repeat(1_000) });
  const { code, stderr } = await project.run(["service", "--port", "0", "--data", data]);
  expect(code).toBe(2);
  expect(stderr).toContain(reason);
  expect(stderr).toContain("Choose another folder with --data");
  expect(stderr).not.toContain("    at ");
});

test.runIf(process.platform === "linux").each(["/proc/lettershop", "/proc/lettershop/deeper", "/dev/null/data"])(
  "service: %s cannot be created, which is reported at once as a usage error",
  async (data) => {
    const { code, stderr } = await new TestProject().run(["service", "--port", "0", "--data", data]);
    expect(code).toBe(2);
    expect(stderr).toContain(`The data folder ${data} can't be used: `);
    expect(stderr).toContain("Choose another folder with --data");
    expect(stderr).not.toContain("    at ");
  },
);

/** Runs a shell script whose mounts are only visible to itself. */
function withMounts(script: string, folder: string) {
  return spawnSync("unshare", ["-rm", "sh", "-c", script], {
    encoding: "utf8",
    env: {
      ...process.env,
      FOLDER: folder,
      RUN: new URL("../../dist/cli/run.js", import.meta.url).href,
      NODE: process.execPath,
    },
  });
}

const canMount =
  withMounts('mount -t tmpfs tmpfs "$FOLDER"', fileURLToPath(new URL(".", import.meta.url))).status === 0;

test.runIf(canMount)("service: a data folder on a read-only disk is a usage error, whether it exists or not", () => {
  const { folder } = new TestProject();
  const script = `
    mkdir "$FOLDER/read-only" "$FOLDER/full" &&
    mount -t tmpfs tmpfs "$FOLDER/read-only" && mkdir "$FOLDER/read-only/there" && mount -o remount,ro "$FOLDER/read-only" &&
    mount -t tmpfs tmpfs "$FOLDER/full" && mkdir "$FOLDER/full/there" && mount -o remount,size=4k "$FOLDER/full" &&
    exec "$NODE" --input-type=module -e '
      import { PassThrough } from "node:stream";
      const { run } = await import(process.env.RUN);
      for (const data of ["read-only/missing", "read-only/there", "full/missing"]) {
        const [stdout, stderr] = [new PassThrough(), new PassThrough()];
        const args = ["service", "--port", "0", "--cwd", "/", "--data", process.env.FOLDER + "/" + data];
        const code = await run(args, { signal: new AbortController().signal, stdout, stderr });
        console.log(JSON.stringify({ data, code, stderr: String(stderr.read()) }));
      }'`;
  const { stdout, stderr } = withMounts(script, folder);
  expect(stderr).toBe("");
  const results = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(results).toMatchObject([
    { data: "read-only/missing", code: 2, stderr: expect.stringMatching(/can't be used: .*a read-only disk/) },
    { data: "read-only/there", code: 2, stderr: expect.stringMatching(/can't be used: .*a read-only disk/) },
    {
      data: "full/missing",
      code: 2,
      stderr: expect.stringMatching(/can't be used: .*(?:disk is full|disk may be full)/),
    },
  ]);
  for (const each of results) {
    expect(each.stderr).toContain("Choose another folder with --data");
    expect(each.stderr).not.toContain("    at ");
  }
});

test("service: prints every URL if other machines can reach it, with a warning", async () => {
  const service = new TestProject().begin(["service", "--port", "0", "--host", "0.0.0.0"]);
  await service.printed("data:");
  service.kill("SIGINT");
  const { stdout, stderr } = await service.ended;
  const [first, ...lines] = stdout.split("\n");
  const port = /^Local service at http:\/\/127\.0\.0\.1:(\d+)$/.exec(first ?? "")?.[1];
  const addresses = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .filter(({ internal, family }) => !internal && family === "IPv4");
  expect(lines.filter((line) => line.startsWith("  network"))).toEqual(
    addresses.map(({ address }) => `  network        http://${address}:${port}`),
  );
  expect(lines).toContainEqual(
    expect.stringMatching(/^ {2}SMTP: smtp:\/\/127\.0\.0\.1:\d+, user app@example\.test, password local$/),
  );
  expect(stderr).toContain("Anyone who can reach the service can read and delete the captured mail.");
});

test("service: says where it listens for SMTP, also in service.json, and nothing about it with --no-smtp", async () => {
  const project = new TestProject();
  const run = async (...args: string[]) => {
    const service = project.begin(["service", "--port", "0", ...args]);
    await service.printed("data:");
    const { smtpPort }: { readonly smtpPort?: number } = JSON.parse(
      readFileSync(project.path(".lettershop/service.json"), "utf8"),
    );
    service.kill("SIGINT");
    return { smtpPort, stdout: (await service.ended).stdout };
  };
  const { smtpPort, stdout } = await run();
  expect(stdout).toContain(`  SMTP: smtp://127.0.0.1:${smtpPort}, user app@example.test, password local\n`);
  const without = await run("--no-smtp");
  expect(without.smtpPort).toBeUndefined();
  expect(without.stdout).not.toContain("SMTP");
});

test("service: keeps data out of git in a folder without a project, but doesn't change a folder that the user chose", async () => {
  const project = new TestProject();
  project.remove("package.json");
  project.git("init", "--quiet");
  project.write({ ".git/info/exclude": "node_modules\n" });
  for (const args of [[], ["--data", "kept"]]) {
    const service = project.begin(["service", "--port", "0", ...args]);
    await service.printed("Local service at");
    service.kill("SIGINT");
    await service.ended;
  }
  expect(project.git("status", "--short").trim()).toBe("?? kept/");
});

test.each([
  ["rules", "rules", []],
  ["null", null, []],
  ["alias", "alias", ["--seed", "seed.json", "--plan", "free"]],
])("service: --routing-engine %s sets how a new domain forwards", async (engine, expected, others) => {
  const domains = [{ name: "acme.test", routingEngine: "rules" }, { name: "other.test" }];
  const project = new TestProject({
    "seed.json": JSON.stringify({ accounts: [{ domains }, { apiKey: "b", domains: [{ name: "b.test" }] }] }),
  });
  const service = project.begin(["service", "--port", "0", "--routing-engine", engine, ...others]);
  await service.printed("data:");
  const [, url] = /^Local service at (\S+)$/m.exec(service.stdout()) ?? [];
  const response = await fetch(`${url}/v4/domains`, { headers: { authorization: `Basic ${btoa("api:local")}` } });
  const { domains: shown } = (await response.json()) as { domains: { routing_engine: string | null }[] };
  expect(shown.map(({ routing_engine }) => routing_engine)).toEqual(
    others.length > 0 ? [expected, "alias"] : [expected],
  );
  service.kill("SIGINT");
  expect((await service.ended).code).toBe(0);
});
