import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { leaseDescription, leaseName } from "../../src/sync/lease-template.js";
import { htmlTemplate, TestProject } from "./project.js";
import { domain, environments, syncService } from "./sync-service.js";

const names = Array.from({ length: 8 }, (_, index) => `t${index}`);

describe.each(["v4", "v3"])("two machines over version %s", (version) => {
  async function start() {
    const service = await syncService();
    const first = clone(service.url, "first", 1);
    expect(await first.run(["sync"], service.env)).toMatchObject({ code: 0 });
    const [older, newer] = [clone(service.url, "older", 2), clone(service.url, "newer", 3)];
    // With compiled templates, both start at about the same moment.
    for (const project of [older, newer]) await project.run(["sync", "--dry-run"], service.env);
    return { service, older, newer };
  }

  function clone(url: string, words: string, day: number): TestProject {
    const files = names.map((name) => htmlTemplate(name, `Hello {{name}}, ${words}`));
    const project = new TestProject({
      ...environments(url, { staging: { version } }),
      ...Object.assign({}, ...files),
      ".gitignore": "node_modules\n.lettershop\n",
    });
    const date = `2026-11-0${day}T10:00:00Z`;
    const env = { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
    const identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", "-c", "commit.gpgsign=false"];
    for (const args of [
      ["init", "--quiet"],
      ["add", "."],
      [...identity, "commit", "--quiet", "--message", words],
    ])
      execFileSync("git", args, { cwd: project.folder, env });
    return project;
  }

  async function deployed({ stored }: Awaited<ReturnType<typeof syncService>>): Promise<(string | undefined)[]> {
    const bodies = Object.values(await stored()).map(
      ({ html_body }) => /Hello \{\{name\}\}, (\w+)/.exec(html_body)?.[1],
    );
    expect(bodies).toHaveLength(names.length);
    return [...new Set(bodies)];
  }

  it("leave one commit's templates if they start at once", async () => {
    const { service, older, newer } = await start();
    const [old, young] = await Promise.all(
      [older, newer].map(async (project) => project.start(["sync"], service.env).ended),
    );
    const end = await deployed(service);
    expect(end).toHaveLength(1);
    // The older run may start after the newer one has ended, or finish between the newer one's plan and its lease.
    if (old?.code !== 0) expect(end).toEqual(["newer"]);
    if (young?.code !== 0) expect(young?.stderr).toContain("since the plan was made");
    for (const ended of [old, young]) expect([0, 3]).toContain(ended?.code);
  });

  it("deploy the newer commit if the older run started first, stop the older one if the newer one did, and report a missing lease", async () => {
    const { service, older, newer } = await start();
    const name = leaseName("lettershop application");
    const between = Date.parse("2026-11-02T22:00:00Z") / 1000;
    const description = leaseDescription({ token: "0123456789ab", commitTime: between });
    await service.client.templates.create(domain, { name, description });
    const stopped = await older.run(["sync", "--wait"], service.env);
    expect(stopped).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/deploying a newer commit.*nothing was applied/),
    });
    expect(await older.run(["status"], service.env)).not.toMatchObject({
      stdout: expect.stringContaining("lettershop-lease"),
    });

    const waiting = newer.begin(["sync"], service.env);
    await waiting.printed("Waiting for it to end");
    await service.client.templates.delete(domain, name);
    expect(await waiting.ended).toMatchObject({ code: 0 });
    expect(await deployed(service)).toEqual(["newer"]);

    // Without a lease, both report it.
    for (const each of names) newer.write(htmlTemplate(each, "Hello {{name}}, again"));
    service.faults.add({ kind: "refuse", endpoint: `${version} templates.create`, status: 403 });
    const { code, stdout } = await newer.run(["sync", "--summary", "summary.md"], service.env);
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining("this run had no lease") });
    expect(readFileSync(newer.path("summary.md"), "utf8")).toContain("this run had no lease");
  });
});
