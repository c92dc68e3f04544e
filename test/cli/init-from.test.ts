import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { TestProject } from "./project.js";

const readJson = (project: TestProject, file: string) => JSON.parse(readFileSync(project.path(file), "utf8"));
const read = (project: TestProject, file: string) => readFileSync(project.path(file), "utf8");

/** A row of the table: what a file has become, and its note. */
function rowOf(stdout: string, file: string): string[] {
  const line = stdout.split("\n").find((each) => each.startsWith(`${file} `)) ?? "";
  return line.split(/ {2,}/);
}

const layout = `import { Body, Html } from "@react-email/components";
import type { ReactNode } from "react";
export default function Layout({ children }: { children: ReactNode }) {
  return <Html lang="en"><Body>{children}</Body></Html>;
}
`;

it("distinguishes emails from layouts and parts by what they render, and reports what each file has become", async () => {
  const project = new TestProject({
    "emails/Layout.tsx": layout,
    "emails/base.tsx": `import { Html } from "@react-email/components";
export default ({ title }: { title: string }) => <Html lang="en"><body><h1>{title}</h1></body></Html>;
`,
    "emails/account/reset.tsx": `import Layout from "../Layout";
import { Button } from "../components";
export const ResetEmail = ({ link = "https://example.com/reset" }) => <Layout><Button href={link}>Reset</Button></Layout>;
`,
    "emails/account/notice.tsx": `import Base from "../base";
export default function Notice({ title = "News" }) { return <Base title={title} />; }
`,
    "emails/components/index.tsx": `export { Button } from "./button.js";\n`,
    "emails/components/button.tsx": `export const Button = ({ href, children }: { href: string; children: string }) => <a href={href}>{children}</a>;\n`,
    "emails/components/divider.tsx": `export default function Divider() { return <hr />; }\n`,
    "emails/broken.tsx": `export default function Broken( { return <p>; }\n`,
    "emails/send.tsx": `import { render } from "@react-email/components";
import { ResetEmail } from "./account/reset";
export async function sendReset() { return { html: await render(<ResetEmail link="x" />) }; }
`,
    "emails/serve.tsx": `import { ResetEmail } from "./account/reset";
declare function respond(body: unknown): Response;
export default function handle() { return respond(<ResetEmail />); }
`,
    "emails/format.ts": "export default function format(value: number) { return value.toFixed(2); }\n",
    "emails/reset.test.tsx": `import "./account/reset";\n`,
  });
  const { stdout, code } = await project.run(["init", "--from", "emails", "--no-install"]);
  expect(code).toBe(0);
  expect(rowOf(stdout, "account/reset.tsx")[1]).toBe("template account-reset");
  expect(rowOf(stdout, "account/notice.tsx")[1]).toBe("template account-notice");
  expect(rowOf(stdout, "Layout.tsx").slice(1)).toEqual([
    "part _Layout.tsx",
    "a layout, because it takes children; used by account-reset",
  ]);
  expect(rowOf(stdout, "base.tsx").slice(1)).toEqual(["part _base.tsx", "a layout of Notice; used by account-notice"]);
  expect(rowOf(stdout, "components/button.tsx").slice(1)).toEqual([
    "part _components/button.tsx",
    "used by account-reset",
  ]);
  expect(rowOf(stdout, "broken.tsx")[1]).toBe("not understood");
  expect(rowOf(stdout, "components/divider.tsx").slice(1)).toEqual([
    "not understood",
    expect.stringContaining("It does not render <Html>."),
  ]);
  expect(rowOf(stdout, "send.tsx").slice(1)).toEqual(["skipped", "not used by any template"]);
  for (const file of ["serve.tsx", "format.ts"])
    expect(rowOf(stdout, file).slice(1)).toEqual(["skipped", "not used by any template"]);
  expect(rowOf(stdout, "reset.test.tsx").slice(1)).toEqual(["skipped", "a test"]);
  expect(stdout.indexOf("FILE")).toBeGreaterThan(stdout.indexOf("Added to package.json"));
  expect(existsSync(project.path("templates/_send.tsx"))).toBe(false);

  expect(await project.run(["build", "--out", "out"])).toMatchObject({ code: 0, stderr: "" });
  expect(read(project, "out/account-reset/body.html")).toMatch(/<html.*Reset/s);
  expect(read(project, "out/account-notice/body.html")).toContain("<h1>");
});

