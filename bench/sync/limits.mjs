// @ts-check
/*
 * Syncs to an account of the local service with its real limits, on a clock that moves only when everybody waits: what
 * they take, beside the least that the documents allow. That is the same each time, so once is enough.
 */
import { REQUESTS_PER_MINUTE } from "../../dist/api/limits.js";
import { toResult } from "../measure/report.mjs";
import { syncOnce } from "./account.mjs";
import { leastOf } from "./least.mjs";
import { paidScenarios, scenarios } from "./scenarios.mjs";

const REQUESTS_TARGET = 1.05;
const TIME_TARGET = 1.1;

/** Version 3 has the same endpoints and limits: there, what has most to do. */
const most = scenarios.filter(({ name }) => name === "200 changed");

const ACCOUNTS = /** @type {const} */ ([
  { plan: "free", version: "v4", scenarios },
  { plan: "paid", version: "v4", scenarios: [...scenarios, ...paidScenarios] },
  { plan: "free", version: "v3", scenarios: most },
]);

/** @param {{ readonly note: (text: string) => void }} options */
export async function benchLimits({ note }) {
  const results = [];
  let refused = 0;
  for (const account of ACCOUNTS) {
    for (const scenario of account.scenarios) {
      const name = `${account.version}, ${account.plan}: ${scenario.name}`;
      note(`sync: ${name}`);
      const taken = await syncOnce(scenario, account);
      const least = leastOf(scenario.work, REQUESTS_PER_MINUTE[account.plan]);
      refused += taken.refused;
      results.push(
        toResult({
          name,
          measured: [taken.requests],
          reference: [least.requests],
          beside: "least",
          unit: "requests",
          target: REQUESTS_TARGET,
        }),
        toResult({ name: `${name}: time`, measured: [taken.seconds], ...timeBeside(least.seconds), unit: "s" }),
      );
    }
  }
  const name = "answered with 429, in all of them";
  return [
    ...results,
    toResult({ name, measured: [refused], reference: [1], beside: "fewer than", unit: "requests", target: 0 }),
  ];
}

/** Where nothing has to be waited for, less than a second may pass: the service's times have no fractions. @param {number} least */
function timeBeside(least) {
  if (least === 0) return { reference: [1], beside: "fewer than", target: 1 };
  return { reference: [least], beside: "least", target: TIME_TARGET };
}
