import type { z } from "zod";
import type { logFilterQuery } from "../../api/contract/v4/logs.js";
import type { LogFilter } from "../store/log-filter.js";

const SECOND_MS = 1_000;

/**
 * The filter of a query. `after` and `before` compare the times that are shown, in whole seconds, and exclude the time
 * itself.
 */
export function logFilter({ after, before, ...filter }: z.infer<typeof logFilterQuery>): LogFilter {
  return {
    ...filter,
    times: {
      from: after === undefined ? undefined : shownSecond(Date.parse(after)) + SECOND_MS,
      until: before === undefined ? undefined : shownSecond(Date.parse(before) - 1) + SECOND_MS,
    },
  };
}

function shownSecond(time: number): number {
  return Math.floor(time / SECOND_MS) * SECOND_MS;
}
