import type { ServerResponse } from "node:http";
import { onTestFinished } from "vitest";
import { type Client, createClient } from "../../src/api/client.js";
import { BODY_MAX, TEMPLATES_PER_DOMAIN } from "../../src/api/limits.js";
import type { TemplateFields } from "../../src/project/template.js";
import { answerJson, type SeenRequest, serve } from "../api/servers.js";

export const domain = "example.com";

export interface TemplateService {
  readonly client: Client;
  /** The stored templates, by name. */
  readonly stored: Map<string, TemplateFields>;
  readonly seen: readonly SeenRequest[];
}

/** Answers a request and returns true, or leaves it to the service. */
export type Fault = (request: SeenRequest, response: ServerResponse, count: number) => boolean;

/** The documented template endpoints over HTTP, with a hook for failures. */
export async function serveTemplates(
  templates: readonly TemplateFields[] = [],
  fault: Fault = () => false,
): Promise<TemplateService> {
  const stored = new Map(templates.map((template) => [template.name, template]));
  const { url, seen } = await serve((request, response) => {
    if (!fault(request, response, seen.length)) answer(request, response, stored);
  });
  const client = createClient({ apiKey: "key-of-the-test", baseUrl: url, pacing: false, retries: 0 });
  onTestFinished(() => client.close());
  return { client, stored, seen };
}

function answer(
  { method, url, body }: SeenRequest,
  response: ServerResponse,
  stored: Map<string, TemplateFields>,
): void {
  const [, version, , , resource, name] = url.split("/");
  const times = { created_at: "2026-08-12T09:30:00Z", updated_at: "2026-08-12T09:30:00Z" };
  const refuse = (status: number, message: string) => answerJson(response, status, { message, errors: {} });
  if (version !== "v4" || resource !== "templates") return refuse(404, "Not found");

  if (method === "GET" && name === undefined) {
    const summaries = [...stored.values()].map(({ html_body: _html, text_body: _text, ...summary }) => ({
      ...summary,
      ...times,
    }));
    return answerJson(response, 200, { templates: summaries });
  }
  if (method === "POST") {
    const created: TemplateFields = JSON.parse(body);
    if (stored.has(created.name)) return refuse(400, "name already taken");
    if (stored.size >= TEMPLATES_PER_DOMAIN) return refuse(400, "200 templates per domain reached");
    return keep(created);
  }
  const before = stored.get(name ?? "");
  if (before === undefined) return refuse(404, "Template not found");
  if (method === "PUT") return keep({ ...before, ...JSON.parse(body) });
  return answerJson(response, 200, { template: { ...before, ...times } });

  function keep(template: TemplateFields): void {
    if (template.html_body.length > BODY_MAX) return refuse(400, "html_body too long");
    stored.set(template.name, template);
    answerJson(response, 200, { template: { ...template, ...times } });
  }
}

export function fields(name: string, changes: Partial<TemplateFields> = {}): TemplateFields {
  return {
    name,
    description: `About ${name}`,
    subject: `${name} {{number}}`,
    html_body: `<p>{{number}}</p>`,
    text_body: "{{{number}}}",
    ...changes,
  };
}
