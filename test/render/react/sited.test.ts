import { cp, readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readVariables } from "../../../src/render/contract.js";
import { compileReact } from "../../../src/render/react/engine.js";
import { removeSites } from "../../../src/render/source/mapped-text.js";
import { loadTemplates } from "../../../src/project/load-templates.js";
import type { Template } from "../../../src/project/template.js";
import { component } from "./generator.js";
import { component as emailOf, Project } from "./project.js";
import { sitedElements } from "./sited-elements.js";

const project = await Project.make();
const starters = fileURLToPath(new URL("../../../templates", import.meta.url));
const fixtures = fileURLToPath(new URL("./fixtures", import.meta.url));
const long = process.env["MODE"] === "long";
const RUNS = long ? 1000 : 4;

/** Compiles with and without sites, and checks that nothing else differs. */
async function rebuildWithPositions(template: Template): Promise<readonly string[]> {
  const variables = () => readVariables(template, project.context);
  const ordinary = await compileReact(template, project.context, variables);
  const sited = await compileReact(template, { ...project.context, sited: true }, variables);
  expect(ordinary.places).toBeUndefined();
  const { places = [], html, ...others } = sited;
  expect({ ...others, html: removeSites(html) }).toEqual(ordinary);
  return sitedElements(html, places);
}

async function elementsOf(source: string): Promise<readonly string[]> {
  return rebuildWithPositions(await project.template(source));
}

describe("a sited compile differs only in the attribute, which refers to the element in the source", async () => {
  test.each(loadTemplates([starters]).templates.filter(({ engine }) => engine === "react"))(
    "starter $name",
    async (template) => {
      expect(await rebuildWithPositions(template)).not.toEqual([]);
    },
  );

  test.each((await readdir(fixtures)).filter((file) => file.endsWith(".tsx")))("%s", async (file) => {
    await cp(path.join(fixtures, "_shared"), path.join(project.folder, "templates/_shared"), { recursive: true });
    expect(await elementsOf(await readFile(path.join(fixtures, file), "utf8"))).not.toEqual([]);
  });

  test("random components", async () => {
    await fc.assert(
      fc.asyncProperty(component, async (source) => {
        await elementsOf(source);
      }),
      { numRuns: RUNS },
    );
  });
});

describe("a site is given to", () => {
  test("elements of HTML and of packages, on their outermost element, but not to what packages add", async () => {
    const source = emailOf(
      `<><p>{props.name}</p>\n  <Section><Button href="https://example.com">Go</Button></Section></>`,
      `import { Button, Section } from "@react-email/components";`,
    );
    expect(await elementsOf(source)).toEqual([
      "div ← template.tsx:3:10 <div",
      "p ← template.tsx:3:17 <p",
      "table ← template.tsx:4:3 <Section",
      "a ← template.tsx:4:12 <Button",
    ]);
  });

  test("elements in an own component, where they are written, including shared files", async () => {
    await project.add(
      "templates/_shared/card.tsx",
      `export const Card = ({ children, ...rest }) =>\n  <div {...rest}>{children}</div>;`,
    );
    const source = emailOf(`<Card title="a"><b>B</b></Card>`, `import { Card } from "./_shared/card";`);
    expect(await elementsOf(source)).toEqual([
      "div ← template.tsx:3:10 <div",
      "div ← card.tsx:2:3 <div",
      "b ← template.tsx:3:31 <b",
    ]);
  });

  test("elements that are created while a module is loaded, in any template", async () => {
    await project.add(
      "templates/_shared/logo.tsx",
      `export const logo = <img src="https://example.com/a.png" alt="A" />;`,
    );
    const source = emailOf(`{logo}{note}`, `import { logo } from "./_shared/logo";\nconst note = <i>note</i>;`);
    const elements = ["div ← template.tsx:4:10 <div", "img ← logo.tsx:1:21 <img", "i ← template.tsx:2:14 <i"];
    expect(await elementsOf(source)).toEqual(elements);
    expect(await elementsOf(source)).toEqual(elements);
  });

  test("the first of two elements that were merged into one", async () => {
    expect(await elementsOf(emailOf(`{props.vip ? <p id="a">Very\n</p> : <p id="b">Plain\n</p>}`))).toEqual([
      "div ← template.tsx:3:10 <div",
      "p ← template.tsx:3:28 <p",
    ]);
    expect(await elementsOf(emailOf(`{props.vip ? <p>A longer text</p> : <ul><li>Something else</li></ul>}`))).toEqual([
      "div ← template.tsx:3:10 <div",
      "p ← template.tsx:3:28 <p",
      "ul ← template.tsx:3:51 <ul",
      "li ← template.tsx:3:55 <li",
    ]);
  });

  test("no fragments, contexts or boundaries", async () => {
    const before = `import { createContext, Fragment, Suspense, StrictMode } from "react";\nconst Tone = createContext("a");`;
    const markup = `<Fragment key="a"><Suspense><StrictMode><Tone.Provider value="b"><Tone value="c"><i /></Tone></Tone.Provider></StrictMode></Suspense></Fragment>`;
    expect(await elementsOf(emailOf(markup, before))).toEqual([
      "div ← template.tsx:4:10 <div",
      "i ← template.tsx:4:96 <i",
    ]);
  });

  test("elements whose name is a variable, a member of a list's item or an attribute", async () => {
    const markup = `{props.items.map((each) => <Tag key={each.id}>{each.name}</Tag>)}<Pair one=<u>1</u> />`;
    const before = `const Pair = ({ one }) => one;\nconst Tag = "h2";`;
    expect(await elementsOf(emailOf(markup, before))).toEqual([
      "div ← template.tsx:4:10 <div",
      "h2 ← template.tsx:4:42 <Tag",
      "u ← template.tsx:4:90 <u",
    ]);
  });
});