it("imports emails that a gallery shows together, and follows namespace imports", async () => {
  const project = new TestProject({
    "emails/parts.tsx": `import type { ReactNode } from "react";
const Root = ({ children }: { children: ReactNode }) => <html lang="en"><body>{children}</body></html>;
export const Email = { Root };
`,
    "emails/paid.tsx": `import * as parts from "./parts";
export default ({ id = "A-1" }) => <parts.Email.Root>{id} is paid</parts.Email.Root>;
`,
    "emails/sent.tsx": `import { Email } from "./parts";
export default ({ id = "A-1" }) => <Email.Root>{id} is sent</Email.Root>;
`,
    "emails/gallery.tsx": `import Paid from "./paid";
import Sent from "./sent";
export default ({ kind }: { kind: string }) => kind === "paid" ? <Paid /> : <Sent />;
`,
  });
  const { stdout } = await project.run(["init", "--from", "emails", "--no-install"]);
  expect(rowOf(stdout, "paid.tsx")[1]).toBe("template paid");
  expect(rowOf(stdout, "sent.tsx")[1]).toBe("template sent");
  expect(rowOf(stdout, "gallery.tsx")[1]).toBe("skipped");
  expect(await project.run(["build", "--out", "out"])).toMatchObject({ code: 0, stderr: "" });
});

it("has the same information in its JSON document", async () => {
  const project = new TestProject({
    "emails/Layout.tsx": layout,
    "emails/hello.tsx": `import Layout from "./Layout";\nexport default () => <Layout>Hello</Layout>;\n`,
    "emails/notes.md": "",
    "emails/broken.tsx": "<",
  });
  const { stdout } = await project.run(["init", "--from", "emails", "--no-install", "--json"]);
  expect(JSON.parse(stdout).adopted).toEqual({
    templates: [{ name: "hello", file: "hello.tsx", notes: ["subject from its name"] }],
    parts: [{ file: "Layout.tsx", place: "_Layout.tsx", why: "a layout, because it takes children; used by hello" }],
    notUnderstood: [{ file: "broken.tsx", why: expect.any(String) }],
    notTaken: [{ file: "notes.md", why: "not used by any template" }],
  });
});

