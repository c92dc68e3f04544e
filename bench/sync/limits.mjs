// @ts-check
/*
 * Syncs to an account of the local service with its real limits, on a clock that advances only when everything is waiting,
 * compared with the minimum that the documents allow. The result is the same each time, so one run is enough.
 */
import { REQUESTS_PER_MINUTE } from "../../dist/api/limits.js";
import { toResult } from "../measure/report.mjs";
import { syncOnce } from "./account.mjs";
import { leastOf } from "./least.mjs";
import { paidScenarios, scenarios } from "./scenarios.mjs";

const REQUESTS_TARGET = 1.05;
const TIME_TARGET = 1.1;

/** Version 3 has the same endpoints and limits, so only the largest scenario is run. */
const largest = scenarios.filter(({ name }) => name === "200 changed");

const ACCOUNTS = /** @type {const} */ ([
  { plan: "free", version: "v4", scenarios },
  { plan: "paid", version: "v4", scenarios: [...scenarios, ...paidScenarios] },
  { plan: "free", version: "v3", scenarios: largest },
]);

/** @param {{ readonly note: (text: string) => void }} options */
export async function benchLimits({ note }) {
  const results = [];
  let refused = 0;
  for (const account of ACCOUNTS) {
    for (const scenario of account.scenarios) {
      const name = `${account.version}, ${account.plan}: ${scenario.name}`;
      note(`sync: ${name}`);
      const used = await syncOnce(scenario, account);
      const least = leastOf(scenario.work, REQUESTS_PER_MINUTE[account.plan]);
      refused += used.refused;
      results.push(
        toResult({
          name,
          measured: [used.requests],
          reference: [least.requests],
          baseline: "minimum",
          unit: "requests",
          target: REQUESTS_TARGET,
        }),
        toResult({ name: `${name}: time`, measured: [used.seconds], ...timeBaseline(least.seconds), unit: "s" }),
      );
    }
  }
  const name = "429 responses, in all scenarios";
  return [
    ...results,
    toResult({ name, measured: [refused], reference: [1], baseline: "fewer than", unit: "requests", target: 0 }),
  ];
}

/** If no waiting is necessary, less than a second may pass, because the service's times are whole seconds. @param {number} least */
function timeBaseline(least) {
  if (least === 0) return { reference: [1], baseline: "fewer than", target: 1 };
  return { reference: [least], baseline: "minimum", target: TIME_TARGET };
}
