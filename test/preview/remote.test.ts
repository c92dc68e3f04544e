import { expect, onTestFinished, test, vi } from "vitest";
import { createClient } from "../../src/api/client.js";
import { projectAccess } from "../../src/cli/preview/project-access.js";
import type { RemoteReport } from "../../src/preview/contract.js";
import { openWorkspace, type Workspace } from "../../src/preview/server/workspace/workspace.js";
import { type RunningService, startService } from "../../src/service/index.js";
import { type MailAccess, mailAccess, nobodysAddress } from "./mail-access.js";
import { PreviewedProject } from "./server/harness.js";

const KEY = "SHOP_STAGING_KEY";
const DOMAIN = "example.test";

const page = (words: string) =>
  `<!doctype html><html lang="en"><head><title>Hello</title></head><body>${words}</body></html>`;

interface Shop {
  readonly service: RunningService;
  readonly workspace: Workspace;
  readonly access: MailAccess;
}

/**
 * Four environments: the local one, which is not running, one that works, one that is unreachable, and one without a
 * key.
 */
async function shop(): Promise<Shop> {
  vi.stubEnv("CI", "");
  vi.stubEnv(KEY, "local");
  onTestFinished(() => void vi.unstubAllEnvs());
  const service = await startService({ data: ":memory:", port: 0 });
  onTestFinished(() => service.close());
  const environments = {
    staging: { url: service.url, domain: DOMAIN, keyVariable: KEY, assets: { baseUrl: "https://cdn.example" } },
    away: { url: await nobodysAddress(), domain: DOMAIN, keyVariable: KEY },
    other: { url: service.url, domain: DOMAIN, keyVariable: "SHOP_OTHER_KEY" },
  };
  const project = new PreviewedProject({
    "lettershop.config.json": JSON.stringify({ environments }),
    ".lettershop/service.json": JSON.stringify({ url: await nobodysAddress(), domain: DOMAIN }),
    "templates/hello/hello.html": page('<p>One</p><p>Two</p><p>Three</p><img src="_assets/logo.png" alt="">'),
    "templates/hello/_assets/logo.png": "no picture",
  });
  const workspace = openWorkspace(await projectAccess({ cwd: project.folder, config: undefined }), { watch: false });
  onTestFinished(() => workspace.close());
  return { service, workspace, access: await mailAccess(project.folder) };
}

async function reportsOf({ access, workspace }: Shop): Promise<Record<string, RemoteReport>> {
  const reports = await access.remote.reports("hello", (assets) => workspace.compileFor("hello", assets));
  return Object.fromEntries(reports.map((report) => [report.environment, report]));
}

test("each environment reports the template's state, or why it is unknown", async () => {
  const here = await shop();
  const reports = await reportsOf(here);
  expect(Object.keys(reports)).toEqual(["local", "staging", "away", "other"]);
  expect(reports["staging"]).toEqual({ environment: "staging", state: "to create", changes: [] });
  expect(reports["local"]?.trouble).toEqual({
    message: "The local service isn't running.",
    hint: "Start it with `templates dev`.",
  });
  expect(reports["away"]?.trouble?.message).toContain("Can't reach");
  expect(reports["other"]?.trouble?.message).toContain("SHOP_OTHER_KEY is not set");
});

test("differences are listed by field, with the environment's images; unchanged parts are read only once", async () => {
  const here = await shop();
  const client = createClient({ baseUrl: here.service.url, apiKey: "local" });
  onTestFinished(() => client.close());
  const compiled = await here.workspace.compileFor("hello", { baseUrl: "https://cdn.example" });
  await client.templates.create(DOMAIN, {
    name: "hello",
    subject: "Hello",
    html_body: compiled?.html_body.replace("Two", "2") ?? "",
    text_body: compiled?.text_body ?? "",
  });
  const { staging } = await reportsOf(here);
  expect(staging).toMatchObject({ state: "different, with no record of applying it", updatedAt: expect.any(String) });
  expect(staging?.changes.map(({ field }) => field)).toEqual(["html_body"]);
  expect(staging?.changes[0]?.lines).toEqual([
    { kind: "skipped", text: "" },
    { kind: "same", text: expect.any(String) },
    { kind: "same", text: "<p>One</p>" },
    { kind: "removed", text: "<p>2</p>" },
    { kind: "added", text: "<p>Two</p>" },
    { kind: "same", text: "<p>Three</p>" },
    { kind: "same", text: expect.stringContaining("https://cdn.example/hello/logo.png") },
    { kind: "skipped", text: "" },
  ]);

  // No further requests: the next list would be refused.
  here.service.faults.add({ kind: "refuse", endpoint: "templates.list", status: 403 });
  here.service.faults.add({ kind: "refuse", endpoint: "templates.get", status: 403 });
  expect((await reportsOf(here))["staging"]).toEqual(staging);
});

test("a deployed template is read completely, whatever the project has now", async () => {
  const { access, service } = await shop();
  const client = createClient({ baseUrl: service.url, apiKey: "local" });
  onTestFinished(() => client.close());
  await client.templates.create(DOMAIN, {
    name: "hello",
    subject: "Hello {{name}}",
    html_body: page("<p>{{name}}, as before</p>"),
    text_body: "As before",
  });
  expect(await access.remote.deployed("hello", "staging")).toEqual({
    subject: "Hello {{name}}",
    html: page("<p>{{name}}, as before</p>"),
    text: "As before",
    updatedAt: expect.any(String),
  });
  expect(await access.remote.deployed("other", "staging")).toBeUndefined();
  await expect(access.remote.deployed("hello", "local")).rejects.toThrow("The local service isn't running.");
  await expect(access.remote.deployed("hello", "away")).rejects.toThrow("Can't reach");
  await expect(access.remote.deployed("hello", "other")).rejects.toThrow("SHOP_OTHER_KEY is not set");
});

test("a template that does not compile is reported without a request", async () => {
  const { access, service } = await shop();
  service.faults.add({ kind: "refuse", endpoint: "templates.list", status: 403 });
  const reports = await access.remote.reports("hello", async () => undefined);
  expect(reports.find(({ environment }) => environment === "staging")?.state).toBe("does not compile");
});

test("a refusal by the service is reported for that environment alone", async () => {
  const here = await shop();
  here.service.faults.add({ kind: "refuse", endpoint: "templates.list", status: 403 });
  const { staging } = await reportsOf(here);
  expect(staging?.trouble?.message).toContain("403");
  expect((await reportsOf(here))["staging"]?.state).toBe("to create");
});
