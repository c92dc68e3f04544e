import type { Caller, CallOptions } from "../../calls/caller.js";
import type { AccountV3, Whitelabel } from "../../contract/v3/account.js";
import * as PATHS from "../../contract/v3/paths.js";
import { lazily } from "../lazily.js";
import { type Listing, listing } from "../listing.js";

export interface AccountCallsV3 {
  /** The account with its plan and limits. */
  get(options?: CallOptions): Promise<AccountV3>;
  /** The possible values of a domain's `whitelabel`, in one request. */
  whitelabels(options?: CallOptions): Listing<Whitelabel>;
}

const contract = lazily(() => import("../../contract/v3/account.js"));

export function accountCallsV3(caller: Caller): AccountCallsV3 {
  return {
    async get(options) {
      const request = { method: "GET", endpoint: PATHS.account, parameters: {} } as const;
      return (await caller.ask(request, async () => (await contract()).accountResponse, options)).account;
    },
    whitelabels(options) {
      const request = { method: "GET", endpoint: PATHS.whitelabels, parameters: {} } as const;
      const answer = caller.ask(request, async () => (await contract()).whitelabelsResponse, options);
      return listing(answer.then(({ whitelabels }) => whitelabels));
    },
  };
}
