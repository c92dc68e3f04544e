import { describe, expect, test } from "vitest";
import { checkedTemplate } from "../../../src/check/checked-template.js";
import type { EmailDocument } from "../../../src/check/document/email-document.js";
import { DEFAULT_SETTINGS } from "../../../src/check/rule.js";
import { compileWithPositions } from "../../../src/render/compile.js";
import { rebuildWithPositions } from "../../../src/render/rebuild.js";
import { loadTemplates } from "../../../src/project/load-templates.js";
import { useProjects } from "../../render/project.js";
import { page } from "../findings.js";

const projects = useProjects();

async function documentOf(name: string, text: string): Promise<EmailDocument> {
  const { templates } = loadTemplates([await projects.write({ [name]: text })]);
  const [result] = await compileWithPositions(templates, projects.context());
  if (!result?.compiled) throw new Error(JSON.stringify(result?.diagnostics));
  const [again] = name.endsWith(".tsx") ? await rebuildWithPositions(templates, projects.context(), "now") : [];
  const sited = again ? again.html : result.sited;
  return checkedTemplate({ ...result, compiled: result.compiled }, { sited }, { settings: DEFAULT_SETTINGS }).document;
}

/** For each element with these names: its name in the source, and whether it was written itself. */
function writtenAs(document: EmailDocument, ...names: readonly string[]): string[] {
  return document
    .named(...names)
    .map((each) => `${each.name} ${each.writtenAs ?? "-"}${each.isWritten ? " itself" : ""}`);
}

describe("the source tag of an element", () => {
  test("is itself in HTML, in upper or lower case", async () => {
    const document = await documentOf("x.html", page("<p>a</p><TABLE><tr><td>b</td></tr></TABLE>"));
    expect(writtenAs(document, "p", "table")).toEqual(["p p itself", "table TABLE itself"]);
  });

  test("is the MJML element, and none if MJML added it", async () => {
    const column = '<mj-button href="https://a.example">Open</mj-button><mj-text><p>Hi</p></mj-text>';
    const body = `<mj-body><mj-section><mj-column>${column}</mj-column></mj-section></mj-body>`;
    const document = await documentOf("x.mjml", `<mjml>${body}</mjml>`);
    expect(writtenAs(document, "p", "a")).toEqual(["a mj-button", "p p itself"]);
    expect(writtenAs(document, "meta")[0]).toBe("meta -");
  });

  test("is the component, whatever its name", async () => {
    const document = await documentOf(
      "x.tsx",
      `import { Link } from "@react-email/components";
export default function Email() {
  return <div><Link href="https://a.example">Open</Link><p>Hi</p></div>;
}`,
    );
    expect(writtenAs(document, "a", "p")).toEqual(["a Link", "p p itself"]);
  });

  test("has the position of a font in MJML", async () => {
    const font = '<mj-font name="Inter" href="https://fonts.example/inter.css?a=1&amp;b=2" />';
    const text = '<mj-text font-family="Inter, Arial">Hi</mj-text>';
    const body = `<mj-body><mj-section><mj-column>${text}</mj-column></mj-section></mj-body>`;
    const document = await documentOf("x.mjml", `<mjml>\n<mj-head>\n${font}\n</mj-head>${body}</mjml>`);
    expect(document.first("link")?.at("href")).toMatchObject({ line: 3, column: 23 });
  });
});
