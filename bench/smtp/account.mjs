// @ts-check
/* The account that the service routes by: 1,000 aliases in one domain, 100 rules in another, half of them CEL. */

const ALIASES = 1_000;
const RULES = 100;

/** Only the last rule matches what is sent, so that all are tried. @param {number} index */
function rule(index) {
  const forward = `rule-${index}@example.com`;
  const word = index === RULES - 1 ? "Invoice" : `Offer-${index}`;
  if (index % 2 === 1) {
    const expression = `subject.contains("${word}") || sender.endsWith("@${word}.example")`;
    return { type: /** @type {const} */ ("cel"), rank: index, config: { expression, forward } };
  }
  const scopes = /** @type {("subject" | "body" | "sender")[]} */ (["subject", index % 10 === 0 ? "body" : "sender"]);
  return {
    type: /** @type {const} */ ("regex"),
    rank: index,
    config: { regex: `\\b${word}: [0-9]+`, scopes, forward },
  };
}

/** @type {import("../../dist/service/index.js").Seed} */
export const seed = {
  limits: { aliases_limit: ALIASES, daily_receive_limit: 10_000_000, monthly_receive_limit: 10_000_000 },
  domains: [
    {
      name: "aliases.test",
      aliases: Array.from({ length: ALIASES }, (_, index) => ({
        alias: `name-${index}`,
        forward: `ada-${index}@example.com`,
      })),
    },
    { name: "rules.test", routingEngine: "rules", rules: Array.from({ length: RULES }, (_, index) => rule(index)) },
  ],
};

/** @param {"aliases" | "rules"} routing @param {number} index */
export function recipient(routing, index) {
  return `name-${(index * 7) % ALIASES}@${routing}.test`;
}
