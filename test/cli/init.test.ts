import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { htmlTemplate, TestProject } from "./project.js";

const readJson = (file: string) => JSON.parse(readFileSync(file, "utf8"));

describe("templates init", () => {
  it("writes starters of only the chosen kinds, which build, and adds what they need to package.json", async () => {
    const project = new TestProject();
    expect(await project.run(["init", "--no-install"])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^Next: npm install && npx templates build\nTo see the templates: npx templates preview --open\n$/m,
      ),
    });
    expect(existsSync(project.path("templates/receipt/receipt.mjml"))).toBe(true);
    expect(existsSync(project.path("templates/sign-in-code/sign-in-code.html"))).toBe(true);
    expect(existsSync(project.path("templates/password-reset"))).toBe(false);
    expect(existsSync(project.path("templates/_shared/layout.tsx"))).toBe(false);
    const manifest = readJson(project.path("package.json"));
    // A mailer's store needs it in production: `npm install --omit=dev` must not leave it out.
    const sqlite = process.getBuiltinModule("node:sqlite") ? [] : ["@photostructure/sqlite"];
    expect(Object.keys(manifest.dependencies)).toEqual([...sqlite, "lettershop", "zod"]);
    expect(manifest.devDependencies).not.toHaveProperty("@photostructure/sqlite");
    expect(manifest.devDependencies).toMatchObject({ mjml: expect.any(String), rolldown: expect.any(String) });
    expect(manifest.devDependencies).not.toHaveProperty("react");
    expect(await project.run(["check", "--max-warnings", "0"])).toMatchObject({ code: 0 });
    expect(await project.run(["build"])).toMatchObject({ code: 0, stderr: "" });
  });

  it("keeps existing files and entries in package.json", async () => {
    const manifest = {
      name: "mine",
      type: "module",
      scripts: { "templates:build": "mine" },
      dependencies: { zod: "4.0.0" },
    };
    const project = new TestProject({
      "package.json": JSON.stringify(manifest),
      "lettershop.config.ts": "export default {};",
      "templates/team-invite/template.json": "{}",
    });
    const { stderr } = await project.run(["init", "--react", "--no-install"]);
    expect(stderr).toContain("Unchanged: templates/team-invite/template.json, lettershop.config.ts");
    expect(readFileSync(project.path("lettershop.config.ts"), "utf8")).toBe("export default {};");
    expect(readJson(project.path("package.json"))).toMatchObject({
      name: "mine",
      scripts: { "templates:build": "mine", "templates:sync": "templates sync" },
      dependencies: { zod: "4.0.0" },
    });
  });

  it("creates a package.json in a new folder, and refuses a broken one without overwriting it", async () => {
    const project = new TestProject({ "broken/package.json": "{" });
    expect(await project.run(["init", "New App", "--no-install"])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("cd New App && npm install"),
    });
    expect(readJson(project.path("New App/package.json"))).toMatchObject({
      name: "new-app",
      private: true,
      type: "module",
    });
    expect(await project.run(["init", "broken", "--no-install"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("is not valid JSON"),
    });
    expect(readFileSync(project.path("broken/package.json"), "utf8")).toBe("{");
  });

  it("--from imports MJML and React Email files with their includes, and the project builds", async () => {
    const project = new TestProject({
      "emails/Welcome.mjml": `<mjml><mj-body><mj-include path="./parts/header.mjml" /><mj-section><mj-column><mj-text>Hi {{name}}</mj-text></mj-column></mj-section></mj-body></mjml>`,
      "emails/parts/header.mjml": `<mj-section><mj-column><mj-image src="../images/logo.png" alt="Logo" /></mj-column></mj-section>`,
      "emails/images/logo.png": "not really",
      "emails/order_shipped.tsx": `import { Footer } from "./components/footer";\nimport { legal } from "../legal";\nexport default function OrderShipped({ id }: { id: string }) {\n  return <html lang="en"><body><p>{id}</p><Footer /><p>{legal}</p></body></html>;\n}\nOrderShipped.PreviewProps = { id: "A-1" };\n`,
      "emails/components/footer.tsx": `export const Footer = () => <p>Footer</p>;\n`,
      "legal.ts": `export const legal = "Example Ltd";\n`,
    });
    const adopted = await project.run(["init", "--from", "emails", "--no-install"]);
    expect(adopted).toMatchObject({
      code: 0,
      stderr: "",
    });
    expect(await project.run(["build", "--out", "out"])).toMatchObject({
      code: 0,
      stdout: "2 templates compiled in out.\n",
    });
    expect(readFileSync(project.path("out/order_shipped/body.html"), "utf8")).toMatch(
      /\{\{id\}\}.*Footer.*Example Ltd/s,
    );
    expect(readFileSync(project.path("out/welcome/body.html"), "utf8")).toContain("assets/logo.png");
    expect(existsSync(project.path("out/assets/logo.png"))).toBe(true);
    expect(existsSync(project.path("emails/Welcome.mjml"))).toBe(true);
  });

  it("--from finds emails in subfolders, and images that React Email serves", async () => {
    const body = (text: string) =>
      `export default function Mail() {\n  return <html lang="en"><body><img src={\`\${baseUrl}/static/logo.png\`} alt="Logo" width="10" height="10" /><p>${text}</p><Footer /></body></html>;\n}\nconst baseUrl = "";\n`;
    const project = new TestProject({
      "emails/auth/reset.tsx": `import { Footer } from "../components/footer";\n${body("Reset")}`,
      "emails/welcome/index.tsx": `import Footer from "./footer";\n${body("Welcome")}`,
      "emails/welcome/footer.tsx": "export default function Footer() {\n  return <p>Own footer</p>;\n}\n",
      "emails/components/footer.tsx": "export const Footer = () => <p>Shared footer</p>;\n",
      "emails/static/logo.png": "not really",
    });
    expect(await project.run(["init", "--from", "emails", "--no-install"])).toMatchObject({ code: 0 });
    expect(readFileSync(project.path("templates/auth-reset/auth-reset.tsx"), "utf8")).toContain(
      "`../_assets/logo.png`",
    );
    expect(await project.run(["build", "--out", "out"])).toMatchObject({
      code: 0,
      stdout: "2 templates compiled in out.\n",
    });
    expect(readFileSync(project.path("out/auth-reset/body.html"), "utf8")).toMatch(/assets\/logo\.png.*Reset.*Shared/s);
    expect(readFileSync(project.path("out/welcome/body.html"), "utf8")).toMatch(/assets\/logo\.png.*Welcome.*Own/s);
  });

  it("--from keeps the appearance of a component with images in its PreviewProps and in a style", async () => {
    const project = new TestProject({
      "emails/invite.tsx": `const baseUrl = "";
export default function Invite({ photo, team }: { photo: string; team: { logos: string[] } }) {
  return (
    <html lang="en">
      <body style={{ backgroundImage: \`url('\${baseUrl}/static/sky.png')\` }}>
        <img src={photo} alt="You" width="10" height="10" />
        {team.logos.map((logo) => <img key={logo} src={logo} alt="Logo" width="10" height="10" />)}
      </body>
    </html>
  );
}
Invite.PreviewProps = { photo: \`\${baseUrl}/static/ada.png\`, team: { logos: Array(2).fill(\`\${baseUrl}/static/logo.png\`) } };
`,
      "emails/static/ada.png": "not really",
      "emails/static/logo.png": "not really",
      "emails/static/sky.png": "not really",
    });
    expect(await project.run(["init", "--from", "emails", "--no-install"])).toMatchObject({ code: 0 });
    expect(await project.run(["build", "--out", "out"])).toMatchObject({ code: 0, stderr: "" });
    expect(readFileSync(project.path("out/invite/body.html"), "utf8")).toContain(
      "background-image:url(&#x27;assets/sky.png&#x27;)",
    );
    const { stdout } = await project.run(["render", "invite", "--part", "html"]);
    const addresses = Array.from(stdout.replaceAll("&#x2F;", "/").matchAll(/src="([^"]*)"/g), ([, address]) => address);
    expect(addresses).toEqual(["assets/ada.png", "assets/logo.png", "assets/logo.png"]);
  });

  it("--from reports problems with a folder", async () => {
    const project = new TestProject({
      "none/readme.md": "",
      "two/A.mjml": "<mjml></mjml>",
      "two/a.html": "<html></html>",
    });
    expect(await project.run(["init", "--from", "nowhere"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("There is no folder"),
    });
    expect(await project.run(["init", "--from", "none"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("contains no React Email"),
    });
    expect(await project.run(["init", "--from", "two"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('would both be the template "a"'),
    });
    expect(existsSync(project.path("templates"))).toBe(false);
  });
});

describe("templates doctor", () => {
  it("reports what is fine, what is missing, and how to fix it", async () => {
    const project = new TestProject({
      ...htmlTemplate("one"),
      "lettershop.config.json": JSON.stringify({
        environments: { staging: { url: "http://127.0.0.1:1", domain: "a.example" } },
      }),
    });
    const fine = await project.run(["doctor", "--env", "local"]);
    expect(fine).toMatchObject({ code: 0 });
    expect(fine.stdout).toMatch(
      /✓ 1 template in templates\n.*\n✓ http:\S+ accepts the key\.\n✓ The plan .*\n.*\n✓ example\.test is ready to send\.\n! one is not deployed\.\n/,
    );
    expect(await project.run(["doctor", "--env", "staging"])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("LETTERSHOP_API_KEY"),
    });
    expect(await project.run(["doctor", "--env", "staging"], { LETTERSHOP_API_KEY: "a-secret-key" })).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("http://127.0.0.1:1"),
    });
  });
});
