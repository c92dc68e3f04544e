import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { filesOf, PipelineMachine } from "./pipeline-machine.js";
import { htmlTemplate, TestProject } from "../cli/project.js";
import { domain, syncService } from "../cli/sync-service.js";

const guide = readFileSync(fileURLToPath(new URL("../../docs/guides/sync.md", import.meta.url)), "utf8");
const sections = guide.split(/^## /m).map((section) => ({
  title: section.slice(0, section.indexOf("\n")),
  scripts: Array.from(section.matchAll(/^```sh\n([^]*?)^```$/gm), ([, script = ""]) => script),
}));

/** The commands in a section. */
function scripts(title: string): readonly string[] {
  return sections.find((section) => section.title === title)?.scripts ?? [];
}

async function setUp(files: Readonly<Record<string, string>>, environments: object = { production: {} }) {
  const service = await syncService();
  const { LETTERSHOP_API_KEY: key = "" } = service.env;
  const all = Object.entries(environments).map(([name, each]) => [
    name,
    { url: service.url, domain, keyVariable: "MAIL_API_KEY", ...each },
  ]);
  const config = JSON.stringify({ environments: Object.fromEntries(all) });
  const project = new TestProject({ "lettershop.config.json": config, ...files });
  const machine = new PipelineMachine(project);
  const env = { MAIL_API_KEY: key, LETTERSHOP_URL: service.url, LETTERSHOP_DOMAIN: domain };
  const shell = (script = "false") => machine.bash(script, { cwd: project.folder, env, options: ["-e"] });
  return { service, key, project, config, shell, names: async () => Object.keys(await service.stored()) };
}

const subject = (text: string, more: object = {}) => JSON.stringify({ subject: text, ...more });

