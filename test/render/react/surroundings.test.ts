import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { restore } from "../../../src/mustache/tokens.js";
import { createModuleHost } from "../../../src/process/host.js";
import { compileReact } from "../../../src/render/react/engine.js";
import { environmentEffects } from "../../../src/render/react/surroundings.js";
import { component, Project } from "./project.js";

const project = await Project.make();

/** A package, whose code is not rewritten. */
async function addPackage(name: string, code: string): Promise<void> {
  await project.add(`node_modules/${name}/package.json`, `{ "name": "${name}", "type": "module", "main": "index.js" }`);
  await project.add(
    `node_modules/${name}/index.js`,
    `import { createElement as h, forwardRef } from "react";\n${code}`,
  );
}

describe("environment variables", () => {
  test("are reported where own modules read them, and are inputs of the body", async () => {
    const before = 'const base = process.env.BASE_URL ?? "https://a.example";';
    const { output, html } = await project.compile(component("<a href={base}>{process.env.NODE_ENV}</a>", before));
    expect(html).toBe('<div><a href="https://a.example">production</a></div>');
    expect(output.environment).toEqual(["BASE_URL"]);
    expect(output.diagnostics).toMatchObject([{ rule: "environment-read", severity: "warning", at: { line: 1 } }]);
    expect(output.diagnostics[0]?.message).toContain("BASE_URL is read at compile time");
  });

  test("that put the word undefined into an address are errors", async () => {
    const { diagnostics } = await project.compile(component("<a href={`${process.env.BASE_URL}/a`}>a</a>"));
    expect(diagnostics).toMatchObject([{ rule: "environment-read", severity: "error", at: { line: 3 } }]);
    expect(diagnostics[0]?.message).toBe('BASE_URL is not set, and the compiled HTML contains "undefined".');
  });

  const settings = `const settings = {
  url: \`\${process.env.API_URL}/v1\`,
  key: process.env.STRIPE_KEY,
  site: \`https://\${process.env.SITE}\`,
  isLive: process.env.STAGE === "live",
  checked: process.env.MODE ?? "none",
};
if (settings.checked !== "none" && settings.checked !== "strict") throw new Error("MODE");`;

  test("that don't affect a body are not reported, but are inputs of it", async () => {
    const { output } = await project.compile(component("<a title='undefined'>{props.name}</a>", settings));
    expect(output.diagnostics).toEqual([]);
    expect(output.environment).toEqual(["API_URL", "MODE", "SITE", "STAGE", "STRIPE_KEY"]);
  });

  test("that don't affect a body are not reported next to a package that is set up when modules are loaded", async () => {
    await addPackage(
      "labels",
      'let end = ""; export const labels = { use(text) { end = text; }, of: (text) => `${text.length}${end}` };',
    );
    const before = 'import { labels } from "labels"; labels.use("!"); export const debug = process.env.DEBUG;';
    const { output } = await project.compile(component("{labels.of(props.name)}", before), {
      fixtures: { one: { name: "Ann" } },
    });
    expect(output.diagnostics).toEqual([]);
    expect(output.environment).toEqual(["DEBUG"]);
  });

  test("that are set are reported if the body depends on them, and may be set by own modules", async () => {
    const host = createModuleHost({
      cacheFolder: path.join(project.folder, "modules"),
      env: { LANG: "de_CH", TZ: "UTC" },
    });
    onTestFinished(() => host.close());
    const source = component(
      "<p lang={lang}>{zone.length}</p>",
      'process.env.LANG = "fr"; const lang = process.env.LANG; const zone = "UTC"; export const used = process.env.TZ;',
    );
    const template = await project.template(source.replace('process.env.LANG = "fr"; ', ""));
    const { diagnostics } = await compileReact(template, { ...project.context, host }, async () => undefined);
    expect(diagnostics).toMatchObject([
      { message: expect.stringContaining("LANG is read at compile time"), severity: "warning" },
    ]);
    const setting = await compileReact(
      await project.template(source),
      { ...project.context, host },
      async () => undefined,
    );
    expect(setting.diagnostics).toEqual([]);
  });

  test("that affect a body are found among hundreds with few renderings", async () => {
    const names = Array.from({ length: 300 }, (_each, index) => `SETTING_${index}`);
    const reads = names.map((name) => ({ name, isSet: false, at: { file: "settings.ts", line: 1 } }));
    let count = 0;
    // oxlint-disable node/no-process-env -- the trial's environment
    const render = async (): Promise<string | undefined> => {
      count += 1;
      if (process.env["SETTING_40"] === "1") return undefined;
      return `${process.env["SETTING_7"] ?? "none"} ${process.env["SETTING_222"] === "live"}`;
    };
    const effects = await environmentEffects(reads, { body: "none false", render, code: '"===", a, "live", (' });
    expect(effects.map(({ name }) => name)).toEqual(["SETTING_7", "SETTING_222"]);
    expect(count).toBeLessThan(70);
  });

  test("are reported if one of several is in the body, or affects it", async () => {
    const { diagnostics } = await project.compile(
      component("<a href={settings.site} title={settings.isLive ? 'live' : 'test'}>{props.name}</a>", settings),
    );
    expect(diagnostics).toMatchObject([
      { message: 'SITE is not set, and the compiled HTML contains "undefined".', severity: "error", at: { line: 4 } },
      { message: expect.stringContaining("STAGE is read at compile time"), severity: "warning", at: { line: 5 } },
    ]);
  });
});

