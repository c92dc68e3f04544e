import { expect, test } from "vitest";
import { inOrder } from "../../../src/send/delivery/delivery-log.js";

function event(id: string, at: number, status: string) {
  return { id, at, status, code: 250, message: "OK", server: "" };
}

test("sorts events and removes duplicates, and ignores undocumented statuses", () => {
  const events = [
    event("c", 2, "DELIVERED"),
    event("d", 3, "DEFERRED"),
    event("b", 1, "SOFT-BOUNCE"),
    event("a", 1, "QUEUED"),
    event("a", 1, "QUEUED"),
    event("e", 4, "constructor"),
  ];
  expect(inOrder(events).map(({ id }) => id)).toEqual(["a", "b", "c"]);
});
