// @ts-check
import { benchColdPlan } from "./cold-plan.mjs";
import { benchLimits } from "./limits.mjs";
import { benchMachine } from "./machine.mjs";

/** Measures a sync's use of the account and of the machine. @param {{ readonly rounds: number, readonly note: (text: string) => void }} options */
export async function benchSync(options) {
  return [...(await benchLimits(options)), ...(await benchMachine(options)), ...(await benchColdPlan(options))];
}