describe("the time of the build", () => {
  const DATE = 'new Date().toLocaleDateString("en-US", { month: "long", day: "numeric" })';
  const withBody = (body: string): string => `export default function Email(props) {\n${body}\n}`;

  test.each([
    ["a date", `return <p>\n{props.name}\n<i>{${DATE}}</i></p>;`, 4],
    ["next to what is computed", `return <p>\n{props.name.toUpperCase()}\n<i>{${DATE}}</i></p>;`, 4],
    ["next to a year", `const year = new Date().getFullYear();\n\nreturn <p>{year} {${DATE}}</p>;`, 4],
    [
      "in a constant",
      `const at = Date.now();\nconst seed = Math.random() < 2;\nreturn <a href={\`/\${at}\`}>{seed}</a>;`,
      2,
    ],
    ["in a condition", "return <p>\n{new Date().getHours() < 12 ? 'morning' : 'evening'}</p>;", 3],
  ])("is an error where it is read: %s", async (_what, body, line) => {
    const { diagnostics } = await project.compile(withBody(body), { fixtures: { one: { name: "Ada" } } });
    expect(diagnostics).toMatchObject([{ rule: "time-in-body", severity: "error", at: { line } }]);
    expect(diagnostics[0]?.hint).toBe("Pass it as a variable, such as sentAt.");
  });

  test.each([
    ["const {\nname,\nsentAt = new Date().toISOString(),\n} = props;\nreturn <p>{name} {sentAt}</p>;", 4],
    ["const {\nname,\nsentAt = new Date().toISOString(),\n} = props;\nreturn <p>{name} {sentAt.slice(0, 10)}</p>;", 4],
    ["const { sentAt: at = Date.now() } = props;\nreturn <p>{new Date(at).toISOString()}</p>;", 2],
  ])("is an error as a default, at its line: %#", async (body, line) => {
    const { diagnostics } = await project.compile(withBody(body), {
      fixtures: { one: { name: "Ada", sentAt: "2026-01-02T03:04:05.000Z" } },
    });
    expect(diagnostics).toMatchObject([{ rule: "time-in-body", severity: "error", at: { line } }]);
    expect(diagnostics[0]?.message).toContain("The default of this variable is the time of the build");
    expect(diagnostics[0]?.hint).toBe("Remove the default, and always pass the variable.");
  });

  test.each(["© {new Date().getFullYear()} {props.name.trim()}", "{2000 < new Date().getFullYear() && props.name}"])(
    "may be a year: %s",
    async (text) => {
      const { diagnostics } = await project.compile(component(text), { fixtures: { one: { name: "Ada" } } });
      expect(diagnostics).toEqual([]);
    },
  );
});

describe("a module that throws because environment variables are not set", () => {
  const place = async (file: string): Promise<string> => {
    const source = component("{settings.site}", `import { settings } from "../${file}";`);
    const { output } = await project.compile(source);
    const [{ message, at, hint } = { message: "", at: undefined, hint: "" }] = output.diagnostics;
    expect(output.diagnostics).toHaveLength(1);
    return `${path.basename(at?.file ?? "")}:${at?.line} ${message} ${hint}`;
  };

  test.each([
    [
      "itself",
      `const url = process.env.DATABASE_URL;
if (!url) throw new Error("No database");
export const settings = { url };`,
      "settings.ts:2 No database It reads DATABASE_URL, which is not set here: commands pass to project code only",
    ],
    [
      "through a package",
      `import { createSettings } from "checked-settings";
export const settings = createSettings(process.env, ["DATABASE_URL", "QUEUE_URL", "PAYMENT_ID", "NODE_ENV", "SITE", "STAGE"]);`,
      "settings.ts:2 Invalid variables It reads DATABASE_URL, QUEUE_URL, PAYMENT_ID and 2 more, which are not set here:",
    ],
    [
      "from a copy",
      `const { QUEUE_URL: queue } = { ...process.env };
if (queue === undefined) throw new Error("No queue");
export const settings = { queue };`,
      "settings.ts:2 No queue It reads all environment variables: commands pass to project code only variables",
    ],
    [
      "after modules that throw nothing",
      `import { optional } from "./optional.js";
if (!process.env.QUEUE_URL) throw new Error(\`No queue for \${optional}\`);
export const settings = {};`,
      "settings.ts:2 No queue for none It reads QUEUE_URL, which is not set here:",
    ],
    [
      "while nothing was read",
      "export const settings = null.site;",
      "settings.ts:1 TypeError: Cannot read properties of null (reading 'site') undefined",
    ],
  ])("is reported with their names: %s", async (_how, settings, expected) => {
    await addPackage(
      "checked-settings",
      'export function createSettings(all, names) { if (names.filter((name) => !all[name]).length > 0) throw new Error("Invalid variables"); return all; }',
    );
    await project.add("optional.js", 'export const optional = process.env.OPTIONAL ?? "none";');
    await project.add("settings.ts", settings);
    expect(await place("settings.js")).toContain(expected);
  });
});

