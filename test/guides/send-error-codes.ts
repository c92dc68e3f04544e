import type { SendErrorCode } from "../../src/send/index.js";

const codes: Record<SendErrorCode, true> = {
  invalid_message: true,
  invalid_variables: true,
  rejected: true,
  rate_limited: true,
  expired: true,
  in_doubt: true,
  unreachable: true,
  aborted: true,
  store: true,
  unknown_outcome: true,
};

/** The codes of all errors that `send` throws, sorted. */
export const sendErrorCodes: readonly string[] = Object.keys(codes).toSorted();
