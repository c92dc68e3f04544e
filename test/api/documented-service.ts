import { answerJson, type SeenRequest, serve } from "./servers.js";
import { account, alias, credential, domain, logEntry, records, rules, template } from "./shapes.js";
import { accountV3, aliasV3, credentialV3, domainV3, logEntryV3, ruleV3 } from "./shapes-v3.js";

const page = { limit: 200, page: 1, total: 1 };
const { html_body: _html, text_body: _text, ...summary } = template;
const accepted = { id: logEntry.id, message_id: logEntry.message_id };
const none = { failed: [], failed_count: 0 };
const regexRule = rules[1];

type Answers = Readonly<Record<string, unknown>>;

/** The answer of each endpoint; undefined is a 204. */
const v4: Answers = {
  "GET /account": { account },
  "GET /domains": { domains: [domain], ...page },
  "POST /domains": { domain },
  "GET /domains/:": { domain },
  "PUT /domains/:": { domain },
  "POST /domains/:/verify": { records },
  "GET /domains/:/aliases": { aliases: [alias], ...page },
  "POST /domains/:/aliases": { alias },
  "GET /domains/:/aliases/:": { alias },
  "PUT /domains/:/aliases/:": { alias },
  "POST /domains/:/aliases/batch": { added: [alias], added_count: 1, ...none },
  "PUT /domains/:/aliases/batch": { updated: [alias], updated_count: 1, ...none },
  "DELETE /domains/:/aliases/batch": { deleted: ["7"], deleted_count: 1, ...none },
  "DELETE /domains/:/aliases": { deleted: 1 },
  "GET /domains/:/rules": { rules, ...page, total: 3 },
  "POST /domains/:/rules": { rule: regexRule },
  "GET /domains/:/rules/:": { rule: regexRule },
  "PUT /domains/:/rules/:": { rule: regexRule },
  "POST /domains/:/rules/batch": { added: rules, added_count: 3, ...none },
  "PUT /domains/:/rules/batch": { updated: [regexRule], updated_count: 1, ...none },
  "DELETE /domains/:/rules/batch": { deleted: [], deleted_count: 0, ...none },
  "DELETE /domains/:/rules": { deleted: 3 },
  "GET /domains/:/logs": { logs: [logEntry], limit: 100, cursor: null, next_cursor: null },
  "GET /domains/:/logs/count": { total: 1 },
  "GET /domains/:/logs/search": { logs: [logEntry], limit: 20, offset: 0, total: 1, next_offset: null },
  "GET /domains/:/logs/:": logEntry,
  "GET /domains/:/credentials": { credentials: [credential], ...page },
  "POST /domains/:/credentials": { credential, requires_new_mx_check: true },
  "PUT /domains/:/credentials/:": { credential },
  "POST /domains/:/emails/outbound": accepted,
  "GET /domains/:/templates": { templates: [summary] },
  "GET /domains/:/templates/:": { template },
  "POST /domains/:/templates": { template },
  "PUT /domains/:/templates/:": { template },
};

const success = true;

const v3: Answers = {
  "GET /account": { account: accountV3, success },
  "GET /account/whitelabels": { whitelabels: [{ name: "example.net" }], success },
  "GET /domains": { domains: [domainV3], ...page, success },
  "PUT /domains/:": { domain: domainV3, success },
  "GET /domains/:/check": { records, success: false },
  "GET /domains/:/aliases/:": { alias: aliasV3, success },
  "PUT /domains/:/aliases/:": { alias: aliasV3, success },
  "POST /domains/:/aliases/bulk": { added: [aliasV3], updated: [], failed: [], success },
  "POST /domains/:/rules/bulk": { errors: [], results: [{ operation: "delete", rule: ruleV3, success }], success },
  "DELETE /domains/:/rules-all": { success },
  "GET /domains/:/logs": { logs: [logEntryV3], next_cursor: null, success },
  "GET /domains/:/logs/:": { logs: [logEntryV3], next_cursor: null, success },
  "GET /domains/:/logs/search": { logs: [logEntryV3], success },
  "GET /domains/:/logs/count": { total: 1, success },
  "GET /domains/:/credentials": { credentials: [credentialV3], success },
};

/** A service that answers each request with the documented example. */
export async function serveDocumented() {
  return serve((request, response) => {
    const { version, endpoints } = endpointsOf(request);
    const answers = version === "v3" ? v3 : v4;
    const endpoint = endpoints.find((name) => name in answers);
    if (request.url.includes("missing.")) {
      answerJson(response, 404, { message: "No such domain", errors: {} });
    } else if (endpoint !== undefined) answerJson(response, 200, answers[endpoint]);
    else if (request.method === "DELETE") response.writeHead(204).end();
    else answerJson(response, 404, { message: `${endpoints[0]} is not in the document`, errors: {} });
  });
}

/** The endpoints that a request may be for, the most literal one first. */
function endpointsOf({ method, url }: SeenRequest) {
  const [, version = "", first, name, resource, last] = new URL(url, "http://service").pathname.split("/");
  const path = (...segments: (string | undefined)[]) => `${method} /${segments.filter(Boolean).join("/")}`;
  const domainPart = first === "domains" && name !== undefined ? ":" : name;
  return {
    version,
    endpoints: [path(first, domainPart, resource, last), path(first, domainPart, resource, last && ":")],
  };
}
