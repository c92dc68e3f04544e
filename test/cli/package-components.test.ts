import { existsSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import { transform } from "rolldown/utils";
import { expect, onTestFinished, test } from "vitest";
import type { Registry } from "../../src/project/registry-types.js";
import { createMailer } from "../../src/send/index.js";
import { startLocalService } from "../../src/testing/index.js";
import { TestProject } from "./project.js";

const NEWS = `import { Body, CodeBlock, Container, dracula, Html, Markdown, Section, Text } from "@react-email/components";
export interface Props { readonly title: string; readonly body: string; readonly code: string; readonly note?: string; readonly items: readonly { readonly text: string }[] }
export default function News({ title, body, code, note, items }: Props) {
  return (
    <Html lang="en">
      <Body>
        <Container>
          <Text>Hello {title}</Text>
          <Markdown>{body}</Markdown>
          <Text>Code:</Text>
          <Section><CodeBlock code={code} language="javascript" theme={dracula} /></Section>
          {note && <Markdown markdownCustomStyles={{ p: { color: "red" } }}>{note}</Markdown>}
          {items.map((item) => <Markdown key={item.text}>{item.text}</Markdown>)}
          <Text>Bye</Text>
        </Container>
      </Body>
    </Html>
  );
}
`;

const NEWSLETTER = {
  title: "Ann & Bob",
  body: "# Big *news*\n\nSee [the docs](https://example.com/docs?a=1&b=2), <b>now</b>.\n\n- one\n- two\n\n> quoted",
  code: 'const a = 1 < 2 && "b";\n\n// done\nf(a);',
  note: "A `note`",
  items: [{ text: "**x**" }, { text: "y\n\nz" }],
};

/** A component with nothing but real values. */
function realNews(values: object): string {
  return `import News from "../news/news";\nexport default function Real() { return <News {...${JSON.stringify(values)}} />; }\n`;
}

test("HTML that components of packages render is computed in builds, commands and applications", async () => {
  const service = await startLocalService();
  onTestFinished(() => service.close());
  const { url, domain, apiKey } = service;
  const { note: _note, ...short } = { ...NEWSLETTER, body: "", items: [] };
  const project = new TestProject({
    "lettershop.config.json": JSON.stringify({ environments: { production: { url, domain } } }),
    "templates/news/news.tsx": NEWS,
    "templates/news/template.json": '{ "subject": "News" }',
    "templates/news/fixtures/default.json": JSON.stringify(NEWSLETTER),
    "templates/news/fixtures/short.json": JSON.stringify(short),
    "templates/real/real.tsx": realNews(NEWSLETTER),
    "templates/real/template.json": '{ "subject": "News" }',
    "templates/short/short.tsx": realNews(short),
    "templates/short/template.json": '{ "subject": "News" }',
  });
  const env = { LETTERSHOP_ENV: "production", LETTERSHOP_API_KEY: apiKey };

  expect(await project.run(["build", "--out", "out"])).toMatchObject({ code: 0, stderr: "" });
  const { templates: built } = JSON.parse(readFileSync(project.path("out/manifest.json"), "utf8"));
  expect(built[0].needs).toEqual([
    "@react-email/components <Markdown>",
    "@react-email/components <CodeBlock>",
    "@react-email/components dracula",
    "lettershop textOf",
  ]);
  const real = (name: string, part: string): string => readFileSync(project.path("out", name, part), "utf8");
  for (const [fixture, name] of [
    ["default", "real"],
    ["short", "short"],
  ] as const) {
    const render = async (part: string) =>
      (await project.run(["render", "news", "--fixture", fixture, "--part", part])).stdout.replace(/\n$/, "");
    expect(await render("text"), fixture).toBe(real(name, "body.txt"));
    expect(await render("html"), fixture).toBe(real(name, "body.html"));
  }
  expect((await project.run(["check"])).stdout).not.toContain("raw-variable");

  expect(await project.run(["sync", "--yes"], env)).toMatchObject({ code: 0 });
  expect(await project.run(["types"])).toMatchObject({ code: 0 });
  const mailer = createMailer({ templates: await registry(project), environment: "production", apiKey, from: "news" });
  onTestFinished(() => mailer.close());
  await mailer.send("news", NEWSLETTER, { to: "bob@example.org" });
  const { html = "", text = "" } = await service.inbox.waitFor({ to: "bob@example.org" });
  expect(text.trim()).toBe(real("real", "body.txt"));
  expect(html.trim()).toBe(real("real", "body.html"));
});

/** The registry as an application loads it. */
async function registry(project: TestProject): Promise<Registry> {
  for (const name of ["templates.gen", "templates.gen.packages"]) {
    const { code } = await transform(`${name}.ts`, readFileSync(project.path(`${name}.ts`), "utf8"));
    project.write({ [`built/${name}.js`]: code });
  }
  const { templates }: { templates: Registry } = await import(
    pathToFileURL(project.path("built/templates.gen.js")).href
  );
  return templates;
}

test("an application loads the functions that render only with a template that needs them", async () => {
  const project = new TestProject({
    "templates/plain/plain.tsx": "export default ({ name }: { name: string }) => <p>Hello {name.trim()}</p>;\n",
    "templates/plain/template.json": '{ "subject": "Hello" }',
    "templates/plain/fixtures/default.json": '{ "name": "Ann" }',
    "app.js": 'import { templates } from "./templates.gen.ts"; console.log(templates);',
  });
  const bundle = async (): Promise<Map<string, number>> => {
    const build = await rolldown({ input: project.path("app.js"), external: ["lettershop/send"] });
    const { output } = await build.generate();
    await build.close();
    return new Map(output.flatMap((chunk) => (chunk.type === "chunk" ? [[chunk.name, chunk.code.length]] : [])));
  };
  const packages = project.path("templates.gen.packages.ts");
  expect(await project.run(["types"])).toMatchObject({ code: 0 });
  expect(existsSync(packages)).toBe(false);
  const before = await bundle();

  project.write({
    "templates/note/note.tsx":
      'import { Markdown } from "@react-email/components";\nexport default ({ note }: { note: string }) => <div><Markdown>{note}</Markdown></div>;\n',
    "templates/note/template.json": '{ "subject": "Note" }',
    "templates/note/fixtures/default.json": '{ "note": "Hi" }',
  });
  expect((await project.run(["types"])).stdout).toBe("  note is new\nWrote templates.gen.ts and 1 more.\n");
  const after = await bundle();
  expect([...before.keys()]).toEqual(["app"]);
  expect([...after.keys()]).toEqual(["app", "templates.gen.packages"]);
  expect((after.get("app") ?? 0) - (before.get("app") ?? 0)).toBeLessThan(2_000);
  expect(after.get("templates.gen.packages")).toBeLessThan(330_000);

  expect((await project.run(["types", "--check"])).stdout).toBe("templates.gen.ts is up to date.\n");
  project.remove("templates/note");
  expect((await project.run(["types"])).stdout).toContain("Deleted 1 file no longer needed.");
  expect(existsSync(packages)).toBe(false);
});
