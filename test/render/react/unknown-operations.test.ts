import { describe, expect, test } from "vitest";
import { component, Project } from "./project.js";

const project = await Project.make();

const FIXTURES = { full: { at: "2024-03-01T12:00:00Z", name: "Ann", count: 3, url: "https://example.com/a?b=1" } };

const BEFORE = `import { formatDistance } from "./_distance";
const loaded = Date.now();
const ago = (at) => Math.ceil((loaded - new Date(at).getTime()) / 86_400_000);`;

await project.add(
  "templates/_distance.ts",
  "export const formatDistance = (a, b) => Math.round((a.getTime() - b.getTime()) / 1000) + ' s';\n",
);

const CHANGING = "differs each time";
const UNKNOWN = "can't be computed when an email is sent";

describe("an operation that can't be evaluated is refused at its line", () => {
  test.each([
    ["Math.ceil((new Date(props.at).getTime() - Date.now()) / 864e5)", "`Date.now()`", CHANGING],
    ["new Date(props.at) < new Date() ? 'past' : 'future'", "`new Date()`", CHANGING],
    ["props.at.startsWith(new Date().toISOString().slice(0, 10)) && <b />", "`new Date()`", CHANGING],
    ["new Date().getFullYear() - props.count", "`new Date()`", CHANGING],
    ["props.count * Math.random()", "`Math.random()`", CHANGING],
    [
      "(() => { const day = new Date(); day.setDate(day.getDate() - 7); return new Date(props.at) < day ? 'old' : 'new'; })()",
      "`new Date()`",
      CHANGING,
    ],
    ["structuredClone(props.name)", "`structuredClone()`", UNKNOWN],
    ["btoa(props.name)", "`btoa()`", UNKNOWN],
    ["Buffer.from(props.name).toString('base64')", "`Buffer.from()`", UNKNOWN],
  ])("%s", async (code, used, problem) => {
    const { diagnostics } = await project.compile(component(`<p>{props.name}</p>\n<p>{${code}}</p>`, BEFORE), {
      fixtures: FIXTURES,
    });
    expect(diagnostics).toMatchObject([{ rule: "react-unsupported", at: { line: 6 } }]);
    expect(diagnostics[0]?.message).toContain(`${used}, which ${problem}`);
    if (problem === CHANGING) expect(diagnostics[0]?.hint).toContain("such as sentAt");
  });

  test.each([
    ["ago(props.at)", "`Date.now()`", "template-", 3],
    ["formatDistance(new Date(props.at), new Date())", "`new Date()`", "_distance.ts", 1],
  ])("also in a function of the project: %s", async (code, used, file, line) => {
    const { diagnostics } = await project.compile(component(`<p>{${code}}</p>`, BEFORE), { fixtures: FIXTURES });
    expect(diagnostics).toMatchObject([{ rule: "react-unsupported", at: { line } }]);
    expect(diagnostics[0]?.at?.file).toContain(file);
    expect(diagnostics[0]?.message).toContain(`${used}, which ${CHANGING}`);
  });

  test.each([
    ["const url = new URL(props.url); url.searchParams.set('a', 'b'); return url.toString();", "searchParams.set"],
    ["const url = new URL(props.url); url.search = '?a=b'; return url.href;", "url.search"],
    [
      "const url = new URL('https://example.com'); url.searchParams.set('a', props.name); return url.href;",
      "searchParams.set",
    ],
  ])("a change of a URL: %s", async (code, source) => {
    const { diagnostics } = await project.compile(component(`<p>{props.name}</p>\n<p>{(() => { ${code} })()}</p>`), {
      fixtures: FIXTURES,
    });
    expect(diagnostics[0]).toMatchObject({ rule: "react-unsupported", at: { line: 4 } });
    expect(diagnostics[0]?.message).toContain(source);
  });

  test("but not what reads the time without a variable", async () => {
    const { diagnostics } = await project.compile(
      component("<p>{props.count * 2}</p>\n<p>© {new Date().getFullYear()}</p>"),
      { fixtures: FIXTURES },
    );
    expect(diagnostics.filter(({ rule }) => rule === "react-unsupported")).toEqual([]);
  });
});
