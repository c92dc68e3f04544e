import type { Caller, CallOptions } from "../../caller.js";
import { PATHS } from "../../contract/v4/paths.js";
import type { NewTemplate, StoredTemplate, StoredTemplateSummary, TemplateChanges } from "../../contract/v4/templates.js";

export interface TemplateCalls {
  /** All templates of a domain, without their bodies; the service has no pages here. */
  list(domain: string, options?: CallOptions): Promise<StoredTemplateSummary[]>;
  get(domain: string, name: string, options?: CallOptions): Promise<StoredTemplate>;
  /** Refused with 400 where the name is taken, a field too long or its Mustache malformed, or 200 templates are there. */
  create(domain: string, template: NewTemplate, options?: CallOptions): Promise<StoredTemplate>;
  /** Changes only the fields that are given; a `name` among them renames. */
  update(domain: string, name: string, changes: TemplateChanges, options?: CallOptions): Promise<StoredTemplate>;
  delete(domain: string, name: string, options?: CallOptions): Promise<void>;
}

const contract = () => import("../../contract/v4/templates.js");
const templateResponse = async () => (await contract()).templateResponse;

export function templateCalls(caller: Caller): TemplateCalls {
  return {
    async list(domain, options) {
      const request = { method: "GET", endpoint: PATHS.templates, parameters: { domain } } as const;
      const { templates } = await caller.ask(request, async () => (await contract()).templateListResponse, options);
      return templates;
    },
    async get(domain, name, options) {
      const request = { method: "GET", endpoint: PATHS.template, parameters: { domain, name } } as const;
      const { template } = await caller.ask(request, templateResponse, options);
      return template;
    },
    async create(domain, body, options) {
      const request = { method: "POST", endpoint: PATHS.templates, parameters: { domain }, body } as const;
      const { template } = await caller.ask(request, templateResponse, options);
      return template;
    },
    async update(domain, name, body, options) {
      const request = { method: "PUT", endpoint: PATHS.template, parameters: { domain, name }, body } as const;
      const { template } = await caller.ask(request, templateResponse, options);
      return template;
    },
    async delete(domain, name, options) {
      const request = { method: "DELETE", endpoint: PATHS.template, parameters: { domain, name } } as const;
      await caller.tell(request, options);
    },
  };
}
