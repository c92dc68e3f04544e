import { expect, onTestFinished, test } from "vitest";
import { createClient } from "../../src/api/client.js";
import { startService } from "../../src/service/index.js";
import { TestProject } from "./project.js";

test("logs --follow prints new entries, and entries whose status has changed", async () => {
  const service = await startService({ data: ":memory:", port: 0 });
  onTestFinished(() => service.close());
  const { url, domain, apiKey } = service;
  const client = createClient({ apiKey, baseUrl: url });
  onTestFinished(() => client.close());
  const send = (to: string) => client.emails.send(domain, { from: "shop", to, subject: "Your order", text: "Thanks" });
  const project = new TestProject({
    "lettershop.config.json": JSON.stringify({ environments: { staging: { url, domain } } }),
  });
  await send("soft-bounce@example.org");
  const env = { LETTERSHOP_API_KEY: apiKey, LETTERSHOP_ENV: "staging" };
  const following = project.begin(["logs", "--follow"], env);
  await following.printed("SOFT-BOUNCE");
  service.faults.add({ kind: "refuse", endpoint: "v4 logs.list", status: 500 });
  await send("ada@example.org");
  service.clock.advance(6 * 60_000);
  // In any order.
  await expect.poll(() => following.stdout()).toMatch(/DELIVERED +soft-bounce@/);
  await following.printed("ada@example.org");
  following.kill("SIGINT");
  const { code, stdout, stderr } = await following.ended;
  expect(code).toBe(0);
  expect(stdout.match(/DELIVERED +soft-bounce@/g)).toHaveLength(1);
  expect(stdout.match(/ada@/g)).toHaveLength(1);
  expect(stderr).toContain("Retrying.");

  expect(await project.run(["logs", "--follow", "--json"], env)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("Use only one of them"),
  });
});
