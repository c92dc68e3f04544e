import { writeFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { createClient } from "../../src/api/client.js";
import { locateLocalService } from "../../src/config/local-service.js";
import { startService } from "../../src/service/index.js";
import { htmlTemplate, TestProject } from "./project.js";

const ANY_PORT = ["dev", "--port", "0"];

/** What the local service of the project has of a template. */
async function stored(project: TestProject, name: string): Promise<string | undefined> {
  const client = createClient({ baseUrl: locateLocalService(project.folder).url, apiKey: "local" });
  try {
    return (await client.templates.get("example.test", name)).html_body;
  } catch {
    return undefined;
  } finally {
    await client.close();
  }
}

test("what is saved is synced to the local service, and what does not compile stays as it was; kill -9 leaves nothing that holds the data; a local service that runs is used, and goes on", async () => {
  const project = new TestProject({
    ...htmlTemplate("receipt"),
    ...htmlTemplate("welcome"),
    "lettershop.config.json": JSON.stringify({
      defaultEnvironment: "production",
      environments: { production: { url: "http://127.0.0.1:9", domain: "shop.example" } },
    }),
  });
  const dev = project.start(ANY_PORT, { LETTERSHOP_API_KEY: "secret" });
  await dev.printed("synced to local only; for production, run: templates sync");
  await expect.poll(() => stored(project, "receipt")).toContain("Hello {{name}}");
  await expect.poll(() => stored(project, "welcome")).toContain("Hello {{name}}");

  project.write(htmlTemplate("receipt", "Paid, {{name}}"));
  await expect.poll(() => stored(project, "receipt")).toContain("Paid, {{name}}");

  // Over what is there, which is shorter: a file that is emptied first may be read then, and compiles.
  const broken = htmlTemplate("receipt", "{{#name}}Broken, and longer")["templates/receipt/receipt.html"] ?? "";
  writeFileSync(project.path("templates/receipt/receipt.html"), broken, { flag: "r+" });
  await dev.printed("receipt does not compile: the local service keeps it as it was.");
  expect(await stored(project, "receipt")).toContain("Paid, {{name}}");
  project.write(htmlTemplate("receipt", "Mended, {{name}}"));
  await expect.poll(() => stored(project, "receipt")).toContain("Mended, {{name}}");

  project.remove("templates/welcome");
  await dev.printed("Took welcome from local.");
  expect(await stored(project, "welcome")).toBeUndefined();

  dev.kill("SIGKILL");
  const { stdout, stderr } = await dev.ended;
  expect(stdout).toMatch(/^Preview {8}http:\S+\nLocal service {2}http:\S+\n$/);
  expect(stdout + stderr).not.toContain("secret");

  const service = await startService({ data: project.path(".lettershop"), port: 0 });
  onTestFinished(() => service.close());
  project.write(htmlTemplate("receipt", "Later, {{name}}"));
  const again = project.start(ANY_PORT);
  await again.printed(`Local service  ${locateLocalService(project.folder).url}`);
  await again.printed("Synced receipt to local.");
  again.kill("SIGTERM");
  expect((await again.ended).code).toBe(0);
  expect(await stored(project, "receipt")).toContain("Later, {{name}}");
});

test("dev syncs nowhere else", async () => {
  const { code, stderr } = await new TestProject(htmlTemplate("receipt")).run(["dev", "--env", "production"]);
  expect(code).toBe(2);
  expect(stderr).toContain("run: templates sync --env production");
});
