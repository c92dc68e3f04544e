import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { LogStatus } from "../../../src/api/contract/v4/logs.js";
import { describeDelivery, utcTime } from "../../../src/send/tracking/message-status.js";
import { inOrder, type LoggedEvent } from "../../../src/send/delivery/delivery-log.js";
import { replyInWords } from "../../../src/send/tracking/replies.js";

function event(time: string, status: LogStatus, code = 250, message = ""): LoggedEvent {
  const at = Date.parse(time.includes("T") ? time : `2026-11-20T${time}:00Z`);
  return { id: `${time}${status}${code}`, at, status, code, message, server: "" };
}

test("describes what happened to an email", () => {
  const events = [
    event("10:02", "QUEUED"),
    event("10:03", "SOFT-BOUNCE", 452, "4.2.2 The email account that you tried to reach is over quota"),
    event("10:08", "SOFT-BOUNCE", 452, "4.2.2 Mailbox full"),
    event("10:31", "DELIVERED"),
  ];
  const words = "accepted 10:02, soft-bounced twice (mailbox full), delivered 10:31";
  expect(describeDelivery(events, utcTime)).toBe(words);
  expect(describeDelivery(inOrder([...events.toReversed(), ...events]), utcTime)).toBe(words);
});

test("adds the date of another day, and lists different reasons in order", () => {
  const events = [
    event("23:59", "QUEUED"),
    event("2026-11-21T00:10:00Z", "SOFT-BOUNCE", 450, "4.2.0 Greylisted, please try again"),
    event("2026-11-21T01:10:00Z", "SOFT-BOUNCE", 421, "4.3.2 busy"),
    event("2026-11-21T02:10:00Z", "SOFT-BOUNCE", 421, "4.3.2 busy"),
    event("2026-11-25T02:10:00Z", "BOUNCED", 554, "5.4.7 Delivery time expired"),
  ];
  expect(describeDelivery(events, utcTime)).toBe(
    "accepted 23:59, soft-bounced 3 times (greylisted, then the receiving server is not accepting email at the moment), " +
      "bounced 2026-11-25 02:10 (delivery was tried for too long)",
  );
});

test("sorts events of one second into a possible order", () => {
  const order: LogStatus[] = ["QUEUED", "SOFT-BOUNCE", "DELIVERED"];
  const events = order.map((status) => event("10:00", status));
  fc.assert(
    fc.property(fc.shuffledSubarray(events, { minLength: 3 }), (shuffled) => {
      expect(inOrder(shuffled).map(({ status }) => status)).toEqual(order);
    }),
  );
});

describe("the meaning of a server's reply", () => {
  test.each([
    [452, "4.2.2 Mailbox full", "mailbox full"],
    [552, "5.2.2 over quota", "mailbox full"],
    [552, "Requested mail action aborted: exceeded storage allocation", "mailbox full"],
    [550, "5.1.1 <ada@example.com>: Recipient address rejected: User unknown in virtual table", "no such mailbox"],
    [550, "5.7.1 Recipient unknown", "no such mailbox"],
    [550, "No such user here", "no such mailbox"],
    [550, "", "mailbox not available"],
    [451, "4.7.1 Greylisting in action, please come back later", "greylisted"],
    [550, "5.7.1 Message rejected as spam by content filter", "refused as spam"],
    [
      554,
      "5.7.1 Service unavailable; Client host [192.0.2.5] blocked using zen.example",
      "the sending server is on a block list",
    ],
    [550, "5.7.26 Unauthenticated email is not accepted due to the domain's DMARC policy", "the DMARC check failed"],
    [550, "5.7.23 SPF validation failed", "the SPF check failed"],
    [550, "5.1.10 Null MX", "the domain does not accept email"],
    [550, "5.7.999 something new", "refused by the server's policy"],
    [421, "Try again later", "the receiving server is busy"],
    // Neither an IP address nor a code of another class is an enhanced code.
    [550, "host 5.1.1.1 said no", "mailbox not available"],
    [450, "5.1.1", "mailbox not available at the moment"],
    [299, "something", undefined],
  ])("%i %s", (code, message, words) => expect(replyInWords({ code, message })).toBe(words));

  test("never contains the server's text", () => {
    fc.assert(
      fc.property(fc.integer({ min: 200, max: 599 }), fc.emailAddress(), (code, email) => {
        expect(replyInWords({ code, message: `<${email}> rejected` }) ?? "").not.toContain("@");
      }),
    );
  });
});
