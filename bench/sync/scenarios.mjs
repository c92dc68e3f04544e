// @ts-check
import { TEMPLATES_PER_DOMAIN } from "../../dist/api/limits.js";

/** @typedef {import("../../dist/sync/index.js").LocalTemplate} LocalTemplate */

/**
 * @typedef {object} Scenario
 * @property {string} name
 * @property {readonly LocalTemplate[]} before The templates synced before.
 * @property {readonly LocalTemplate[]} now The templates to sync.
 * @property {"settled" | "recent" | "none"} lock Whether its entries prove what the service has; recent ones don't.
 * @property {boolean} prune
 * @property {import("./least.mjs").Work} work
 */

/** @param {number} from @param {number} to @param {string} [edition] @returns {LocalTemplate[]} */
const templates = (from, to, edition = "first") =>
  Array.from({ length: to - from + 1 }, (_, index) => {
    const name = `template-${String(from + index).padStart(3, "0")}`;
    const [html_body, text_body] = [`<p>{{name}}: ${name}, ${edition}</p>`, `{{{name}}}: ${name}, ${edition}`];
    const content = { subject: `${name}, ${edition}`, description: `About ${name}`, html_body, text_body };
    return { name, template: name, content, sources: [] };
  });

const MANY = TEMPLATES_PER_DOMAIN;
const HALF = MANY / 2;
const all = templates(1, MANY);
const usual = { before: all, now: all, lock: /** @type {const} */ ("settled"), prune: false };

/** Scenarios for any account. @type {readonly Scenario[]} */
export const scenarios = [
  { ...usual, name: `${MANY} unchanged`, work: {} },
  { ...usual, name: `${MANY} unchanged, no lock`, lock: "none", work: { GET: MANY } },
  { ...usual, name: `${MANY} unchanged, recent lock`, lock: "recent", work: { GET: MANY } },
  {
    ...usual,
    name: `1 of ${MANY} changed`,
    now: [...all.slice(1), ...templates(1, 1, "second")],
    work: { GET: 1, PUT: 1 },
  },
  {
    ...usual,
    name: `10 of ${MANY} changed`,
    now: [...templates(1, 10, "second"), ...all.slice(10)],
    work: { GET: 10, PUT: 10 },
  },
  { ...usual, name: `${MANY} changed`, now: templates(1, MANY, "second"), work: { GET: MANY, PUT: MANY } },
  {
    ...usual,
    name: `${MANY} changed, no lock`,
    now: templates(1, MANY, "second"),
    lock: "none",
    work: { GET: MANY, PUT: MANY },
  },
  {
    ...usual,
    name: `${HALF} of ${MANY} pruned`,
    now: templates(1, HALF),
    prune: true,
    work: { GET: HALF, DELETE: HALF },
  },
  {
    ...usual,
    name: "70 changed, 50 pruned, 80 unchanged",
    now: [...templates(1, 70, "second"), ...templates(71, 150)],
    prune: true,
    work: { GET: 120, PUT: 70, DELETE: 50 },
  },
];

/** Scenarios that need a paid plan, because they create templates. @type {readonly Scenario[]} */
export const paidScenarios = [
  { ...usual, name: `${MANY} created`, before: [], work: { POST: MANY } },
  {
    ...usual,
    name: `${HALF} renamed`,
    before: templates(1, HALF),
    now: templates(1, HALF).map((template) => {
      const name = `new-${template.name}`;
      return { ...template, name, template: name, renamedFrom: template.name };
    }),
    work: { POST: HALF },
  },
  {
    ...usual,
    name: "50 created, 50 changed, 50 pruned, 50 unchanged",
    before: templates(1, 150),
    now: [...templates(1, 50, "second"), ...templates(51, 100), ...templates(151, 200)],
    prune: true,
    work: { GET: 100, POST: 50, PUT: 50, DELETE: 50 },
  },
];
