import type { Caller, CallOptions } from "../../calls/caller.js";
import type { Account } from "../../contract/v4/account.js";
import * as PATHS from "../../contract/v4/paths.js";
import { lazily } from "../lazily.js";

export interface AccountCalls {
  /** The account and its plan's limits. */
  get(options?: CallOptions): Promise<Account>;
}

const contract = lazily(() => import("../../contract/v4/account.js"));

export function accountCalls(caller: Caller): AccountCalls {
  return {
    async get(options) {
      const request = { method: "GET", endpoint: PATHS.account, parameters: {} } as const;
      const { account } = await caller.ask(request, async () => (await contract()).accountResponse, options);
      return account;
    },
  };
}
