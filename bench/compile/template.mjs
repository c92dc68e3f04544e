// @ts-check
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { createRandom } from "./random.mjs";
import { highlights, MJML_SECTIONS, REACT_SECTIONS } from "./sections.mjs";
import { DERIVED } from "./starters.mjs";

/** @typedef {import("./random.mjs").Random} Random */

export const STARTERS = fileURLToPath(new URL("../../templates", import.meta.url));

const BRANDS = ["Fernhill", "Oakline", "Juniper and Co.", "Brightwater", "Ørsted Gardens", "Quill"];

/**
 * A template generated from a starter.
 *
 * @typedef {object} CorpusTemplate
 * @property {string} body
 * @property {string} metadata
 * @property {string} variables Its `variables.ts`.
 * @property {object} passed The variables that an application passes, valid for `variables.ts`.
 * @property {object} received The variables that the body receives: `passed` and what `derive` adds.
 */

/**
 * @param {number} index
 * @returns {CorpusTemplate}
 */
export function mjmlTemplate(index) {
  const { random, body, ...rest } = base("mjml", index, (name) => `${name}.mjml`);
  // Between the elements of a column, mjml drops a section's tags unless they are in mj-raw.
  const wrapped = body.replace(/^ {8}(\{\{[#^/][^}]+\}\})$/gm, "        <mj-raw>$1</mj-raw>");
  const sections = extra(MJML_SECTIONS, random);
  return { ...rest, body: replace(wrapped, MJML_END, `${sections}\n\n${MJML_END}`) };
}

/**
 * @param {number} index
 * @param {boolean} hasVariables Whether there is a `variables.ts` that defines the type of its props.
 * @returns {CorpusTemplate & { exported: string }} `exported` is the body for `email export`.
 */
export function reactTemplate(index, hasVariables) {
  const { random, body, ...rest } = base("react", index, (name) => `${name}.tsx`);
  const component = /export default function (\w+)/.exec(body)?.[1] ?? "";
  const example = `const example = ${JSON.stringify(rest.received, null, 2)};\n`;
  const declarations = hasVariables ? `${PROPS}\n${example}` : `\n${example}type Props = typeof example;\n`;
  let code = replace(body, /(?<=^import )\{.*\}(?= from "\.\.\/_shared\/layout\.js")/m, PARTS);
  code = replace(code, PROPS, declarations);
  code = replace(code, REACT_END, `${extra(REACT_SECTIONS, random)}\n${REACT_END}`);
  return {
    ...rest,
    body: `${code}\n${component}.PreviewProps = example;\n`,
    exported: `${replace(code, "export default function", "function")}\nexport default () => <${component} {...example} />;\n`,
  };
}

/**
 * An MJML template of 20 sections, without variables.
 *
 * @param {string} text The text of its last section.
 */
export function longTemplate(text) {
  const random = createRandom(20);
  const sections = Array.from({ length: 19 }, (_, index) => plain(MJML_SECTIONS[index % 2], random));
  return `<mjml>
  <mj-head><mj-title>Long</mj-title></mj-head>
  <mj-body>
${sections.join("\n")}
    <mj-section>
      <mj-column><mj-text>${text}, as you requested.</mj-text></mj-column>
    </mj-section>
  </mj-body>
</mjml>
`;
}

/**
 * @param {((random: Random) => string) | undefined} section
 * @param {Random} random
 */
function plain(section, random) {
  return section?.(random).replaceAll(/ mj-class="[^"]*"/g, "") ?? "";
}

// The strings that `replace` replaces in a starter; it throws if a starter no longer has one of them.
const MJML_END = '    <mj-section mj-class="gutter" padding-top="24px">';
const REACT_END = "    </Layout>";
const PROPS = 'import type { Props } from "./variables.js";\n';
const SCHEMA = "z.object({\n";

const PARTS = "{ Action, Fact, Facts, Layout, Paragraph, Quote, Title }";
const HIGHLIGHTS = "  highlights: z.array(z.object({ title: z.string(), text: z.string(), url: z.url() })),\n";

/**
 * @param {"mjml" | "react"} engine
 * @param {number} index
 * @param {(name: string) => string} file
 */
function base(engine, index, file) {
  const random = createRandom(index);
  const names = Object.keys(DERIVED[engine]);
  const name = names[index % names.length] ?? "";
  const brand = random.oneOf(BRANDS);
  /** @param {string} each */
  const read = (each) => readFileSync(path.join(STARTERS, name, each), "utf8").replaceAll("\r\n", "\n");
  const passed = { ...JSON.parse(read("fixtures/default.json")), highlights: highlights(random) };
  return {
    random,
    body: read(file(name)).replaceAll("Fernhill", brand),
    metadata: read("template.json").replaceAll("Fernhill", brand),
    variables: replace(read("variables.ts"), SCHEMA, `${SCHEMA}${HIGHLIGHTS}`),
    passed,
    received: { ...passed, ...DERIVED[engine][name] },
  };
}

/**
 * @param {string} text
 * @param {string | RegExp} pattern
 * @param {string} replacement
 */
function replace(text, pattern, replacement) {
  let isReplaced = false;
  const changed = text.replace(pattern, () => {
    isReplaced = true;
    return replacement;
  });
  if (!isReplaced) throw new Error(`A starter no longer has ${pattern}`);
  return changed;
}

/**
 * Up to six sections.
 *
 * @param {readonly ((random: Random) => string)[]} sections
 * @param {Random} random
 */
function extra(sections, random) {
  return Array.from({ length: random.upTo(6) }, () => random.oneOf(sections)(random)).join("\n");
}
