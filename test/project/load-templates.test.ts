import { chmod, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { Diagnostic } from "../../src/diagnostic.js";
import { loadTemplates } from "../../src/project/load-templates.js";
import { nameProblem } from "../../src/project/template-name.js";
import { namesBelow } from "../../src/cache/inputs.js";
import { addFiles, link, makeFolder } from "../process/folder.js";

/** A templates root with one valid template and the given files; that template must always be found. */
async function load(files: Record<string, string>) {
  const root = await makeFolder({ "good.html": "<p>Good</p>", ...files }, "templates");
  const { templates, diagnostics } = loadTemplates([root]);
  expect(templates.map(({ name }) => name)).toContain("good");
  return { root, templates: templates.filter(({ name }) => name !== "good"), diagnostics };
}

/** One finding as `rule path:line:column message`, relative to the root. */
function line(root: string, { rule, at, message }: Diagnostic): string {
  const place = [path.relative(root, at?.file ?? "").replaceAll(path.sep, "/"), at?.line, at?.column].filter(
    (part) => part !== undefined,
  );
  return `${rule} ${place.join(":")} ${message}`;
}

describe("a template", () => {
  test("in a folder, with everything that it may contain", async () => {
    const { root, templates, diagnostics } = await load({
      "receipt/receipt.mjml": "\uFEFF<mjml>\r\n</mjml>\r\n",
      "receipt/receipt.txt": "Hi\r",
      "receipt/template.json": `{ "$schema": "x", "subject": "Receipt {{n}}", "description": "d", "renamedFrom": "bill", "locale": "de-CH", "direction": "ltr", "priority": "high", "expiresAfter": "10m", "onUnknown": "park" }`,
      "receipt/variables.ts": "export default 1;",
      "receipt/fixtures/minimal.json": `{}`,
      "receipt/fixtures/default.json": `{ "n": "1" }`,
      "receipt/fixtures/notes.md": "no fixture",
      "receipt/row.mjml": "an own part",
    });
    const folder = path.join(root, "receipt");
    const file = (name: string, text: string) => ({ file: path.join(folder, name), text });
    expect(diagnostics).toEqual([]);
    expect(templates).toEqual([
      {
        name: "receipt",
        engine: "mjml",
        root,
        folder,
        body: file("receipt.mjml", "<mjml>\n</mjml>\n"),
        text: file("receipt.txt", "Hi\n"),
        metadata: {
          subject: "Receipt {{n}}",
          description: "d",
          renamedFrom: "bill",
          locale: "de-CH",
          direction: "ltr",
          priority: "high",
          expiresAfter: "10m",
          onUnknown: "park",
        },
        metadataSource: expect.objectContaining({ file: path.join(folder, "template.json") }),
        variablesFile: path.join(folder, "variables.ts"),
        fixtures: [
          { name: "default", source: file("fixtures/default.json", `{ "n": "1" }`), variables: { n: "1" } },
          { name: "minimal", source: file("fixtures/minimal.json", `{}`), variables: {} },
        ],
      },
    ]);
  });

  test("as a single file, next to shared parts and other files", async () => {
    const { root, templates, diagnostics } = await load({
      "welcome.tsx": "export default () => null;",
      "sign-in.mjml": "<mjml/>",
      "_layout.tsx": "shared",
      "_shared/head.mjml": "shared",
      "_assets/logo.png": "",
      ".cache/x.html": "hidden",
      "node_modules/x/x.html": "installed",
      "README.md": "",
      "styles.css": "",
    });
    expect(diagnostics).toEqual([]);
    expect(templates.map(({ name, engine, folder, fixtures }) => ({ name, engine, folder, fixtures }))).toEqual([
      { name: "sign-in", engine: "mjml", folder: root, fixtures: [] },
      { name: "welcome", engine: "react", folder: root, fixtures: [] },
    ]);
  });

  test("of several roots, sorted by name; a root inside another is not one of its templates", async () => {
    const folder = await makeFolder({ "a/z.html": "", "b/m.html": "", "a/billing/invoice.html": "" });
    const roots = ["b", "a", "a/billing", "b"].map((name) => path.join(folder, name));
    const { templates, diagnostics } = loadTemplates(roots);
    expect(diagnostics).toEqual([]);
    expect(templates.map(({ name }) => name)).toEqual(["invoice", "m", "z"]);
  });

  test("in a folder with an unusual name", async () => {
    const root = await makeFolder({ "a/a.html": "x" }, "my #1 50%20 templates");
    expect(loadTemplates([root]).templates).toMatchObject([{ name: "a", root }]);
  });
});

describe("problems", () => {
  test.each<[string, Record<string, string>, string, string?]>([
    [
      "no body",
      { "receipt/template.json": "{}", "receipt/recepit.mjml": "" },
      `template-no-body receipt The template "receipt" has no body. Expected one of receipt.mjml, receipt.tsx, receipt.html.`,
      "Rename recepit.mjml to receipt.mjml. If the folder contains parts that templates share, begin its name with _ instead.",
    ],
    [
      "bodies next to each other, as in React Email",
      { "receipts/apple-receipt.tsx": "", "receipts/nike-receipt.tsx": "" },
      `template-no-body receipts The template "receipts" has no body. Expected one of receipts.mjml, receipts.tsx, receipts.html.`,
      `Each template has its own folder: move apple-receipt.tsx to apple-receipt/apple-receipt.tsx. "templates init --from templates/receipts" does that for all files of a React Email folder; then remove templates/receipts. If the folder contains parts that templates share, begin its name with _ instead.`,
    ],
    [
      "a group of templates",
      { "billing/invoice/invoice.mjml": "" },
      `template-no-body billing The template "billing" has no body. Expected one of billing.mjml, billing.tsx, billing.html.`,
      "Every direct child of a root is a template. If this folder is not a template, begin its name with _, or configure it as a root.",
    ],
    [
      "two bodies",
      { "receipt/receipt.mjml": "", "receipt/receipt.tsx": "" },
      `template-two-bodies receipt/receipt.tsx The template "receipt" has two bodies: receipt.mjml and receipt.tsx.`,
      "Keep one of them.",
    ],
    [
      "a name with capital letters",
      { "PasswordReset.tsx": "" },
      `template-name PasswordReset.tsx "PasswordReset" is not a valid template name. Use lower-case letters, digits, - and _, beginning with a letter or digit.`,
      "Rename it to password-reset, or begin its name with _ if templates share it.",
    ],
    [
      "a name with letters of other languages",
      { "größe-ünï.tsx": "" },
      `template-name größe-ünï.tsx "größe-ünï" is not a valid template name. Use lower-case letters, digits, - and _, beginning with a letter or digit.`,
      "Rename it to grosse-uni, or begin its name with _ if templates share it.",
    ],
    [
      "a name with a dot",
      { "welcome.test.tsx": "" },
      `template-name welcome.test.tsx "welcome.test" is not a valid template name. Use lower-case letters, digits, - and _, beginning with a letter or digit.`,
      "Rename it to welcome-test, or begin its name with _ if templates share it.",
    ],
    [
      "a reserved name",
      { "welcome__de/welcome__de.html": "" },
      `template-name welcome__de "welcome__de" is not a valid template name: __ is reserved for languages.`,
      "Rename it to welcome_de, or begin its name with _ if templates share it.",
    ],
    [
      "broken metadata",
      { "a/a.html": "", "a/template.json": `{\n  "subject": "x",\n}` },
      `metadata-json a/template.json:2:17 Trailing comma before "}".`,
    ],
    [
      "metadata that isn't an object",
      { "a/a.html": "", "a/template.json": `"x"` },
      `metadata-value a/template.json:1:1 template.json: expected an object, found "x".`,
    ],
    [
      "an unknown key",
      { "a/a.html": "", "a/template.json": `{\n  "subjct": "x"\n}` },
      `metadata-unknown-key a/template.json:2:3 template.json has an unknown key "subjct".`,
      "Did you mean subject?",
    ],
    [
      "an unknown key that resembles none",
      { "a/a.html": "", "a/template.json": `{ "wibble": 1 }` },
      `metadata-unknown-key a/template.json:1:3 template.json has an unknown key "wibble".`,
      "Use one of: subject, description, renamedFrom, locale, direction, priority, expiresAfter, onUnknown, verbatim.",
    ],
    [
      "a wrong value",
      { "a/a.html": "", "a/template.json": `{ "subject": 1 }` },
      "metadata-value a/template.json:1:14 subject: expected a string, found 1.",
    ],
    [
      "a wrong duration",
      { "a/a.html": "", "a/template.json": `{ "expiresAfter": "soon" }` },
      `metadata-value a/template.json:1:19 expiresAfter: expected a duration such as 90s, 10m, 2h or 1d, found "soon".`,
    ],
    [
      "a wrong language",
      { "a/a.html": "", "a/template.json": `{ "locale": "german" }` },
      `metadata-value a/template.json:1:13 locale: expected a language tag such as en-US, found "german".`,
    ],
    [
      "a broken fixture",
      { "a/a.html": "", "a/fixtures/x.json": `{ "a": }` },
      `fixture-json a/fixtures/x.json:1:8 Expected a value, found "}".`,
    ],
    [
      "a fixture that is a list",
      { "a/a.html": "", "a/fixtures/x.json": `\n[]` },
      `fixture-object a/fixtures/x.json:2:1 The fixture "x" is a list, but must be an object with the variables that the application passes.`,
    ],
    [
      "a fixture that is null",
      { "a/a.html": "", "a/fixtures/x.json": `null` },
      `fixture-object a/fixtures/x.json:1:1 The fixture "x" is null, but must be an object with the variables that the application passes.`,
    ],
  ])("%s", async (_, files, expected, hint) => {
    const { root, templates, diagnostics } = await load(files);
    expect(diagnostics.map((diagnostic) => line(root, diagnostic))).toEqual([expected]);
    expect(diagnostics[0]?.hint).toBe(hint);
    expect(diagnostics[0]).toMatchObject({ severity: "error", template: expect.any(String) });
    expect(templates).toEqual([]);
  });

  test("all problems at once", async () => {
    const { diagnostics } = await load({
      "a/template.json": `{ "subject": 1, "wibble": 2 }`,
      "a/fixtures/x.json": "[",
      "a/fixtures/y.json": "1",
    });
    expect(diagnostics.map(({ rule }) => rule)).toEqual([
      "template-no-body",
      "fixture-json",
      "fixture-object",
      "metadata-value",
      "metadata-unknown-key",
    ]);
  });

  test("a template with a broken fixture is loaded for inspection, but excluded", async () => {
    const folder = await makeFolder({
      "a/a.html": "",
      "a/fixtures/x.json": "[",
      "a/fixtures/y.json": "{}",
      "b/b.html": "",
      "b/fixtures/x.json": "[",
      "b/template.json": "[",
    });
    const { templates, incomplete } = loadTemplates([folder]);
    expect(templates).toEqual([]);
    expect(incomplete?.map(({ name, fixtures }) => [name, ...fixtures.map((fixture) => fixture.name)])).toEqual([
      ["a", "y"],
    ]);
  });

  test("two templates with the same name: both are excluded, each names the other", async () => {
    const folder = await makeFolder({ "a/receipt.html": "", "b/receipt/receipt.mjml": "", "b/other.html": "" });
    const { templates, diagnostics } = loadTemplates([path.join(folder, "a"), path.join(folder, "b")]);
    expect(templates.map(({ name }) => name)).toEqual(["other"]);
    const [first, second] = [path.join(folder, "a/receipt.html"), path.join(folder, "b/receipt")];
    expect(diagnostics).toMatchObject([
      { rule: "template-duplicate", at: { file: first }, message: expect.stringContaining(second) },
      { rule: "template-duplicate", at: { file: second }, message: expect.stringContaining(first) },
    ]);
  });

  test("a name that is too long", async () => {
    const { diagnostics } = await load({ [`${"a".repeat(250)}.html`]: "" });
    expect(diagnostics).toEqual([]);
    expect(nameProblem("a".repeat(251))).toContain("is 251 characters; the limit is 250");
  });

  test("a missing templates folder", async () => {
    const folder = await makeFolder({ file: "" });
    const { templates, diagnostics } = loadTemplates([path.join(folder, "templates"), path.join(folder, "file")]);
    expect(templates).toEqual([]);
    expect(diagnostics.map(({ rule, at }) => [rule, at?.file])).toEqual([
      ["templates-root", path.join(folder, "file")],
      ["templates-root", path.join(folder, "templates")],
    ]);
  });

  test("a file that isn't UTF-8", async () => {
    const root = await makeFolder({}, "templates");
    await writeFile(path.join(root, "latin.html"), Buffer.from("caf\xe9", "latin1"));
    expect(loadTemplates([root]).diagnostics).toMatchObject([
      { rule: "template-file", message: "latin.html is not UTF-8 text." },
    ]);
  });

  test("a file that is too large for any body", async () => {
    const root = await makeFolder({ "large.html": "x".repeat(5_000_000), "small.html": "<p>x</p>" }, "templates");
    const { templates, diagnostics } = loadTemplates([root]);
    expect(templates.map(({ name }) => name)).toEqual(["small"]);
    expect(diagnostics).toMatchObject([
      { rule: "template-file", message: "large.html is 5 MB; the limit for a body is 100,000 characters." },
    ]);
  });

  test.skipIf(process.platform === "win32" || process.getuid?.() === 0)("what may not be read", async () => {
    const root = await makeFolder({ "secret.html": "" }, "templates");
    await chmod(path.join(root, "secret.html"), 0);
    expect(loadTemplates([root]).diagnostics).toMatchObject([
      { rule: "template-file", message: expect.stringContaining("EACCES") },
    ]);
  });
});

describe("verbatim", () => {
  test("line ends and a byte order mark are kept", async () => {
    const { templates } = await load({
      "a/a.html": "\uFEFF<p>\r\n",
      "a/a.txt": "a\rb",
      "a/template.json": '{ "verbatim": true }\r\n',
    });
    expect(templates).toMatchObject([{ body: { text: "\uFEFF<p>\r\n" }, text: { text: "a\rb" } }]);
  });

  test("only HTML can be used verbatim", async () => {
    const { templates, diagnostics } = await load({ "a/a.mjml": "", "a/template.json": '{ "verbatim": true }' });
    expect(templates).toEqual([]);
    expect(diagnostics).toMatchObject([
      { rule: "metadata-value", message: expect.stringContaining("HTML"), at: { line: 1, column: 3 } },
    ]);
  });
});

describe("warnings", () => {
  test("a name that Windows stores with an @ before it", async () => {
    const { templates, diagnostics } = await load({
      "@con/@con.html": "",
      "@con/@con.txt": "Hi",
      "@nul.html": "",
      "@receipt/receipt.html": "",
      "lpt0/@lpt0.html": "",
      "@com1/com1.html": "",
    });
    expect(templates.map(({ name }) => name)).toEqual(["com1", "con", "lpt0", "nul", "receipt"]);
    expect(templates[1]).toMatchObject({ text: { text: "Hi" } });
    expect(diagnostics).toEqual([]);
  });

  test("a file next to the body of a single-file template", async () => {
    const { root, templates, diagnostics } = await load({ "welcome.tsx": "", "welcome.txt": "", "welcome.json": "{}" });
    expect(templates).toMatchObject([{ name: "welcome" }]);
    expect(diagnostics.map((diagnostic) => [diagnostic.severity, line(root, diagnostic)])).toEqual([
      ["warning", "template-flat welcome.json welcome.json is not used: a single-file template has only a body."],
      ["warning", "template-flat welcome.txt welcome.txt is not used: a single-file template has only a body."],
    ]);
  });

  test("an empty folder causes no warning", async () => {
    const root = await makeFolder({}, "templates");
    await mkdir(path.join(root, "left-behind"));
    expect(loadTemplates([root])).toEqual({ names: new Set(), templates: [], diagnostics: [] });
  });
});

describe.skipIf(process.platform === "win32")("links", () => {
  test("within the root are followed, and the root may be a link", async () => {
    const folder = await makeFolder({ "real/_shared/base.html": "base" });
    await link(path.join(folder, "real/_shared/base.html"), path.join(folder, "real/welcome.html"));
    await link(path.join(folder, "real"), path.join(folder, "templates"));
    const { templates, diagnostics } = loadTemplates([path.join(folder, "templates")]);
    expect(diagnostics).toEqual([]);
    expect(templates).toMatchObject([{ name: "welcome", root: path.join(folder, "real"), body: { text: "base" } }]);
  });

  test("that refer to themselves are ignored, and hide no template", async () => {
    const folder = await makeFolder({ "templates/good/good.html": "good" });
    await link("self", path.join(folder, "templates/self"));
    await link("me", path.join(folder, "templates/good/me"));
    const { templates, diagnostics } = loadTemplates([path.join(folder, "templates")]);
    expect(templates.map(({ name }) => name)).toEqual(["good"]);
    expect(diagnostics).toMatchObject([{ rule: "template-link", message: "self is a link that leads nowhere." }]);
    expect(namesBelow(path.join(folder, "templates")).map((file) => path.basename(file))).toEqual([
      "good",
      "good.html",
      "me",
      "self",
    ]);
  });

  test("that lead out of the root are rejected, whatever is linked", async () => {
    const folder = await makeFolder({
      "outside/out/out.html": "",
      "outside/secret.json": `{ "key": "secret" }`,
      "templates-2/a.html": "its name begins as the root's does",
      "templates/body/template.json": "{}",
      "templates/meta/meta.html": "",
      "templates/fixture/fixture.html": "",
      "templates/fixture/fixtures/own.json": "{}",
      "templates/fixtures/fixtures.html": "",
      "templates/vars/vars.html": "",
      "templates/fine.html": "",
    });
    const [root, outside] = [path.join(folder, "templates"), path.join(folder, "outside")];
    await link(path.join(outside, "out"), path.join(root, "out"));
    await link(path.join(folder, "templates-2/a.html"), path.join(root, "a.html"));
    await link(path.join(outside, "out/out.html"), path.join(root, "body/body.html"));
    await link(path.join(outside, "secret.json"), path.join(root, "meta/template.json"));
    await link(path.join(outside, "secret.json"), path.join(root, "fixture/fixtures/x.json"));
    await link(outside, path.join(root, "fixtures/fixtures"));
    await link(path.join(outside, "secret.json"), path.join(root, "vars/variables.ts"));
    await link(path.join(outside, "gone"), path.join(root, "broken"));
    const { templates, diagnostics } = loadTemplates([root]);
    expect(templates.map(({ name }) => name)).toEqual(["fine"]);
    expect(new Set(diagnostics.map(({ rule }) => rule))).toEqual(new Set(["template-link"]));
    expect(diagnostics.map(({ at }) => path.relative(root, at?.file ?? ""))).toEqual([
      "a.html",
      "body/body.html",
      "broken",
      "fixture/fixtures/x.json",
      "fixtures/fixtures",
      "meta/template.json",
      "out",
      "vars/variables.ts",
    ]);
  });
});

test("two hundred templates load within a second", async () => {
  const files = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`t${n}/t${n}.html`, "<p/>"]));
  const root = await makeFolder(files, "templates");
  await addFiles(
    root,
    Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`t${n}/fixtures/default.json`, "{}"])),
  );
  expect(loadTemplates([root]).templates).toHaveLength(200);
});
