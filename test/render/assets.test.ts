import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { listAssets, moveAssets } from "../../src/render/assets.js";
import { compiledOf, places, useProjects } from "./project.js";

const projects = useProjects();
const images = {
  "_assets/logo.png": "",
  "x/_assets/a photo.png": "",
  "x/_assets/.hidden": "",
  "_shared/_assets/deep/z.png": "",
};
const assets = { baseUrl: "https://cdn.example/mail/" };

describe("images in _assets", () => {
  it("get their URLs under assets.baseUrl, wherever they are referenced", async () => {
    const { html_body } = compiledOf(
      await projects.compileOne(
        {
          ...images,
          "x/x.html": `<img src="../_assets/logo.png" alt=""><img src='_assets/a%20photo.png?v=2' alt="">
            <td background="_assets/logo.png" style="background: url('../_assets/logo.png') no-repeat"></td>
            <!--[if mso]><v:fill src="../_assets/logo.png" /><![endif]-->`,
        },
        { assets },
      ),
    );
    expect(html_body.match(/https:[^"')]*/g)).toEqual([
      "https://cdn.example/mail/logo.png",
      "https://cdn.example/mail/x/a%20photo.png?v=2",
      "https://cdn.example/mail/logo.png",
      "https://cdn.example/mail/logo.png",
      "https://cdn.example/mail/logo.png",
    ]);
  });

  it("stay relative without a baseUrl, as build copies them", async () => {
    const source = '<mjml><mj-body><mj-section background-url="_assets/logo.png"></mj-section></mj-body></mjml>';
    const { html_body } = compiledOf(await projects.compileOne({ ...images, "x/x.mjml": source }));
    expect(html_body).toContain('background="assets/logo.png"');
    expect(html_body).toContain("url('assets/logo.png')");
    expect(html_body).not.toContain("_assets");
  });

  it("are found from a shared part, too", async () => {
    const files = {
      ...images,
      "x/x.html": "{{> _shared/parts/a}}",
      "_shared/parts/a.html": '<img src="../../_assets/logo.png" alt="">',
    };
    expect(compiledOf(await projects.compileOne(files, { assets })).html_body).toContain("mail/logo.png");
  });

  it.each([
    [
      "{{#d}}../_assets/logo.png{{/d}}{{^d}}_assets/a%20photo.png?v=2{{/d}}",
      "{{#d}}https://cdn.example/mail/logo.png{{/d}}{{^d}}https://cdn.example/mail/x/a%20photo.png?v=2{{/d}}",
    ],
    [
      "../_assets/lo{{#d}}go.png{{/d}}{{^d}}go.png#x{{/d}}",
      "https://cdn.example/mail/lo{{#d}}go.png{{/d}}{{^d}}go.png#x{{/d}}",
    ],
    [
      "{{#url}}{{url}}{{/url}}{{^url}}../_assets/logo.png{{/url}}",
      "{{#url}}{{url}}{{/url}}{{^url}}https://cdn.example/mail/logo.png{{/url}}",
    ],
    ["{{#d}}{{#e}}../_assets/logo.png{{/e}}{{/d}}", "{{#d}}{{#e}}https://cdn.example/mail/logo.png{{/e}}{{/d}}"],
    ["../_assets/{{url}}.png", "../_assets/{{url}}.png"],
  ])("get their URLs if sections choose one: %s", async (src, expected) => {
    const source = `<p>{{d}}{{e}}{{url}}</p><img src="${src}" alt="">`;
    const { html_body } = compiledOf(await projects.compileOne({ ...images, "x/x.html": source }, { assets }));
    expect(/(?<=src=")[^"]*/.exec(html_body)?.[0]).toBe(expected);
  });

  it("are chosen by a component's conditions and defaults, and a missing one is reported", async () => {
    const source = `export default ({ dark, logo = "../_assets/logo.png" }) => <html lang="en"><body>
      <img src={\`../_assets/\${dark ? "logo" : "light"}.png\`} alt="" /><img src={logo} alt="" />
      {dark && <img src="../_assets/logo.png" alt="" />}{!dark && <img src="../_assets/light.png" alt="" />}</body></html>;`;
    const fixtures = {
      "x/fixtures/a.json": '{ "dark": true }',
      "x/fixtures/b.json": '{ "dark": false, "logo": "https://a.example/l.png" }',
    };
    const files = { ...images, "x/x.tsx": source, ...fixtures };
    const { diagnostics } = await projects.compileOne(files, { assets });
    expect(diagnostics.map(({ message }) => message)).toContainEqual(
      expect.stringContaining("The image ../_assets/light.png"),
    );
    const { html_body } = compiledOf(await projects.compileOne({ ...files, "_assets/light.png": "" }, { assets }));
    const chosen =
      "{{#dark}}https://cdn.example/mail/logo.png{{/dark}}{{^dark}}https://cdn.example/mail/light.png{{/dark}}";
    expect(html_body.split(chosen)).toHaveLength(3);
    expect(html_body).toContain("{{^logo__is_present}}https://cdn.example/mail/logo.png{{/logo__is_present}}");
  });

  it("get their URLs in PreviewProps and in a component's style, and if a fixture names one", async () => {
    const source = `export default (props) => <html lang="en"><body style={{ background: "url('../_assets/logo.png')" }}>
      <img src={props.photo} alt="" />{props.list.map((each, i) => <img key={i} src={each.src} alt="" />)}</body></html>;`;
    const preview = `Object.assign(Mail, { PreviewProps: { photo: "../_assets/logo.png", list: [{ src: "_assets/none.png" }] } });`;
    const compiled = compiledOf(
      await projects.compileOne(
        {
          ...images,
          "x/x.tsx": `${source.replace("export default", "const Mail =")}\n${preview}\nexport default Mail;`,
        },
        { assets },
      ),
    );
    expect(compiled.html_body).toContain("url(&#x27;https://cdn.example/mail/logo.png&#x27;)");
    expect(compiled.fixtures[0]?.input).toEqual({
      photo: "https://cdn.example/mail/logo.png",
      list: [{ src: "_assets/none.png" }],
    });
    const fixture = JSON.stringify({ photo: "../_assets/logo.png", list: [] });
    const written = { ...images, "x/x.tsx": source, "x/fixtures/one.json": fixture };
    expect(compiledOf(await projects.compileOne(written, { assets })).fixtures[0]?.input).toEqual(JSON.parse(fixture));
  });

  it("move to another base URL as if they had been compiled for it", async () => {
    const files = {
      ...images,
      "x/x.html":
        '<p>assets/logo.png</p><img src="_assets/logo.png" alt=""><img src="{{#d}}_assets/logo.png{{/d}}{{^d}}../_assets/logo.png{{/d}}" alt=""><table background="_assets/a photo.png"><tr><td style="background:url(\'_assets/logo.png\')"></td></tr></table>',
    };
    const here = compiledOf(await projects.compileOne(files)).html_body;
    const there = compiledOf(await projects.compileOne(files, { assets })).html_body;
    expect(moveAssets(here, undefined, assets.baseUrl)).toBe(there);
    const local = moveAssets(there, assets.baseUrl, "http://127.0.0.1:4680/assets");
    expect(local).toContain('src="http://127.0.0.1:4680/assets/logo.png"');
    expect(moveAssets(local, "http://127.0.0.1:4680/assets/", assets.baseUrl)).toBe(there);
  });

  it("are reported if they are missing", async () => {
    const files = { "x.html": '<p>\n<img src="_assets/none.png" alt=""></p>' };
    expect(places(await projects.compileOne(files))).toEqual(["asset-missing x.html:2:11"]);
    const inPart = await projects.compileOne({
      "x.mjml": '<mjml><mj-body><mj-include path="_part.mjml" /></mj-body></mjml>',
      "_part.mjml": '<mj-section>\n<mj-column><mj-image src="_assets/none.png" alt="" /></mj-column></mj-section>',
    });
    expect(places(inPart)).toEqual(["asset-missing _part.mjml:2:27"]);
    expect(inPart.diagnostics[0]?.message).toContain("(x.mjml → _part.mjml)");
    const outside = { "x.html": '<img src="../../_assets/none.png" alt="">' };
    expect(places(await projects.compileOne(outside))).toEqual(["asset-missing x.html:1:11"]);
  });

  it("leave every other URL unchanged", async () => {
    const html =
      '<img src="https://a.example/_assets/a.png" alt=""><img src="{{url}}/_assets/a.png" alt=""><img src="cid:a" alt=""><img src="a.png" alt="">';
    expect(compiledOf(await projects.compileOne({ "x.html": html })).html_body).toBe(html);
  });

  it("are listed with their URLs", async () => {
    const root = await projects.write(images);
    const listed = listAssets(root);
    expect(listed.map((asset) => asset.path)).toEqual(["_shared/deep/z.png", "logo.png", "x/a photo.png"]);
    for (const { file } of listed) expect(path.isAbsolute(file) && (await readFile(file, "utf8"))).toBe("");
  });
});