it("follows imports as the compiler does: aliases, folders, JSON, `.js` for `.ts`, modules outside", async () => {
  const project = new TestProject({
    "tsconfig.json": JSON.stringify({ compilerOptions: { paths: { "@/*": ["./src/*"] } } }),
    "src/legal.ts": `export const legal = "Example Ltd";\n`,
    "src/emails/theme/index.ts": `export const colour = "#123456";\n`,
    "src/emails/parts.ts": `export * from "./parts/footer.js";\n`,
    "src/emails/parts/footer.tsx": `import texts from "../texts.json";
import { colour } from "../theme/index";
export const Footer = () => <p style={{ color: colour }}>{texts.footer}.</p>;
`,
    "src/emails/texts.json": `{ "footer": "Sent from Vienna" }`,
    "src/emails/welcome/index.tsx": `import type { Props } from "./types";
import { legal } from "@/legal";
import { colour } from "@/emails/theme";
import { Footer } from "../parts";
export default function Welcome({ dot = "." }: Props) {
  return <html lang="en"><body style={{ color: colour }}>{legal}{dot}{"./theme"}<Footer /></body></html>;
}
`,
    "src/emails/welcome/types.ts": `export interface Props { dot?: string }\n`,
  });
  expect(await project.run(["init", "--from", "src/emails", "--no-install"])).toMatchObject({ code: 0 });
  const welcome = read(project, "templates/welcome/welcome.tsx");
  expect(welcome).toContain(`from "../_welcome/types"`);
  expect(welcome).toContain(`from "@/legal"`);
  expect(welcome).toContain(`from "../_theme"`);
  expect(welcome).toContain(`from "../_parts"`);
  expect(welcome).toContain(`{"./theme"}`);
  expect(read(project, "templates/_parts.ts")).toContain(`"./_parts/footer.js"`);
  expect(read(project, "templates/_parts/footer.tsx")).toMatch(/"\.\.\/_texts\.json".*"\.\.\/_theme\/index"/s);
  expect(await project.run(["build", "--out", "out"])).toMatchObject({ code: 0 });
  expect(read(project, "out/welcome/body.html")).toMatch(/color:#123456.*Example Ltd.*\.\/theme.*Sent from Vienna/s);
});

it("follows imports and types even if tsconfig.json extends a package that is not installed", async () => {
  const project = new TestProject({
    "tsconfig.json": JSON.stringify({ extends: "@example/tsconfig/base.json" }),
    "emails/parts/footer.tsx": "export const Footer = () => <p>Example Ltd</p>;\n",
    "emails/types.ts": "export interface Props { seats: number }\n",
    "emails/hello.tsx": `import { Footer } from "./parts/footer";
import type { Props } from "./types";
export default ({ seats }: Props) => <html lang="en"><body>{seats}<Footer /></body></html>;
`,
  });
  const { stdout } = await project.run(["init", "--from", "emails", "--no-install"]);
  expect(rowOf(stdout, "parts/footer.tsx")[1]).toBe("part _parts/footer.tsx");
  expect(readJson(project, "templates/hello/fixtures/default.json")).toEqual({ seats: 1 });
});

it("writes an example from default values, types, defaultProps and the use of props", async () => {
  const project = new TestProject({
    "emails/brand.ts": `export const brand = { name: "Acme", colour: "red" };\nexport const baseUrl = process.env.BASE_URL ? \`https://\${process.env.BASE_URL}\` : "";\n`,
    "emails/types.ts": `export type Plan = "free" | "paid";\nexport interface Item { title: string; count: number }\n`,
    "emails/defaults.tsx": `import { baseUrl, brand } from "./brand";
import type { Item, Plan } from "./types";
interface Props { name?: string; company?: string; logo?: string; at?: Date; plan: Plan; items: readonly Item[]; note?: () => void }
export default function Email({ name = "Ada", company = brand.name, logo = \`\${baseUrl}/static/logo.png\`, plan, items }: Readonly<Props>) {
  return <html lang="en"><body><img src={logo} alt="" width="1" height="1" />{name} of {company}, {plan === "paid" && "paid"}{items.map((item) => <p key={item.title}>{item.title}: {item.count}</p>)}</body></html>;
}
`,
    "emails/spread.tsx": `const example = { name: "Grace", sentAt: new Date(0) };
export default function Email(props: { name: string; sentAt: Date }) {
  const { name } = { ...example, ...props };
  return <html lang="en"><body>{name}</body></html>;
}
`,
    "emails/old.jsx": `export default function Old({ name, team, isOwner }) {
  return <html lang="en"><body>Hi {name} of {team.name}{isOwner && "!"}</body></html>;
}
Old.defaultProps = { name: "Mary" };
`,
    "emails/unknown.tsx": `export default function Unknown({ name, rows }: { name: string; rows: Map<string, string> }) {
  return <html lang="en"><body>{name}{[...rows.keys()].length}</body></html>;
}
`,
    "emails/static/logo.png": "not really",
  });
  const { stdout } = await project.run(["init", "--from", "emails", "--no-install"]);
  expect(readJson(project, "templates/defaults/fixtures/default.json")).toEqual({
    name: "Ada",
    company: "Acme",
    plan: "free",
    items: [
      { title: "title 1", count: 1 },
      { title: "title 2", count: 1 },
    ],
  });
  expect(readJson(project, "templates/spread/fixtures/default.json")).toEqual({
    name: "Grace",
    sentAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]+Z$/),
  });
  expect(readJson(project, "templates/old/fixtures/default.json")).toEqual({
    name: "Mary",
    team: { name: "name" },
    isOwner: true,
  });
  expect(rowOf(stdout, "unknown.tsx")[2]).toContain("no example of rows: create fixtures/default.json");
  expect(existsSync(project.path("templates/unknown/fixtures"))).toBe(false);

  expect(await project.run(["build", "defaults", "spread", "old", "--out", "out"])).toMatchObject({ code: 0 });
  const rendered = await project.run(["render", "defaults", "--part", "html"]);
  expect(rendered.stdout.replaceAll("&#x2F;", "/")).toContain(`src="assets/logo.png"`);
  expect(rendered.stdout).toContain("Ada of Acme");
});

