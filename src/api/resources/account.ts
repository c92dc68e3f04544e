import type { Caller, CallOptions } from "../calls/caller.js";
import type { AccountV3, Whitelabel } from "../contract/v3/account.js";
import * as PATHS_V3 from "../contract/v3/paths.js";
import type { Account } from "../contract/v4/account.js";
import * as PATHS from "../contract/v4/paths.js";
import { type Listing, listing } from "./pages.js";

export interface AccountCalls {
  /** The account and its plan's limits. */
  get(options?: CallOptions): Promise<Account>;
}

const contract = () => import("../contract/v4/account.js");

export function accountCalls(caller: Caller): AccountCalls {
  return {
    async get(options) {
      const request = { method: "GET", endpoint: PATHS.account, parameters: {} } as const;
      const { account } = await caller.ask(request, async () => (await contract()).accountResponse, options);
      return account;
    },
  };
}

export interface AccountCallsV3 {
  /** The account with its plan and limits. */
  get(options?: CallOptions): Promise<AccountV3>;
  /** The possible values of a domain's `whitelabel`, in one request. */
  whitelabels(options?: CallOptions): Listing<Whitelabel>;
}

const contractV3 = () => import("../contract/v3/account.js");

export function accountCallsV3(caller: Caller): AccountCallsV3 {
  return {
    async get(options) {
      const request = { method: "GET", endpoint: PATHS.account, parameters: {} } as const;
      return (await caller.ask(request, async () => (await contractV3()).accountResponse, options)).account;
    },
    whitelabels(options) {
      const request = { method: "GET", endpoint: PATHS_V3.whitelabels, parameters: {} } as const;
      const answer = caller.ask(request, async () => (await contractV3()).whitelabelsResponse, options);
      return listing(answer.then(({ whitelabels }) => whitelabels));
    },
  };
}
