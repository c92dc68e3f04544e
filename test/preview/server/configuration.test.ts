import { describe, expect, it } from "vitest";
import { html, PreviewedProject } from "./harness.js";

describe("the configuration", () => {
  it("may change, break and be fixed while the page is open", async () => {
    const project = new PreviewedProject({ ...html("hi"), "lettershop.config.json": '{ "locale": "de-CH" }' });
    const preview = await project.preview();
    const events = await preview.events();
    expect(await preview.project()).toMatchObject({ locale: "de-CH", problems: [] });

    project.write({ "lettershop.config.json": '{ "locale": "fr-FR", "timeZone": "Europe/Paris" }' });
    await events.until((event) => event.kind === "project" && event.project.timeZone === "Europe/Paris");

    project.write({ "lettershop.config.json": '{ "lokale": "de-CH" }' });
    await events.until((event) => event.kind === "project" && event.project.problems.length > 0);
    const broken = await preview.project();
    expect(broken.problems[0]?.message).toMatch(/^lettershop\.config\.json is not valid[^]*did you mean locale/);
    expect(broken).toMatchObject({ locale: "fr-FR", templates: [{ name: "hi" }] });
    project.write(html("hi", "Still compiled"));
    await events.changed("hi");

    project.remove("lettershop.config.json");
    await events.until((event) => event.kind === "project" && event.project.locale === "en-US");
    expect((await preview.project()).problems).toEqual([]);
  });

  it("may be broken when the preview starts", async () => {
    const project = new PreviewedProject({ ...html("hi"), "lettershop.config.json": "{" });
    const preview = await project.preview();
    const state = await preview.project();
    expect(state.problems[0]?.message).toContain("lettershop.config.json is not valid JSON");
    expect(state.templates).toEqual([]);
    const events = await preview.events();
    project.write({ "lettershop.config.json": "{}" });
    await events.changed("hi");
  });

  it("may be added, and may name other folders", async () => {
    const project = new PreviewedProject({ ...html("hi"), ...inFolder("emails", html("there")) });
    const preview = await project.preview();
    const events = await preview.events();
    project.write({ "lettershop.config.json": '{ "templates": "emails" }' });
    await events.changed("there");
    expect((await preview.project()).templates.map(({ name }) => name)).toEqual(["there"]);
    project.write(inFolder("emails", html("there", "Watched too")));
    await events.changed("there");
  });

  it("may be a module with its own imports, and may have a syntax error", async () => {
    const project = new PreviewedProject({
      ...html("hi"),
      "settings/locale.ts": 'export const locale = "de-CH";',
      "lettershop.config.ts": 'import { locale } from "./settings/locale.js";\nexport default { locale };\n',
    });
    const preview = await project.preview();
    const events = await preview.events();
    expect(await preview.project()).toMatchObject({ locale: "de-CH", problems: [] });
    project.write({ "settings/locale.ts": 'export const locale = "it-IT";' });
    await events.until((event) => event.kind === "project" && event.project.locale === "it-IT");
    project.write({ "lettershop.config.ts": "export default { locale: };\n" });
    await events.until((event) => event.kind === "project" && event.project.problems.length > 0);
    expect((await preview.project()).problems[0]).toMatchObject({ at: { file: "lettershop.config.ts", line: 1 } });
    project.write({ "lettershop.config.ts": 'export default { locale: "en-GB" };\n' });
    await events.until((event) => event.kind === "project" && event.project.locale === "en-GB");
  });
});

function inFolder(folder: string, files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([file, text]) => [file.replace("templates", folder), text]));
}