it("writes examples that fit the types of the props, even if the component's own values don't", async () => {
  const project = new TestProject({
    "emails/defaults.tsx": `interface Line { title: string; count: number; sku?: string }
interface Props { id: string; total: number; lines: Line[]; status: "paid" | "open"; by: string | null; note?: string; meta?: Map<string, string> }
export default function Email(props: Props) {
  const { id, total, lines, status, by, note } = props;
  return <html lang="en"><body>{id}: {total}, {status}, {by}, {note}{lines.map((line) => <p key={line.title}>{line.title}: {line.count}</p>)}</body></html>;
}
Email.defaultProps = { id: 7, total: "12.50", lines: [{ title: "Pen", cuont: 2 }, { title: "Ink", count: 3, sku: null }], status: "sent", note: 5 };
`,
    "emails/preview.tsx": `interface Props { user: { name: string; joinedAt: Date }; isOwner: boolean }
const Email = ({ user, isOwner }: Props) => <html lang="en"><body>{user.name} {isOwner && "owns it"}</body></html>;
Email.PreviewProps = { user: { name: "Grace" } } as unknown as Props;
export default Email;
`,
    "emails/fits.tsx": `const Email = ({ name }: { name: string }) => <html lang="en"><body>{name}</body></html>;
Email.PreviewProps = { name: "Ada" };
export default Email;
`,
    "emails/named.tsx": `import type { FC } from "react";
export const Named: FC<{ urls: string[]; plan: null | "pro"; onOpen: () => void }> = ({ urls, plan }) => (
  <html lang="en"><body>{plan}{urls.map((url) => <a key={url} href={url}>{url}</a>)}</body></html>
);
`,
    "emails/partly.tsx": `export default function Partly({ owner }: { owner: { name: string; rights: Set<string> } }) {
  return <html lang="en"><body>{owner.name}{[...owner.rights].join()}</body></html>;
}
`,
  });
  const { stdout } = await project.run(["init", "--from", "emails", "--no-install"]);
  expect(readJson(project, "templates/defaults/fixtures/default.json")).toEqual({
    id: "id",
    total: 1,
    lines: [
      { title: "Pen", count: 1 },
      { title: "Ink", count: 3, sku: null },
    ],
    status: "paid",
    by: "by",
    note: "note",
  });
  expect(readJson(project, "templates/preview/fixtures/default.json")).toEqual({
    user: { name: "Grace", joinedAt: expect.stringMatching(/^\d{4}-/) },
    isOwner: true,
  });
  expect(rowOf(stdout, "preview.tsx")[2]).toContain("from its PreviewProps and the types of its props");
  expect(rowOf(stdout, "defaults.tsx")[2]).toContain("from its defaultProps and the types of its props;");
  expect(rowOf(stdout, "fits.tsx")[2]).toContain("example: its PreviewProps");
  expect(existsSync(project.path("templates/fits/fixtures"))).toBe(false);
  expect(readJson(project, "templates/named/fixtures/default.json")).toEqual({
    urls: ["urls 1", "urls 2"],
    plan: "pro",
  });
  expect(rowOf(stdout, "partly.tsx")[2]).toContain("no example of owner: create fixtures/default.json");

  const built = await project.run(["build", "defaults", "preview", "fits", "named", "--out", "out"]);
  expect(built).toMatchObject({ code: 0, stderr: "" });
});

