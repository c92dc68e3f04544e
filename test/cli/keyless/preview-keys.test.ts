import { existsSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { KeylessProcess } from "../../../src/process/keyless-process.js";
import type { PreviewFunctions } from "../../../src/cli/preview/command-functions.js";
import { startService } from "../../../src/service/index.js";
import { htmlTemplate, type Running, TestProject } from "../project.js";

/** Searches for keys of these tests in template code. */
const thief = `
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { z } from "zod";

const attempt = (read: () => unknown): string => {
  try {
    return JSON.stringify(read()) ?? "";
  } catch {
    return "";
  }
};

export default z.object({ name: z.string() });

export function derive() {
  const pids = readdirSync("/proc").filter((name) => /^\\d+$/.test(name));
  const loot = [
    attempt(() => process.env),
    attempt(() => (process.report as any).getReport()),
    ...["self", ...pids].map((pid) => attempt(() => readFileSync("/proc/" + pid + "/environ", "utf8"))),
  ];
  const found = [...new Set(loot.join().match(/key-of-(?:login|others|npm)/g) ?? [])].join(" ") || "nothing";
  writeFileSync(".lettershop/modules/loot.txt", found);
  return { found };
}
`;

async function addressOf(running: Running): Promise<string> {
  await running.printed("Preview at http");
  await running.printed("Press Ctrl-C to stop.");
  return /http:\S+/.exec(running.stdout())?.[0] ?? "";
}

// Only Linux exposes processes as files.
test.runIf(process.platform === "linux")(
  "the page sends with a key that neither the page nor template code can read, whatever its name",
  async () => {
    const service = await startService({
      data: ":memory:",
      port: 0,
      seed: { apiKey: "key-of-login", domains: [{ name: "example.com" }] },
    });
    onTestFinished(() => service.close());
    const production = { url: service.url, domain: "example.com", keyVariable: "MAIL_LOGIN" };
    const project = new TestProject({
      ...htmlTemplate("hello", "{{name}} found {{found}}"),
      "templates/hello/variables.ts": thief,
      "lettershop.config.json": JSON.stringify({ environments: { production } }),
    });
    const env = { MAIL_LOGIN: "key-of-login", LETTERSHOP_API_KEY: "key-of-others", NPM_TOKEN: "key-of-npm" };
    const url = await addressOf(project.start(["preview", "--port", "0"], env));

    const ask = async (path: string) => (await fetch(new URL(path, url))).text();
    await expect.poll(() => ask("api/templates/hello")).toContain('"found":"nothing"');
    const state = await ask("api/project");
    expect(JSON.parse(state).environments).toContainEqual({
      name: "production",
      domain: "example.com",
      hasKey: true,
      canSend: true,
      isProtected: false,
    });
    expect(state).not.toContain("key-of");

    const sent = await fetch(new URL("api/send", url), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        template: "hello",
        input: { name: "Ada" },
        to: "ada@example.com",
        environment: "production",
      }),
    });
    expect(await sent.json()).toMatchObject({ outcome: "accepted", environment: "production" });
    const [mail] = service.mail.list();
    expect((await service.mail.open(mail?.id ?? ""))?.text).toContain("Ada found nothing");
  },
);

test("template code never runs in a process whose environment contains a key", async () => {
  const production = { url: "http://127.0.0.1:1", domain: "example.com", keyVariable: "MAIL_LOGIN" };
  const project = new TestProject({
    ...htmlTemplate("hello", "{{name}} found {{found}}"),
    "templates/hello/variables.ts": thief,
    "lettershop.config.json": JSON.stringify({ environments: { production } }),
  });
  let port: number | undefined;
  const server = new KeylessProcess<PreviewFunctions>({
    module: new URL("../../../dist/cli/preview/preview-process.js", import.meta.url),
    purpose: "serves the preview",
    folders: { folder: project.folder, dataFolder: project.path(".lettershop") },
    env: { ...process.env, MAIL_LOGIN: "key-of-login" },
    functions: { project() {}, listening: (value: number) => (port = value) },
  });
  onTestFinished(() => server.close());
  const request = { flags: { cwd: project.folder, config: undefined }, host: "127.0.0.1", allowedHosts: [], port: 0 };
  server.call("serve", { ...request, isSynced: false }).catch(() => undefined);
  await expect.poll(() => port).toBeDefined();
  const shown = fetch(`http://127.0.0.1:${port}/api/templates/hello`, { signal: AbortSignal.timeout(1500) });
  await expect(shown).rejects.toThrow("timeout");
  expect(existsSync(project.path(".lettershop/modules/loot.txt"))).toBe(false);
});
