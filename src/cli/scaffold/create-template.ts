import { randomUUID } from "node:crypto";
import { lstatSync, readdirSync } from "node:fs";
import { mkdir, rename, rm, rmdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Project } from "../../project/load-project.js";
import { checkLink, realFolder } from "../../project/candidates.js";
import { loadTemplates } from "../../project/load-templates.js";
import { nameProblem, stemOf } from "../../project/template-name.js";
import type { Engine } from "../../project/template.js";
import { UsageError } from "../arguments.js";
import { missingPeers } from "./peers.js";
import { starterTemplate } from "./starters.js";

export interface CreatedTemplateOptions {
  readonly name: string;
  readonly engine: Engine;
  /** The starter to copy. Default: a minimal template. */
  readonly starter?: string | undefined;
}

export interface CreatedTemplate {
  /** Absolute paths, the body first. */
  readonly written: readonly string[];
  /** Shared parts of the starter that already existed and were not changed. */
  readonly kept: readonly string[];
  /** Packages that the template needs and that are not installed. */
  readonly missing: readonly string[];
}

/**
 * Adds a template to a project's first templates folder. Never overwrites files.
 *
 * @throws {UsageError} The name is not valid or is taken, or there is no such starter.
 */
export async function createTemplate(
  { folder, roots }: Pick<Project, "folder" | "roots">,
  { name, engine, starter }: CreatedTemplateOptions,
): Promise<CreatedTemplate> {
  refuseName(name, loadTemplates(roots).names);
  const [root = ""] = roots;
  const place = path.join(root, stemOf(name));
  refusePlace(place, folder);
  const { files, parts } =
    starter === undefined
      ? { files: firstTemplate(name, engine), parts: new Map<string, Buffer>() }
      : await starterTemplate({ starter, engine }, name);
  for (const part of new Set([...parts.keys()].map((file) => path.dirname(file)))) refuseLink(root, part);
  const shared = await writeNewFiles(root, parts);
  const draft = draftOf(place);
  try {
    await writeNewFiles(draft, files);
    await renameIntoPlace(draft, place);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return {
    written: [...[...files.keys()].map((file) => path.join(place, file)), ...shared.written],
    kept: shared.kept,
    missing: missingPeers(folder, [engine], [...files.values(), ...parts.values()]),
  };
}

/** @throws {UsageError} The name is not valid, or it is taken. */
export function refuseName(name: string, taken: ReadonlySet<string>): void {
  const problem = nameProblem(name);
  if (problem !== undefined) throw new UsageError(problem);
  if (taken.has(name)) throw new UsageError(`A template "${name}" already exists.`);
}

/** @throws {UsageError} The path exists and is not an empty folder, as version control may leave behind. */
export function refusePlace(place: string, folder: string): void {
  const stats = lstatSync(place, { throwIfNoEntry: false });
  if (stats === undefined || (stats.isDirectory() && readdirSync(place).length === 0)) return;
  const hint = "Move or delete it, or choose another name.";
  throw new UsageError(`${path.relative(folder, place)} already exists and is not a template.`, { hint });
}

function refuseLink(root: string, part: string): void {
  const real = realFolder(root) ?? root;
  const link = checkLink(real, path.join(real, part));
  if (link) throw new UsageError(link.message);
}

/** A hidden temporary folder next to a template's folder. */
export function draftOf(place: string): string {
  return path.join(path.dirname(place), `.${path.basename(place)}.${randomUUID()}.tmp`);
}

/** Renames a complete folder to its final name, so that other processes never see a part of it. */
export async function renameIntoPlace(draft: string, place: string): Promise<void> {
  // Windows can't replace a folder, so remove an empty one first. This fails for a folder that is not empty.
  await rmdir(place).catch(() => undefined);
  await rename(draft, place);
}

/** The files of a new template, by path within its folder: a body, metadata, a schema and a fixture. */
function firstTemplate(name: string, engine: Engine): ReadonlyMap<string, string> {
  const title = titleOf(name);
  const body = bodies[engine](title);
  return new Map([
    [`${stemOf(name)}.${engine === "react" ? "tsx" : engine}`, body],
    ["template.json", json({ subject: `${title}, {{name}}`, description: `Sent when … (${title.toLowerCase()})` })],
    ["variables.ts", variables],
    ["fixtures/default.json", json({ name: "Ada", url: "https://example.com/orders/1042" })],
  ]);
}

/** A title from a template's name: `Order shipped` from `order-shipped`. */
export function titleOf(name: string): string {
  return name.replace(/[-_]+/g, " ").replace(/^./, (letter) => letter.toUpperCase());
}

export function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

const variables = `import { z } from "zod";

export default z.object({
  name: z.string().describe("The recipient's first name"),
  url: z.url().describe("The URL of the button"),
});
`;

const bodies: Readonly<Record<Engine, (title: string) => string>> = {
  mjml: (title) => `<mjml lang="en">
  <mj-head>
    <mj-title>${title}</mj-title>
    <mj-preview>What the inbox shows behind the subject.</mj-preview>
    <mj-attributes>
      <mj-all font-family="system-ui, -apple-system, 'Segoe UI', sans-serif" />
      <mj-text font-size="16px" line-height="24px" color="#1f2933" />
      <mj-button background-color="#1f5eff" color="#ffffff" font-size="16px" border-radius="6px" inner-padding="14px 24px" />
    </mj-attributes>
  </mj-head>
  <mj-body background-color="#f5f7fa">
    <mj-section background-color="#ffffff">
      <mj-column>
        <mj-text font-size="22px" line-height="30px">${title}</mj-text>
        <mj-text>Hello {{name}},</mj-text>
        <mj-text>Say what happened, and what to do next.</mj-text>
        <mj-button href="{{url}}">See the details</mj-button>
      </mj-column>
    </mj-section>
  </mj-body>
</mjml>
`,
  react: (
    title,
  ) => `import { Body, Button, Container, Head, Heading, Html, Preview, Text } from "@react-email/components";

interface Props {
  name: string;
  url: string;
}

export default function Email({ name, url }: Props) {
  return (
    <Html lang="en">
      <Head>
        <title>${title}</title>
      </Head>
      <Preview>What the inbox shows behind the subject.</Preview>
      <Body style={{ backgroundColor: "#f5f7fa", fontFamily: "system-ui, -apple-system, 'Segoe UI', sans-serif" }}>
        <Container style={{ backgroundColor: "#ffffff", padding: "24px" }}>
          <Heading as="h1" style={{ fontSize: "22px" }}>
            ${title}
          </Heading>
          <Text style={{ fontSize: "16px" }}>Hello {name},</Text>
          <Text style={{ fontSize: "16px" }}>Say what happened, and what to do next.</Text>
          <Button href={url} style={{ backgroundColor: "#1f5eff", borderRadius: "6px", color: "#ffffff", padding: "14px 24px" }}>
            See the details
          </Button>
        </Container>
      </Body>
    </Html>
  );
}
`,
  html: (title) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <meta name="color-scheme" content="light dark">
    <title>${title}</title>
  </head>
  <body style="margin:0;background-color:#f5f7fa;font-family:system-ui,-apple-system,'Segoe UI',sans-serif">
    <div style="display:none">What the inbox shows behind the subject.</div>
    <table role="presentation" width="100%" cellpadding="0" cellspacing="0">
      <tr>
        <td align="center" style="padding:24px 12px">
          <table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:600px;background-color:#ffffff">
            <tr>
              <td style="padding:24px;font-size:16px;line-height:24px;color:#1f2933">
                <h1 style="margin:0 0 16px;font-size:22px;line-height:30px">${title}</h1>
                <p style="margin:0 0 16px">Hello {{name}},</p>
                <p style="margin:0 0 24px">Say what happened, and what to do next.</p>
                <a href="{{url}}" style="display:inline-block;padding:14px 24px;border-radius:6px;background-color:#1f5eff;color:#ffffff;text-decoration:none">See the details</a>
              </td>
            </tr>
          </table>
        </td>
      </tr>
    </table>
  </body>
</html>
`,
};

/** Writes files below a folder. Existing files are not changed. */
export async function writeNewFiles(
  folder: string,
  files: ReadonlyMap<string, string | Buffer>,
): Promise<{ readonly written: string[]; readonly kept: string[] }> {
  const written: string[] = [];
  const kept: string[] = [];
  for (const [relative, content] of files) {
    const file = path.join(folder, relative);
    await mkdir(path.dirname(file), { recursive: true });
    try {
      await writeFile(file, content, { flag: "wx" });
      written.push(file);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
      kept.push(file);
    }
  }
  return { written, kept };
}
