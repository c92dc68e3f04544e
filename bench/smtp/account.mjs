// @ts-check
/* The account that the service routes by: 1,000 aliases in one domain, 100 rules in another, half of them CEL. */

const ALIASES = 1_000;
const RULES = 100;

/** Only the last rule matches what is sent, so that all are tried. */
const rules = Array.from({ length: RULES }, (_, index) => {
  const forward = `rule-${index}@example.com`;
  const word = index === RULES - 1 ? "Invoice" : `Offer-${index}`;
  if (index % 2 === 1)
    return {
      type: "cel",
      rank: index,
      config: { expression: `subject.contains("${word}") && size(body) > 0`, forward },
    };
  const scopes = index % 10 === 0 ? ["subject", "body"] : ["subject", "sender"];
  return { type: "regex", rank: index, config: { regex: `\\b${word}: [0-9]+`, scopes, forward } };
});

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
    { name: "rules.test", routingEngine: "rules", rules },
  ],
};

/** @param {"aliases" | "rules"} routing @param {number} index */
export function recipient(routing, index) {
  return `name-${(index * 7) % ALIASES}@${routing}.test`;
}
