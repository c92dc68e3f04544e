import { mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { compileAll } from "../../../src/render/compile.js";
import { loadTemplates } from "../../../src/project/load-templates.js";
import { compiledOf, inColumn, places, useProjects } from "../project.js";

const projects = useProjects();
const { compileOne } = projects;

const withInclude = (attributes: string) => `<mjml><mj-body>\n  <mj-include ${attributes} />\n</mj-body></mjml>`;

describe("mj-include", () => {
  it("includes elements, heads and fragments from subfolders, parent folders and below the root", async () => {
    const { html_body, sources, subject } = compiledOf(
      await compileOne({
        "receipt/receipt.mjml": `<mjml><mj-body><mj-include path="../_shared/page.mjml" /></mj-body></mjml>`,
        "_shared/page.mjml": `<mjml><mj-head><mj-title>Hi {{name}}</mj-title></mj-head><mj-body><mj-include path="./parts/line.mjml" /></mj-body></mjml>`,
        "_shared/parts/line.mjml": `<mj-section><mj-column><mj-text>Line {{n}}</mj-text></mj-column></mj-section>`,
      }),
    );
    expect(html_body).toContain("Line {{n}}");
    expect(subject).toBe("Hi {{{name}}}");
    expect(sources.map((source) => path.basename(source))).toEqual(["page.mjml", "line.mjml", "receipt.mjml"]);
  });

  it("includes CSS, inlined or not, and HTML", async () => {
    const { html_body } = compiledOf(
      await compileOne({
        "x.mjml": `<mjml><mj-head><mj-include path="_a.css" type="css" /><mj-include path="_b.css" type="css" css-inline="inline" /></mj-head><mj-body><mj-section css-class="box"><mj-column><mj-text>a</mj-text></mj-column></mj-section><mj-include path="_c.html" type="html" /></mj-body></mjml>`,
        "_a.css": ".a { color: {{a}} }",
        "_b.css": ".box { color: {{b}} }",
        "_c.html": "<p>{{{c}}}</p>",
      }),
    );
    expect(html_body).toContain(".a { color: {{a}} }");
    expect(html_body).toMatch(/<div class="box" style="[^"]*color: \{\{b\}\}/);
    expect(html_body).toContain("<p>{{{c}}}</p>");
  });

  it("reports problems in the included file, with the chain", async () => {
    const result = await compileOne({
      "x.mjml": withInclude('path="_a.mjml"'),
      "_a.mjml": `<mj-section>\n<mj-column><mj-include path="./_b.mjml" /></mj-column></mj-section>`,
      "_b.mjml": "\n\n  <mj-text>Hi\n",
    });
    expect(places(result)).toEqual(["mjml-unclosed _b.mjml:3:3"]);
    expect(result.diagnostics[0]?.message).toBe("<mj-text> is never closed (x.mjml → _a.mjml → _b.mjml).");
  });

  it("names a missing file, and a similar one", async () => {
    const result = await compileOne({ "x.mjml": withInclude('path="_shard/a.mjml"'), "_shared/a.mjml": "" });
    expect(places(result)).toEqual(["part-missing x.mjml:2:3"]);
    const near = await compileOne({ "x.mjml": withInclude('path="_shared/foter.mjml"'), "_shared/footer.mjml": "" });
    expect(near.diagnostics[0]?.message).toMatch(/includes _shared\/foter\.mjml, which does not exist\.$/);
    expect(near.diagnostics[0]?.hint).toBe("Did you mean _shared/footer.mjml?");
  });

  it.each(["footer.mjml", "_shared/footer", "_shard/footer.mjml", "_shard/foter.mjml"])(
    "suggests _shared/footer.mjml for %s",
    async (included) => {
      const { diagnostics } = await compileOne({
        "x.mjml": withInclude(`path="${included}"`),
        "_shared/footer.mjml": "",
        "_shared/header.mjml": "",
      });
      expect(diagnostics[0]?.hint).toBe("Did you mean _shared/footer.mjml?");
    },
  );

  it("reports a cycle", async () => {
    const result = await compileOne({
      "x.mjml": withInclude('path="_a.mjml"'),
      "_a.mjml": '<mj-include path="_b.mjml" />',
      "_b.mjml": '\n<mj-include path="_a.mjml" />',
    });
    expect(places(result)).toEqual(["part-cycle _b.mjml:2:1"]);
    expect(result.diagnostics[0]?.message).toContain("_a.mjml → _b.mjml → _a.mjml");
  });

  it.each(["../../secret.mjml", "/etc/passwd", "%2e%2e/%2e%2e/secret.mjml", "../outside-link.mjml"])(
    "is rejected if it leads outside the root: %s",
    async (target) => {
      const root = await projects.write({ "x/x.mjml": withInclude(`path="${target}"`) });
      await writeFile(path.join(root, "..", "secret.mjml"), "<mj-section></mj-section>");
      await symlink(path.join(root, "..", "secret.mjml"), path.join(root, "outside-link.mjml"));
      const { templates } = loadTemplates([root]);
      const [result] = await compileAll(
        templates.filter(({ name }) => name === "x"),
        projects.context(),
      );
      expect(result && places(result)).toEqual(["part-outside x.mjml:2:3"]);
    },
  );

  it("reports that the path is a folder", async () => {
    const root = await projects.write({ "x.mjml": withInclude('path="_shared"') });
    await mkdir(path.join(root, "_shared"));
    const [result] = await compileAll(loadTemplates([root]).templates, projects.context());
    expect(result && places(result)).toEqual(["part-missing x.mjml:2:3"]);
    expect(result?.diagnostics[0]?.message).toMatch(/_shared, which is a folder\.$/);
  });

  it("needs a path without variables", async () => {
    const result = await compileOne({ "x.mjml": withInclude('path="{{part}}.mjml"') });
    expect(places(result)).toEqual(["mjml-structure x.mjml:2:3"]);
  });
});

