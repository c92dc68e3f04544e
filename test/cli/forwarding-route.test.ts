import { expect, test } from "vitest";
import { findRoutes, formatRoute, stateWithRoutes } from "../../src/cli/forwarding-route.js";
import { statusOf } from "../../src/send/tracking/message-status.js";
import type { LoggedMail } from "../../src/send/delivery/delivery-log.js";

type Event = readonly [time: string, status: LoggedMail["events"][number]["status"], server: string, message?: string];

/** A received email as the described service's log might have it, which words its messages in its own way. */
function entry(recipient: string, forward: string | undefined, ...events: readonly Event[]): LoggedMail {
  return {
    id: `1.${recipient}`,
    messageId: "<1@shop.example>",
    sender: "bob@shop.example",
    recipient,
    subject: "Order",
    transport: "mx",
    ...(forward !== undefined && { forward }),
    at: 0,
    events: events.map(([time, status, server, message = "OK"], index) => ({
      id: String(index),
      at: Date.parse(`2026-11-20T${time}:00Z`),
      status,
      code: status === "SOFT-BOUNCE" ? 451 : 250,
      message,
      server,
    })),
  };
}

function explain(...entries: readonly LoggedMail[]) {
  const { state, recipients } = statusOf(entries, { id: "1", expected: entries.length });
  const found = findRoutes(recipients);
  return {
    lines: found.routes.flatMap((route) => formatRoute(route, { addresses: true })),
    state: stateWithRoutes(state, found),
  };
}

const queued: Event = ["10:02", "QUEUED", "mx1.service.test", "250 OK id=1vNx2e"];

test("another service's entry tells one destination, although other hosts answer each attempt", () => {
  const events: Event[] = [
    queued,
    ["10:03", "SOFT-BOUNCE", "mx1.example.com", "4.2.2 Mailbox full"],
    ["10:31", "DELIVERED", "mx2.example.com"],
  ];
  expect(explain(entry("sales@example.test", "ada@example.com", ...events))).toEqual({
    lines: ["sales@example.test  received 10:02 → ada@example.com, soft-bounced 10:03 (mailbox full), delivered 10:31"],
    state: "delivered",
  });
});

test.each([
  [undefined, [], "sales@example.test  received 10:02", "underway"],
  ["ada@example.com", [], "sales@example.test  received 10:02 → ada@example.com", "underway"],
  [
    undefined,
    [["10:03", "DELIVERED", "hooks.example"]],
    "sales@example.test  received 10:02 → hooks.example, delivered 10:03",
    "delivered",
  ],
] as const)("an entry that forwards to %s with %j", (forward, events, line, state) => {
  expect(explain(entry("sales@example.test", forward, queued, ...events))).toEqual({ lines: [line], state });
});

test("entries that forward to each other are one way, and end where the loop is refused", () => {
  const one = entry("one@example.test", "two@example.test", queued, ["10:02", "DELIVERED", "localhost"]);
  const two = entry("two@example.test", "ada@example.com", queued, ["10:04", "DELIVERED", "mx.example.com"]);
  expect(explain(one, two).lines).toEqual(["one@example.test  received 10:02 → ada@example.com, delivered 10:04"]);
  const back = entry("two@example.test", "one@example.test", queued, [
    "10:02",
    "HARD-BOUNCE",
    "localhost",
    "5.4.6 Loop",
  ]);
  expect(explain(one, back).lines).toEqual(["one@example.test  received 10:02 → one@example.test, hard-bounced 10:02"]);
});