it("imports an email with the example that a preview passes", async () => {
  const project = new TestProject({
    "emails/invite.tsx": `const example = { invite: { team: "Core", by: "Ada" } };
export function InviteEmail({ team, by }: { team: string; by: string }) {
  return <html lang="en"><body>{by} invites you to {team}</body></html>;
}
export default function InvitePreview() {
  return <InviteEmail {...example.invite} by="Grace" />;
}
`,
    "emails/team.tsx": `export const TeamJoined = ({ name = "Ada" }) => <html lang="en"><body>{name} joined</body></html>;
export const TeamLeft = ({ name = "Ada" }) => <html lang="en"><body>{name} left</body></html>;
`,
    "emails/both.tsx": `export const Both = ({ name = "Ada" }) => <html lang="en"><body>{name}</body></html>;\nexport default Both;\n`,
  });
  const { stdout } = await project.run(["init", "--from", "emails", "--no-install"]);
  expect(read(project, "templates/invite/invite.tsx")).toBe(`export { InviteEmail as default } from "../_invite";\n`);
  expect(readJson(project, "templates/invite/fixtures/default.json")).toEqual({ team: "Core", by: "Grace" });
  expect(existsSync(project.path("templates/team-joined/team-joined.tsx"))).toBe(true);
  expect(existsSync(project.path("templates/team-left/team-left.tsx"))).toBe(true);
  expect(existsSync(project.path("templates/_both.tsx"))).toBe(false);
  expect(stdout).toContain("from what its preview passes");
  expect(await project.run(["build", "--out", "out"])).toMatchObject({ code: 0, stderr: "" });
  expect(read(project, "out/invite/body.html")).toMatch(/\{\{by\}\} invites you to \{\{team\}\}/);
  expect(read(project, "out/team-left/body.html")).toContain("left");
});

it("moves served images, and keeps paths that are passed to a function", async () => {
  const project = new TestProject({
    "emails/images.tsx": `const baseUrl = process.env.BASE_URL ?? "https://cdn.example";
const addressOf = (path: string) => new URL(path, "https://cdn.example").toString();
export default () => (
  <html lang="en"><body>
    <img src={baseUrl + "/static/a.png"} alt="" width="1" height="1" />
    <img src="/static/a.png" alt="" width="1" height="1" />
    <img src={addressOf("/static/a.png")} alt="" width="1" height="1" />
    <img src={\`\${baseUrl}/static/icons/b.png\`} alt="" width="1" height="1" />
  </body></html>
);
`,
    "emails/static/a.png": "not really",
    "emails/images/a.png": "not really another one",
    "emails/static/icons/b.png": "not really",
  });
  expect(await project.run(["init", "--from", "emails", "--no-install"])).toMatchObject({ code: 0 });
  expect(await project.run(["build", "--out", "out"])).toMatchObject({ code: 0 });
  const sources = Array.from(read(project, "out/images/body.html").matchAll(/src="([^"]*)"/g), ([, src]) => src);
  expect(new Set(sources.slice(0, 2)).size).toBe(1);
  expect(read(project, `out/${sources[0]}`)).toBe("not really");
  expect(sources.slice(2)).toEqual(["https://cdn.example/static/a.png", "assets/icons/b.png"]);
});

it("adds the packages that modules import if the new project lacks them", async () => {
  const project = new TestProject({
    "web/package.json": JSON.stringify({
      dependencies: { "date-or-so": "^4.1.0", "not-used": "1", zod: "^4.0.0", shared: "workspace:*" },
    }),
    "web/emails/hello.tsx": `import { format } from "date-or-so/format";
import "shared";
import "@/alias";
import type { Other } from "not-used";
import "not-declared";
export default ({ name = "Ada" }: Other) => <html lang="en"><body>{format(name)}</body></html>;
`,
    "app/package.json": "{}",
  });
  expect(await project.run(["init", "app", "--from", "web/emails", "--no-install"])).toMatchObject({ code: 0 });
  const { devDependencies } = readJson(project, "app/package.json");
  expect(devDependencies).toMatchObject({ "date-or-so": "^4.1.0", react: expect.any(String) });
  for (const name of ["not-used", "shared", "not-declared", "@/alias"])
    expect(devDependencies).not.toHaveProperty(name);
});

it("refuses to write templates into the folder to import", async () => {
  const project = new TestProject({ "templates/hello.tsx": layout });
  expect(await project.run(["init", "--from", "templates", "--no-install"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(
      "Rename the folder to import, for example to emails. Then run: templates init --from emails",
    ),
  });
});

it("says why nothing in the folder is a template", async () => {
  const project = new TestProject({
    "emails/mj.tsx": `import { Mjml } from "@faire/mjml-react";\nexport default () => <Mjml>Hello</Mjml>;\n`,
  });
  expect(await project.run(["init", "--from", "emails", "--no-install"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("mj.tsx: It renders MJML with React components."),
  });
});