describe("partials", () => {
  it("are resolved from the root, or from their file if they start with a dot", async () => {
    const { html_body } = compiledOf(
      await compileOne({
        "x/x.html": "<div>{{> _shared/a}}{{> ./_own/b.html}}</div>",
        "_shared/a.html": "<p>{{a}}{{> ./c}}</p>",
        "_shared/c.html": "<i>{{c}}</i>",
        "x/_own/b.html": "<b>{{b}}</b>",
      }),
    );
    expect(html_body).toBe("<div><p>{{a}}<i>{{c}}</i></p><b>{{b}}</b></div>");
  });

  it("are indented as the specification requires if they are standalone, without the line end", async () => {
    const { text_body } = compiledOf(
      await compileOne({
        "x/x.html": "<p>{{name}}</p>",
        "x/x.txt": "Hi {{name}}\n  {{> _shared/lines}}\nBye {{> _shared/name}}.",
        "_shared/lines.txt": "one {{name}}\ntwo\n",
        "_shared/name.txt": "{{name}}",
      }),
    );
    expect(text_body).toBe("Hi {{{name}}}\n  one {{{name}}}\n  two\nBye {{{name}}}.");
  });

  it("work in MJML, in a section too", async () => {
    const { html_body } = compiledOf(
      await compileOne({
        "x.mjml": "<mjml><mj-body>{{#a}}\n{{> _shared/s}}\n{{/a}}</mj-body></mjml>",
        "_shared/s.mjml": "<mj-section><mj-column><mj-text>{{b}}</mj-text></mj-column></mj-section>\n",
      }),
    );
    expect(html_body.indexOf("{{#a}}")).toBeLessThan(html_body.indexOf("{{b}}"));
    expect(html_body.indexOf("{{b}}")).toBeLessThan(html_body.indexOf("{{/a}}"));
  });

  it("are reported at their tag, and problems in them in their own file", async () => {
    expect(places(await compileOne({ "x.html": "<p>\n {{> _shared/a}}</p>" }))).toEqual(["part-missing x.html:2:2"]);
    const circle = await compileOne({ "x.html": "{{> _a}}", "_a.html": "<p>\n{{> _b}}</p>", "_b.html": "{{> _a}}" });
    expect(places(circle)).toEqual(["part-cycle _b.html:1:1"]);
    const broken = await compileOne({ "x.html": "<div>\n\n{{> _a}}</div>", "_a.html": "<p>\n  {{#open}}</p>" });
    expect(places(broken)).toEqual(["mustache-syntax _a.html:2:3"]);
    expect(broken.diagnostics[0]?.message).toMatch(/\(x\.html → _a\.html\)$/);
  });
});

describe("positions", () => {
  it("are right after comments, which are removed", async () => {
    const source = inColumn(
      "{{! one\ntwo }}\n  {{! three }}\n<mj-text>{{! four }} {{name}} {{! five }}</mj-text>{{! six }}\n   <mj-foo />",
    );
    expect(places(await compileOne({ "x.mjml": source }))).toEqual(["mjml-unknown-element x.mjml:6:4"]);
  });

  it("are right after tags, whose tokens are shorter", async () => {
    const source = inColumn("<mj-text>{{a.very.long.name.of.a.variable}} and {{another}}</mj-text> <mj-foo />");
    expect(places(await compileOne({ "x.mjml": source }))).toEqual(["mjml-unknown-element x.mjml:2:71"]);
  });

  it("are right after a partial and in it", async () => {
    const source = inColumn("{{> _a}}\n<mj-foo />");
    const files = { "x.mjml": source, "_a.mjml": "<mj-text>a</mj-text>\n<mj-bar />\n<mj-text>a</mj-text>\n" };
    expect(places(await compileOne(files))).toEqual([
      "mjml-unknown-element _a.mjml:2:1",
      "mjml-unknown-element x.mjml:3:1",
    ]);
  });
});
