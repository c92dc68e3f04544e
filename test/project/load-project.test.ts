import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { findProject, loadProject } from "../../src/project/load-project.js";
import { ConfigurationError } from "../../src/errors.js";
import { createModuleHost } from "../../src/process/host.js";
import { ModuleError } from "../../src/process/module-error.js";
import { readDefault } from "../../src/process/read-default.js";
import { addFiles, link, makeFolder } from "../process/folder.js";

/** Loads the project like a command. */
async function load(cwd: string, configFile?: string) {
  const location = await findProject(configFile === undefined ? { cwd } : { cwd, configFile });
  const host = createModuleHost({ cacheFolder: path.join(location.dataFolder, "modules") });
  onTestFinished(() => host.close());
  return loadProject(location, async (file) => (await readDefault(host, file)).value);
}

async function refusal(cwd: string, configFile?: string): Promise<ConfigurationError> {
  const error: unknown = await load(cwd, configFile).catch((caught: unknown) => caught);
  if (error instanceof ConfigurationError) return error;
  throw new Error("Expected a ConfigurationError", { cause: error });
}

describe("finding the project", () => {
  test("uses the nearest configuration in a parent folder, even if a package.json is nearer", async () => {
    const folder = await makeFolder({
      "lettershop.config.json": "{}",
      "packages/app/package.json": "{}",
      "packages/app/src/x": "",
    });
    expect(await findProject({ cwd: path.join(folder, "packages/app/src") })).toEqual({
      folder,
      configFile: path.join(folder, "lettershop.config.json"),
      dataFolder: path.join(folder, ".lettershop"),
    });
  });

  test("else uses the folder of the nearest package.json, with defaults", async () => {
    const folder = await makeFolder({ "package.json": "{}", "deep/x": "" });
    expect(await load(path.join(folder, "deep"))).toEqual({
      folder,
      dataFolder: path.join(folder, ".lettershop"),
      roots: [path.join(folder, "templates")],
      registryFile: path.join(folder, "templates.gen.ts"),
      environments: {},
      check: { extends: "recommended", rules: {}, overrides: [], clients: [], rawVariables: [], custom: [] },
      sync: { marker: "lettershop", prune: [], renames: "keep", lock: true },
      locale: "en-US",
      timeZone: "UTC",
    });
    await addFiles(folder, { "src/x": "" });
    expect((await load(folder)).registryFile).toBe(path.join(folder, "src/templates.gen.ts"));
  });

  test("uses --config, relative to the working directory", async () => {
    const folder = await makeFolder({
      "lettershop.config.json": `{ "nonsense": 1 }`,
      "config/mail.json": `{ "templates": "../emails" }`,
      "src/x": "",
    });
    const project = await load(path.join(folder, "src"), "../config/mail.json");
    expect(project).toMatchObject({ folder: path.join(folder, "config"), roots: [path.join(folder, "emails")] });
  });

  test("else uses the folder where the local service has stored its data", async () => {
    const folder = await makeFolder({ ".lettershop/service.json": "{}", "deep/x": "" });
    expect((await findProject({ cwd: folder })).folder).toBe(folder);
    await expect(findProject({ cwd: path.join(folder, "deep") })).rejects.toThrow("package.json");
  });

  test("resolves symbolic links", async () => {
    const folder = await makeFolder({ "real/package.json": "{}" });
    await link(path.join(folder, "real"), path.join(folder, "linked"));
    expect((await findProject({ cwd: path.join(folder, "linked") })).folder).toBe(path.join(folder, "real"));
  });

  test("reports a missing project and two configuration files, with hints", async () => {
    const folder = await makeFolder({ "two/lettershop.config.ts": "", "two/lettershop.config.json": "{}" });
    expect((await refusal(path.join(folder, "two"))).hint).toBe("Delete one of them.");
    await addFiles(folder, { "filed/package.json": "{}", "filed/.lettershop": "" });
    expect((await refusal(path.join(folder, "filed"))).message).toContain("is not a folder");
    expect((await refusal(folder, "none.ts")).message).toBe(
      `There is no configuration file ${path.join(folder, "none.ts")}.`,
    );
    expect((await refusal(path.join(folder, "gone"))).message).toBe(`There is no folder ${path.join(folder, "gone")}.`);
    expect((await refusal(folder)).hint).toBe("Run: npx lettershop init");
  });
});

