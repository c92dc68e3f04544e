import { describe, expect, test } from "vitest";
import { component, Project } from "./project.js";

const project = await Project.make();

const FIXTURES = {
  full: { at: "2024-03-01T12:00:00Z", name: "Ann", count: 3, names: ["a"], url: "https://example.com/a?b=1" },
};

const BEFORE = `import { formatDistance } from "./_distance";
const loaded = Date.now();
const ago = (at) => Math.ceil((loaded - new Date(at).getTime()) / 86_400_000);`;

await project.add(
  "templates/_distance.ts",
  "export const formatDistance = (a, b) => Math.round((a.getTime() - b.getTime()) / 1000) + ' s';\n",
);

const DEPENDS = "depends on the time or on random numbers";
const TESTED = "is tested with the time or a random number";
const UNKNOWN = "can't be computed when an email is sent";

describe("an operation that can't be evaluated is refused at its line", () => {
  test.each([
    ["structuredClone(props.name)", `\`structuredClone()\`, which ${UNKNOWN}`],
    ["btoa(props.name)", `\`btoa()\`, which ${UNKNOWN}`],
    ["Buffer.from(props.name).toString('base64')", `\`Buffer.from()\`, which ${UNKNOWN}`],
  ])("%s", async (code, message) => {
    const { diagnostics } = await project.compile(component(`<p>{props.name}</p>\n<p>{${code}}</p>`, BEFORE), {
      fixtures: FIXTURES,
    });
    expect(diagnostics).toMatchObject([{ rule: "react-unsupported", at: { line: 6 } }]);
    expect(diagnostics[0]?.message).toContain(message);
  });
});

describe("an operation with the time or a random number is refused at its line", () => {
  test.each([
    ["new Date(props.at) < new Date() ? 'past' : 'future'", "computes with `new Date()`, which differs each time"],
    [
      "(() => { const day = new Date(); day.setDate(day.getDate() - 7); return new Date(props.at) < day ? 'old' : 'new'; })()",
      "computes with `new Date()`, which differs each time",
    ],
    [
      "Math.ceil((new Date(props.at).getTime() - Date.now()) / 864e5)",
      `\`new Date(props.at).getTime() - Date.now()\` ${DEPENDS}`,
    ],
    ["props.at.startsWith(new Date().toISOString().slice(0, 10)) && <b />", `slice(0, 10))\` ${DEPENDS}`],
    ["new Date().getFullYear() - props.count", `\`new Date().getFullYear() - props.count\` ${DEPENDS}`],
    ["props.count * Math.random()", `\`props.count * Math.random()\` ${DEPENDS}`],
    ["props.count > new Date().getFullYear() ? 'a' : 'b'", `\`props.count > new Date().getFullYear()\` ${TESTED}`],
    ["props.count === new Date().getMonth() && <b />", `\`props.count === new Date().getMonth()\` ${TESTED}`],
    ["props.names.length > new Date().getDate() && <b />", `\`props.names.length > new Date().getDate()\` ${TESTED}`],
    [
      "new Date(props.at).getFullYear() === new Date().getFullYear() && <b />",
      `\`new Date(props.at).getFullYear()\` ${TESTED}`,
    ],
    ["props.name === `${new Date().getFullYear()}-${new Date().getDate()}` ? 'a' : 'b'", `getDate()}\`\` ${TESTED}`],
    [
      "(() => { const day = new Date().getDate(); return props.count < day + 1 && <b />; })()",
      `\`props.count < day + 1\` ${TESTED}`,
    ],
    ["props.names.slice(0, new Date().getDate()).map((name) => <b>{name}</b>)", `<b>{name}</b>)\` ${TESTED}`],
  ])("%s", async (code, message) => {
    const { diagnostics } = await project.compile(component(`<p>{props.name}</p>\n<p>{${code}}</p>`, BEFORE), {
      fixtures: FIXTURES,
    });
    expect(diagnostics).toMatchObject([{ rule: "react-unsupported", at: { line: 6 } }]);
    expect(diagnostics[0]?.message).toContain(message);
    expect(diagnostics[0]?.hint).toContain("such as sentAt");
  });

  test.each([
    ["ago(props.at)", `\`loaded - new Date(at).getTime()\` ${DEPENDS}`, "template-", 3],
    ["formatDistance(new Date(props.at), new Date())", `\`a.getTime() - b.getTime()\` ${DEPENDS}`, "_distance.ts", 1],
  ])("also in a function of the project: %s", async (code, message, file, line) => {
    const { diagnostics } = await project.compile(component(`<p>{${code}}</p>`, BEFORE), { fixtures: FIXTURES });
    expect(diagnostics).toMatchObject([{ rule: "react-unsupported", at: { line } }]);
    expect(diagnostics[0]?.at?.file).toContain(file);
    expect(diagnostics[0]?.message).toContain(message);
    expect(diagnostics[0]?.hint).toMatch(
      /The code reads the time or a random value in (?:line 2|template-\d+\.tsx:2, .*)\.$/,
    );
  });

  test.each([
    "© {new Date().getFullYear()}",
    "{new Date().getMonth() > 5 ? 'Summer' : 'Winter'}",
    "{new Date().getMonth() > 5 ? props.at : props.url}",
    "{new Date().getMonth() > 5 ? props.count > 4 && <b /> : props.count > 8 && <b />}",
    "{Math.random()}",
  ])("but not what reads the time without a variable: %s", async (code) => {
    const { diagnostics } = await project.compile(
      component(`<p>{props.count * 2}{props.count > 3 && <b />}</p>\n<p>${code}</p>`),
      { fixtures: FIXTURES },
    );
    expect(diagnostics.filter(({ rule }) => rule === "react-unsupported")).toEqual([]);
  });
});
