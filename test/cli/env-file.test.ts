import { expect, test } from "vitest";
import { TestProject } from "./project.js";

test("templates read the configured .env file, but not in CI", async () => {
  const project = new TestProject({
    "lettershop.config.json": JSON.stringify({ envFile: ".env" }),
    ".env": "TEMPLATES_BRAND=Acme\nBRAND_URL=https://acme.example\nNEXT_PUBLIC_SITE=acme.example\n",
    "templates/hello/hello.tsx":
      'export default () => <html lang="en"><body>{process.env.TEMPLATES_BRAND ?? "none"} {process.env.BRAND_URL ?? "none"} {process.env.NEXT_PUBLIC_SITE ?? "none"}</body></html>;',
    "templates/hello/template.json": JSON.stringify({ subject: "Hello" }),
  });
  const body = async (env: Record<string, string> = {}) => {
    const args = ["render", "hello", "--part", "text"];
    const { code, stdout, stderr } = await project.run(args, env);
    expect(code, stderr).toBe(0);
    return stdout.trim();
  };
  expect(await body()).toBe("Acme none acme.example");
  project.write({ ".env": "TEMPLATES_BRAND=Bolt\n" });
  expect(await body()).toBe("Bolt none none");
  expect(await body({ TEMPLATES_BRAND: "Own" })).toBe("Own none none");
  expect(await body({ CI: "1" })).toBe("none none none");
});