describe("PreviewProps that aren't variables are rejected where they are written", () => {
  test.each([
    ["{ a: 1, due: new Date(NaN) }", "new Date(NaN)", "PreviewProps.due is an invalid Date"],
    [
      "{ steps: [{ text: 'x' }, { text: <b>x</b> }] } satisfies object",
      "<b>x</b>",
      "PreviewProps.steps[1].text is a React element",
    ],
    ["{ render() {} }", "() {}", "PreviewProps.render is a function"],
    ["{ ...{ due: new Map() } }", "{ ...", "PreviewProps.due is a Map"],
  ])("%s", async (props, place, message) => {
    const source = `${component("x")}Email.PreviewProps = ${props};\n`;
    const { diagnostics } = await project.compile(source);
    expect(diagnostics).toMatchObject([{ rule: "react-preview-props", severity: "error" }]);
    expect(diagnostics[0]?.message).toContain(message);
    const { line = 0, column = 0 } = diagnostics[0]?.at ?? {};
    const found = source.split("\n")[line - 1]?.slice(column - 1) ?? "";
    expect(found.slice(0, place.length)).toBe(place);
  });
});

describe("a preview", () => {
  const before = 'import { Head, Html, Preview } from "@react-email/components";';
  const LONG = "word ".repeat(60);

  test("may be longer than its limit, with variables and choices in it", async () => {
    const text = `\`Hello \${props.name}, ${LONG} \${props.vip ? "dear" : "good"} \${props.end}\``;
    const { html, diagnostics } = await project.prove(component(`<Preview>{${text}}</Preview>`, before), {
      fixtures: { one: { name: "Ann & Bob", vip: true, end: "end" } },
    });
    expect(diagnostics).toEqual([]);
    expect(html).toContain(`Hello {{name}}, ${LONG} {{#vip}}dear{{/vip}}{{^vip}}good{{/vip}} {{end}}<div>`);
  });

  test("may be composed of strings and variables", async () => {
    const { html, diagnostics } = await project.prove(
      component(`<Preview>Hello {props.name}, ${LONG} {props.end}</Preview>`, before),
      {
        fixtures: { one: { name: "Ann", end: "end" } },
      },
    );
    expect(diagnostics).toEqual([]);
    expect(html).toContain(`Hello {{name}}, ${LONG} {{end}}<div>`);
  });

  test("whose title React moves out of it is chosen together with the title", async () => {
    await addPackage(
      "preview6",
      `export const Preview = forwardRef(({ children }, ref) => [
        h("title", { key: 1 }, children.substring(0, 200)),
        h("div", { key: 2, ref, style: { display: "none" }, "data-skip-in-text": true }, children.substring(0, 200)),
      ]);
      Preview.displayName = "Preview";`,
    );
    const source = `import { Preview } from "preview6";
export default function Email({ vip, name }) {
  return <html><head /><body><Preview>{vip ? \`Dear \${name}\` : "Hello"}</Preview></body></html>;
}`;
    const { html, diagnostics } = await project.prove(source, { fixtures: { one: { vip: true, name: "Ann" } } });
    expect(diagnostics).toEqual([]);
    expect(html).toContain("<title>{{#vip}}Dear {{name}}{{/vip}}{{^vip}}Hello{{/vip}}</title>");
  });

  test("with a title is not part of the subject if the head has one", async () => {
    const source = `export default function Email({ vip, name }) {
  return <html><head>{vip && <title>{\`Dear \${name}\`}</title>}<title>Hello</title><title>And more</title></head></html>;
}`;
    const { output } = await project.prove(source, { fixtures: { one: { vip: true, name: "Ann" } } });
    expect(restore(output.title ?? "", output.tags, "text")).toBe(
      "{{#vip}}Dear {{{name}}}{{/vip}}{{^vip}}Hello{{/vip}}",
    );
  });
});

test("a JavaScript error about a call names the function as the source does", async () => {
  const { diagnostics } = await project.compile(component("{props.name}{missing()}", "const missing = undefined;"));
  expect(diagnostics[0]?.message).toBe("TypeError: missing is not a function");
});