describe.skipIf(process.platform === "win32")("the guide about sync", () => {
  it("has commands in these sections, all of which are run here", () => {
    const titles = sections.filter((section) => section.scripts.length > 0).map(({ title }) => title);
    expect(titles).toEqual([
      "# Sync",
      "States",
      "Plan first, apply later",
      "Delete templates",
      "Deployment order",
      "Environments on one domain",
      "Several roots, several packages",
      "Restore a backup",
    ]);
  });

  it("syncs, and handles an edit", async () => {
    const { service, shell, key } = await setUp(htmlTemplate("receipt"));
    const [first] = scripts("# Sync");
    expect(await shell(first)).toMatchObject({ code: 0, output: expect.stringContaining("1 of 1 applied.") });

    await service.edit("receipt", { subject: "Edited" });
    const [overwrite] = scripts("States");
    const { code, output } = await shell(overwrite);
    expect({ code, output }).toMatchObject({
      code: 0,
      output: expect.stringMatching(/receipt .*edited on the service/),
    });
    expect(output).toContain("- Edited");
    expect(output).not.toContain(key);
    expect(await service.stored()).toMatchObject({ receipt: { subject: "For {{{name}}}" } });
  });

  it("restores backups, which later syncs leave alone", async () => {
    const { service, shell, project, key } = await setUp({ ...htmlTemplate("receipt"), ...htmlTemplate("welcome") });
    const sync = "npx templates sync --env production";
    expect(await shell(sync)).toMatchObject({ code: 0 });
    project.write({ "templates/receipt/template.json": subject("A mistake") });
    project.remove("templates/welcome");
    expect(await shell(`${sync} --prune --yes`)).toMatchObject({ code: 0 });
    const [restore = "", forward = ""] = scripts("Restore a backup");
    expect(await shell(restore)).toMatchObject({ code: 0, output: expect.not.stringContaining(key) });
    expect(await shell(restore.replaceAll("receipt", "welcome"))).toMatchObject({ code: 0 });
    expect(await service.stored()).toMatchObject({ receipt: { subject: "For {{{name}}}" }, welcome: {} });
    expect(await shell(`${sync} --prune --yes`)).toMatchObject({
      code: 1,
      output: expect.stringContaining("edited on the service since it was last applied"),
    });
    expect(await service.stored()).toMatchObject({ receipt: { subject: "For {{{name}}}" }, welcome: {} });
    project.write({ "templates/receipt/template.json": subject("Fixed") });
    expect(await shell(forward)).toMatchObject({ code: 0 });
    expect(await service.stored()).toMatchObject({ receipt: { subject: "Fixed" } });
  });

  it("applies a saved plan", async () => {
    const { shell, project, key, names } = await setUp(htmlTemplate("receipt"));
    const [plan] = scripts("Plan first, apply later");
    expect(await shell(plan)).toMatchObject({ code: 0, output: expect.stringContaining("1 of 1 applied.") });
    expect(await names()).toEqual(["receipt"]);
    expect(readFileSync(project.path("sync.plan"), "utf8")).not.toContain(key);
    expect(readFileSync(project.path("plan.md"), "utf8")).toContain("1 to create");
  });

  it("renames, and prunes in a later run", async () => {
    const order = { "fixtures/default.json": JSON.stringify({ order: { number: "7" } }) };
    const named = (name: string, metadata: string) => ({
      ...htmlTemplate(name, "{{order.number}}"),
      [`templates/${name}/template.json`]: metadata,
      [`templates/${name}/fixtures/default.json`]: order["fixtures/default.json"],
    });
    const { shell, project, names } = await setUp(named("receipt", subject("Receipt {{order.number}}")));
    expect(await shell("npx templates sync --env production")).toMatchObject({ code: 0 });
    project.remove("templates/receipt");
    project.write(named("order-paid", filesOf("sync.md")["templates/order-paid/template.json"] ?? ""));

    const [prune] = scripts("Delete templates");
    expect(await shell(prune)).toMatchObject({ code: 0 });
    expect(await names()).toEqual(["order-paid", "receipt"]);
    expect(await shell(prune)).toMatchObject({ code: 0 });
    expect(await names()).toEqual(["order-paid"]);
  });

  it("deploys templates and applications in turn", async () => {
    const { service, shell, project, names } = await setUp({ ...htmlTemplate("receipt"), ...htmlTemplate("welcome") });
    expect(await shell("npx templates sync --env production")).toMatchObject({ code: 0 });
    project.remove("templates/welcome");
    project.write({
      ...htmlTemplate("receipt", "{{name}}: {{total}}"),
      "templates/receipt/fixtures/default.json": JSON.stringify({ name: "Ada", total: "7" }),
      ...htmlTemplate("greeting"),
      "templates/greeting/template.json": subject("For {{name}}", { renamedFrom: "welcome" }),
    });
    const [before, behind] = scripts("Deployment order");
    expect(await shell(before)).toMatchObject({
      code: 1,
      output: expect.stringContaining("1 of 1 applied, 1 held back."),
    });
    expect(await names()).toEqual(["greeting", "receipt", "welcome"]);
    expect(await shell(behind)).toMatchObject({ code: 0 });
    expect(await names()).toEqual(["greeting", "receipt"]);
    expect((await service.stored())["receipt"]?.text_body).toContain("total");
  });

  it("lets a template use a variable without a flag if its schema had it before", async () => {
    const schema = (...names: readonly string[]) => ({
      "templates/receipt/variables.ts": `import { z } from "zod";\nexport default z.object({ ${names.map((name) => `${name}: z.string()`).join(", ")} });\n`,
    });
    const fixture = { "templates/receipt/fixtures/default.json": JSON.stringify({ name: "Ada", total: "7" }) };
    const { shell, project } = await setUp({ ...htmlTemplate("receipt"), ...schema("name") });
    const sync = () => shell("npx templates sync --env production");
    expect(await sync()).toMatchObject({ code: 0 });
    project.write({ ...schema("name", "total"), ...fixture });
    expect(await sync()).toMatchObject({ code: 0 });
    project.write({ ...htmlTemplate("receipt", "{{name}}: {{total}}"), ...fixture });
    expect(await sync()).toMatchObject({ code: 0, output: expect.stringContaining("1 of 1 applied.") });
  });

  it("promotes", async () => {
    const both = { production: {}, staging: { namePrefix: "staging-" } };
    const { shell, names } = await setUp(htmlTemplate("receipt"), both);
    const [promote] = scripts("Environments on one domain");
    expect(await shell("npx templates sync --env staging")).toMatchObject({ code: 0 });
    expect(await shell(promote)).toMatchObject({ code: 0 });
    expect(await names()).toEqual(["receipt", "staging-receipt"]);
  });

  it("separates the packages of a monorepo", async () => {
    const { shell, project, config, names } = await setUp({});
    for (const name of ["shop", "crm"]) {
      const files = Object.entries({
        "package.json": JSON.stringify({ name: `@acme/${name}` }),
        "lettershop.config.json": config,
        ...htmlTemplate(`${name}-receipt`),
      });
      project.write(Object.fromEntries(files.map(([file, text]) => [`packages/${name}/${file}`, text])));
    }
    const [both = ""] = scripts("Several roots, several packages");
    expect(await shell(both)).toMatchObject({ code: 0 });
    expect(await shell(both.replaceAll("sync", "sync --prune --yes"))).toMatchObject({ code: 0 });
    expect(await names()).toEqual(["crm-receipt", "shop-receipt"]);
  });
});