describe("loading the configuration", () => {
  const config = `
    const domain: string = "example.com";
    export default {
      templates: ["emails", "../shared/emails"],
      registry: "generated/mail.ts",
      environments: {
        production: { url: "https://api.example.com", domain, keyVariable: "MAIL_KEY", nameSuffix: "-live", confirm: true, allowInsecure: true },
        staging: { url: "http://localhost:1", domain, version: "v3" as const, assets: { baseUrl: "https://stg.example.com" },
          include: ["receipt", "account-*"], exclude: ["account-draft"],
          recipients: { allow: ["@example.com", "*@bücher.example", "ada@partner.example"], redirectTo: "inbox@example.com" },
        },
      },
      defaultEnvironment: "staging",
      assets: { baseUrl: "https://cdn.example.com/mail" },
      check: { rules: { "image-alt": "off" }, overrides: [{ templates: "a-*", rules: { contrast: "info" } }] },
      sync: { marker: "acme mail", prune: ["old-*"], renames: "in-place" as const, lock: false },
      locale: "de-CH",
      timeZone: "Europe/Zurich",
    };`;
  const folderFor = {
    ".ts": config,
    ".mts": config,
    ".js": config.replaceAll(/: string| as const/g, ""),
    ".mjs": config.replaceAll(/: string| as const/g, ""),
  };

  test.each(Object.entries(folderFor))("reads a complete configuration in %s", async (extension, source) => {
    const folder = await makeFolder({ [`lettershop.config${extension}`]: source }, "with space #1");
    const assets = { baseUrl: "https://cdn.example.com/mail" };
    const shared = { domain: "example.com" };
    expect(await load(folder)).toEqual({
      folder,
      configFile: path.join(folder, `lettershop.config${extension}`),
      dataFolder: path.join(folder, ".lettershop"),
      roots: [path.join(folder, "emails"), path.resolve(folder, "../shared/emails")],
      registryFile: path.join(folder, "generated/mail.ts"),
      environments: {
        production: {
          ...shared,
          url: "https://api.example.com",
          version: "v4",
          keyVariable: "MAIL_KEY",
          nameSuffix: "-live",
          confirm: true,
          allowInsecure: true,
          assets,
        },
        staging: {
          ...shared,
          url: "http://localhost:1",
          version: "v3",
          keyVariable: "LETTERSHOP_API_KEY",
          assets: { baseUrl: "https://stg.example.com" },
          include: ["receipt", "account-*"],
          exclude: ["account-draft"],
          recipients: {
            allow: ["@example.com", "*@bücher.example", "ada@partner.example"],
            redirectTo: "inbox@example.com",
          },
        },
      },
      defaultEnvironment: "staging",
      assets,
      check: {
        extends: "recommended",
        rules: { "image-alt": "off" },
        overrides: [{ templates: "a-*", rules: { contrast: "info" } }],
        clients: [],
        rawVariables: [],
        custom: [],
      },
      sync: { marker: "acme mail", prune: ["old-*"], renames: "in-place", lock: false },
      locale: "de-CH",
      timeZone: "Europe/Zurich",
    });
  });

  test("reports all mistakes at once, and suggestions for unknown keys", async () => {
    const folder = await makeFolder({
      "lettershop.config.json": JSON.stringify({
        $schema: "./schema.json",
        template: "emails",
        registry: "templates.json",
        environments: {
          local: { url: "https://a.example", domain: "a.example" },
          live: {
            url: "api.example.com",
            domian: "x",
            keyVariable: "sk-123",
            namePrefix: "Live",
            assets: { baseurl: "https://x.example" },
            includes: ["a"],
            exclude: "a",
            confirm: "yes",
            recipients: {
              allow: ["@*", "Ada <a@b.example>", "*@b.example"],
              redirect: "a@b",
              redirectTo: "*@b.example",
            },
          },
        },
        assets: { baseUrl: "ftp://x.example" },
        check: {
          extends: "strict",
          rule: {},
          rules: { "image-alt": "none" },
          overrides: [{ template: "a", templates: [], rules: {} }],
          custom: [{ id: "Mine", summary: "", severity: "error" }],
        },
        sync: { marker: "acme [mail]", prunes: [], prune: "a", renames: "keeps", lock: 1 },
        locale: "english!",
        timeZone: "Mars/Olympus",
      }),
    });
    const { message } = await refusal(folder);
    expect(message.split("\n  ").sort()).toEqual(
      [
        `${path.join(folder, "lettershop.config.json")} is not valid:`,
        "template: unknown key; did you mean templates?",
        "registry: expected the path of a .ts file",
        "environments.local: this name is reserved",
        "environments.live.url: expected a URL that begins with https:// or http://",
        "environments.live.domain: expected string, received undefined",
        "environments.live.domian: unknown key; did you mean domain?",
        "environments.live.keyVariable: expected the name of an environment variable, not the key",
        "environments.live.namePrefix: expected lower-case letters, digits, - and _, beginning with a letter or digit",
        "environments.live.assets.baseUrl: expected a URL that begins with https:// or http://",
        "environments.live.assets.baseurl: unknown key; did you mean baseUrl?",
        "environments.live.includes: unknown key; did you mean include?",
        "environments.live.exclude: expected array, received string",
        "environments.live.confirm: expected boolean, received string",
        "environments.live.recipients.allow.0: expected an email address, or @example.com for a whole domain",
        "environments.live.recipients.allow.1: expected an email address, or @example.com for a whole domain",
        "environments.live.recipients.redirectTo: expected one email address without a display name",
        "environments.live.recipients.redirect: unknown key; did you mean redirectTo?",
        "sync.marker: expected a single line without [ and ] that does not end with a space",
        "sync.prunes: unknown key; did you mean prune?",
        "sync.prune: expected array, received string",
        'sync.renames: Invalid option: expected one of "keep"|"in-place"',
        "sync.lock: expected boolean, received number",
        "assets.baseUrl: expected a URL that begins with https:// or http://",
        'check.extends: expected "recommended" or "all"',
        "check.rule: unknown key; did you mean rules?",
        'check.rules.image-alt: Invalid option: expected one of "off"|"info"|"warning"|"error"',
        "check.overrides.0.templates: expected a template name, a pattern such as marketing-*, or a list of these",
        "check.overrides.0.template: unknown key; did you mean templates?",
        "check.custom.0.id: expected an ID in kebab case, such as no-shouting",
        "check.custom.0.summary: expected a non-empty string",
        "locale: expected a language tag such as en-US",
        "timeZone: expected a time zone such as Europe/Paris",
      ].sort(),
    );
  });

  test.each([
    [`{ "templates": [] }`, "templates: expected a path or a list of paths"],
    [`{ "sync": { "colour": "red" } }`, "sync.colour: unknown key; the known keys are marker, prune, renames, lock"],
    [`{ "defaultEnvironment": "live" }`, `defaultEnvironment: "live" is not one of local`],
    [`{ "defaultEnvironment": "toString" }`, `defaultEnvironment: "toString" is not one of local`],
    [`[]`, "the default export: expected object, received array"],
    [`{ "templates": `, "is not valid JSON. Line 1, column 16: The file ends"],
  ])("refuses %s", async (text, message) => {
    expect((await refusal(await makeFolder({ "lettershop.config.json": text }))).message).toContain(message);
  });

  test.each([
    ["acme ", "sync.marker: expected a single line"],
    ["", "sync.marker: expected a single line"],
    ["two\nlines", "sync.marker: expected a single line"],
    ["x".repeat(81), "sync.marker: expected at most 80 characters"],
    [true, "sync.marker: expected a string or false"],
  ])("refuses the marker %j", async (marker, message) => {
    const folder = await makeFolder({ "lettershop.config.json": JSON.stringify({ sync: { marker } }) });
    expect((await refusal(folder)).message).toContain(message);
  });

  test.each([
    [`{ "name": "@acme/mail" }`, {}, "lettershop @acme/mail"],
    [`{ "name": "odd]" }`, {}, "lettershop"],
    [`{ "name": 1 }`, {}, "lettershop"],
    [`{ "name": `, {}, "lettershop"],
    [`{ "name": "mail" }`, { sync: { marker: "acme" } }, "acme"],
    [`{ "name": "mail" }`, { sync: { marker: false } }, false],
  ])("the marker of %s with %j is %j", async (manifest, settings, marker) => {
    const folder = await makeFolder({ "lettershop.config.json": JSON.stringify(settings), "package.json": manifest });
    expect((await load(folder)).sync.marker).toBe(marker);
  });

  test("reports the position of an error in the file's code", async () => {
    const folder = await makeFolder({
      "lettershop.config.ts": `export default {\n  templates: process.env.NOPE!.trim(),\n};`,
    });
    const error: unknown = await load(folder).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ModuleError);
    expect(error).toMatchObject({ at: { file: path.join(folder, "lettershop.config.ts"), line: 2 } });
  });
});
