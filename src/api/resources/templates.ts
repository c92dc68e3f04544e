import type { AnswerReader } from "../calls/answer.js";
import type { Caller, CallOptions } from "../calls/caller.js";
import * as PATHS from "../contract/v4/paths.js";
import type { NewTemplate, StoredTemplate, StoredTemplateSummary, TemplateChanges } from "../contract/v4/templates.js";
import { type Listing, listing } from "./pages.js";

export interface TemplateCalls {
  /** All templates of a domain, without their bodies, in one request: the service has no pages here. */
  list(domain: string, options?: CallOptions): Listing<StoredTemplateSummary>;
  get(domain: string, name: string, options?: CallOptions): Promise<StoredTemplate>;
  /**
   * Refused with 400 if the name is taken, a field is too long, its Mustache is malformed, or there are 200 templates
   * already.
   */
  create(domain: string, template: NewTemplate, options?: CallOptions): Promise<StoredTemplate>;
  /** Changes only the fields that are passed; a `name` renames the template. */
  update(domain: string, name: string, changes: TemplateChanges, options?: CallOptions): Promise<StoredTemplate>;
  delete(domain: string, name: string, options?: CallOptions): Promise<void>;
}

interface TemplateContract {
  readonly templateListResponse: AnswerReader<{ templates: StoredTemplateSummary[] }>;
  readonly templateResponse: AnswerReader<{ template: StoredTemplate }>;
}

export function templateCalls(caller: Caller, contract: () => Promise<TemplateContract>): TemplateCalls {
  const templateResponse = async () => (await contract()).templateResponse;
  return {
    list(domain, options) {
      const request = { method: "GET", endpoint: PATHS.templates, parameters: { domain } } as const;
      const answer = caller.ask(request, async () => (await contract()).templateListResponse, options);
      return listing(answer.then(({ templates }) => templates));
    },
    async get(domain, name, options) {
      const request = { method: "GET", endpoint: PATHS.template, parameters: { domain, name } } as const;
      return (await caller.ask(request, templateResponse, options)).template;
    },
    async create(domain, body, options) {
      const request = { method: "POST", endpoint: PATHS.templates, parameters: { domain }, body } as const;
      return (await caller.ask(request, templateResponse, options)).template;
    },
    async update(domain, name, body, options) {
      const request = { method: "PUT", endpoint: PATHS.template, parameters: { domain, name }, body } as const;
      return (await caller.ask(request, templateResponse, options)).template;
    },
    async delete(domain, name, options) {
      await caller.tell({ method: "DELETE", endpoint: PATHS.template, parameters: { domain, name } }, options);
    },
  };
}
