import { expect, onTestFinished, test } from "vitest";
import { startService } from "../../src/service/index.js";
import { apiOf, temporaryFolder } from "./harness.js";

const forward = "ada@example.com";
const paths = ["/aliases", "/rules"].map((path) => `/domains/example.test${path}`);

async function start(data: string) {
  const service = await startService({ data, port: 0, limits: false });
  onTestFinished(() => service.close());
  return { service, api: apiOf(service) };
}

test("aliases and rules survive a restart and are deleted with their domain", async () => {
  const data = await temporaryFolder();
  const first = await start(data);
  const { api } = first;
  await api.post("/domains/example.test/aliases", { alias: "sales", forward });
  await api.post("/domains/example.test/rules", { type: "cel", config: { expression: "true", forward }, rank: 0.1 });
  const before = await Promise.all(paths.map(async (path) => (await api.get(path)).text));
  await first.service.close();

  const again = (await start(data)).api;
  expect(await Promise.all(paths.map(async (path) => (await again.get(path)).text))).toEqual(before);
  expect((await again.delete("/domains/example.test")).status).toBe(204);
  await again.post("/domains", { domain: "example.test" });
  for (const path of paths) expect(JSON.parse((await again.get(path)).text).total).toBe(0);
});
