import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { transform } from "rolldown/utils";
import { expect, onTestFinished, test } from "vitest";
import type { Registry } from "../../src/project/registry-types.js";
import { createMailer } from "../../src/send/index.js";
import { startLocalService } from "../../src/testing/index.js";
import { TestProject } from "./project.js";

const repository = fileURLToPath(new URL("../..", import.meta.url));

const RECEIPT = `import dayjs from "dayjs";
import utc from "dayjs/plugin/utc";
import { format } from "date-fns";
import pluralize from "pluralize";
dayjs.extend(utc);
interface Props { readonly placedAt: string; readonly items: readonly { readonly name: string; readonly count: number }[] }
export const subject = ({ placedAt }: Props) => \`Order of \${format(placedAt, "d MMM HH:mm")}\`;
export default function Receipt({ placedAt, items }: Props) {
  return (
    <html lang="en">
      <body>
        <p>{dayjs(placedAt).add(14, "day").format("D MMMM, HH:mm")}; {dayjs.utc(placedAt).format("HH:mm")} UTC</p>
        {items.map((item) => <p key={item.name}>{item.count} {pluralize(item.name, item.count)}</p>)}
      </body>
    </html>
  );
}
`;

const ORDER = { placedAt: "2024-03-31T00:30:00.000Z", items: [{ name: "box", count: 2 }] };

test("functions of packages compute in builds, commands and applications", async () => {
  const service = await startLocalService();
  onTestFinished(() => service.close());
  const { url, domain, apiKey } = service;
  const config = { timeZone: "America/New_York", environments: { production: { url, domain } } };
  const project = new TestProject({
    "lettershop.config.json": JSON.stringify(config),
    "templates/receipt/receipt.tsx": RECEIPT,
    "templates/receipt/fixtures/default.json": JSON.stringify(ORDER),
  });
  for (const name of ["date-fns", "dayjs", "pluralize"]) {
    mkdirSync(project.path("node_modules"), { recursive: true });
    symlinkSync(path.join(repository, "node_modules", name), project.path("node_modules", name), "junction");
  }
  const env = { LETTERSHOP_ENV: "production", LETTERSHOP_API_KEY: apiKey };

  expect(await project.run(["build", "--out", "out"])).toMatchObject({ code: 0, stderr: "" });
  const { templates: built } = JSON.parse(readFileSync(project.path("out/manifest.json"), "utf8"));
  expect(built[0].needs).toEqual([
    "dayjs default.extend",
    "dayjs/plugin/utc default",
    "dayjs default",
    "dayjs default.utc",
    "pluralize default",
    "date-fns format",
  ]);
  const shown = await project.run(["render", "receipt", "--part", "text"]);
  expect(shown.stdout).toBe("13 April, 20:30; 00:30 UTC\n\n2 boxes\n");

  expect(await project.run(["sync", "--yes"], env)).toMatchObject({ code: 0 });
  expect(await project.run(["send", "receipt", "--to", "ada@example.org"], env)).toMatchObject({ code: 0 });
  expect(await service.inbox.waitFor({ to: "ada@example.org" })).toMatchObject({
    subject: "Order of 30 Mar 20:30",
    text: expect.stringMatching(/^13 April, 20:30; 00:30 UTC\s+2 boxes\s*$/),
  });

  expect(await project.run(["types"])).toMatchObject({ code: 0 });
  const { code } = await transform("templates.gen.ts", readFileSync(project.path("templates.gen.ts"), "utf8"));
  project.write({ "templates.gen.mjs": code });
  const { templates }: { templates: Registry } = await import(pathToFileURL(project.path("templates.gen.mjs")).href);
  const mailer = createMailer({
    templates,
    environment: "production",
    apiKey,
    from: "orders",
    timeZone: "Asia/Kolkata",
  });
  onTestFinished(() => mailer.close());
  await mailer.send("receipt", ORDER, { to: "bob@example.org" });
  expect(await service.inbox.waitFor({ to: "bob@example.org" })).toMatchObject({
    subject: "Order of 31 Mar 06:00",
    text: expect.stringMatching(/^14 April, 06:00; 00:30 UTC\s+2 boxes\s*$/),
  });
});
