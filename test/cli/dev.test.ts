import { writeFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { createClient } from "../../src/api/client.js";
import { locateLocalService } from "../../src/project/local-service.js";
import { startService } from "../../src/service/index.js";
import { htmlTemplate, TestProject } from "./project.js";

const ANY_PORT = ["dev", "--port", "0"];

/** A template on the project's local service. */
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

test("saved changes are synced to the local service, except for templates that don't compile; kill -9 leaves no lock on the data; a running local service is used and keeps running", async () => {
  const project = new TestProject({
    ...htmlTemplate("receipt"),
    ...htmlTemplate("welcome"),
    "lettershop.config.json": JSON.stringify({
      defaultEnvironment: "production",
      environments: { production: { url: "http://127.0.0.1:9", domain: "shop.example" } },
    }),
  });
  const dev = project.start(ANY_PORT, { LETTERSHOP_API_KEY: "secret" });
  await dev.printed("synced to local only. To sync to production, run: templates sync.");
  await expect.poll(() => stored(project, "receipt")).toContain("Hello {{name}}");
  await expect.poll(() => stored(project, "welcome")).toContain("Hello {{name}}");

  project.write(htmlTemplate("receipt", "Paid, {{name}}"));
  await expect.poll(() => stored(project, "receipt")).toContain("Paid, {{name}}");

  // Overwrite without truncating first: an empty file could be read in between, and compiles.
  const broken = htmlTemplate("receipt", "{{#name}}Broken, and longer")["templates/receipt/receipt.html"] ?? "";
  writeFileSync(project.path("templates/receipt/receipt.html"), broken, { flag: "r+" });
  await dev.printed("receipt does not compile, so the local service keeps its previous version.");
  expect(await stored(project, "receipt")).toContain("Paid, {{name}}");
  project.write(htmlTemplate("receipt", "Fixed, {{name}}"));
  await expect.poll(() => stored(project, "receipt")).toContain("Fixed, {{name}}");

  project.remove("templates/welcome");
  await dev.printed("Deleted welcome from local.");
  expect(await stored(project, "welcome")).toBeUndefined();

  dev.kill("SIGKILL");
  const { stdout, stderr } = await dev.ended;
  expect(stdout).toMatch(/^Preview {8}http:\S+\nLocal service {2}http:\S+\nSMTP {11}smtp:\/\/127\.0\.0\.1:\d+\n$/);
  expect(stdout + stderr).not.toContain("secret");

  const service = await startService({ data: project.path(".lettershop"), port: 0 });
  onTestFinished(() => service.close());
  project.write(htmlTemplate("receipt", "Later, {{name}}"));
  const again = project.start(ANY_PORT);
  await again.printed(`Local service  ${locateLocalService(project.folder).url}`);
  await again.printed(`SMTP           smtp://127.0.0.1:${service.smtpPort}`);
  await again.printed("Synced receipt to local.");
  again.kill("SIGTERM");
  expect((await again.ended).code).toBe(0);
  expect(await stored(project, "receipt")).toContain("Later, {{name}}");
});

test("dev syncs only to the local service", async () => {
  const { code, stderr } = await new TestProject(htmlTemplate("receipt")).run(["dev", "--env", "production"]);
  expect(code).toBe(2);
  expect(stderr).toContain("run: templates sync --env production");
});
