import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { expect, onTestFinished, test } from "vitest";
import { onSendEvent, publish, type SendEvent } from "../../../src/send/events.js";

const event: SendEvent = { type: "rejected", status: 422, id: "1", template: "receipt", priority: "normal" };

test("publishes events on the channel lettershop:send", () => {
  const received: unknown[] = [];
  const listen = (message: unknown) => void received.push(message);
  subscribe("lettershop:send", listen);
  onTestFinished(() => void unsubscribe("lettershop:send", listen));
  publish(event);
  expect(received).toEqual([event]);
});

test("delivers events to onSendEvent until it is stopped", () => {
  const received: string[] = [];
  const stop = onSendEvent(({ type }) => received.push(type));
  publish(event);
  stop();
  publish(event);
  expect(received).toEqual(["rejected"]);
});

test("does not pass a listener's error to the mailer, and delivers the event to others", async () => {
  const uncaught: unknown[] = [];
  const listeners = process.listeners("uncaughtException");
  process.removeAllListeners("uncaughtException");
  process.on("uncaughtException", (error) => uncaught.push(error));
  onTestFinished(() => {
    process.removeAllListeners("uncaughtException");
    for (const listener of listeners) process.on("uncaughtException", listener);
  });
  const received: string[] = [];
  const stops = [
    onSendEvent(() => {
      throw new Error("a listener's own");
    }),
    onSendEvent(({ type }) => received.push(type)),
  ];
  publish(event);
  for (const stop of stops) stop();
  await new Promise((resolve) => setImmediate(resolve));
  expect(received).toEqual(["rejected"]);
  expect(uncaught).toEqual([expect.objectContaining({ message: "a listener's own" })]);
});
