// @ts-check
/*
 * Clients that send a receipt to a server, each in its own way: the mailer, plain fetch, and two clients of well-known services.
 */
import { orderOf, requestOf } from "./orders.mjs";
import { templates } from "./receipt.mjs";

export const KEY = "key-of-the-benchmark";
let number = 0;

/** A new order and customer for each send, so that no message is a duplicate. */
function next() {
  number += 1;
  return { order: orderOf(number), to: `customer-${number}@example.com` };
}

/** @typedef {{ readonly send: () => Promise<unknown>, readonly close: () => Promise<unknown> }} Sender */

/** Imports a package that is installed only for the benchmarks. @param {string} name @returns {Promise<any>} */
const peer = (name) => import(name);

export const clients = {
  /** @param {string} url @param {{ readonly store?: string, readonly registry?: typeof templates }} [options] @returns {Promise<Sender>} */
  lettershop: async (url, { store, registry = templates } = {}) => {
    const { createMailer } = await import("../../dist/send/index.js");
    const mailer = createMailer({
      templates: registry,
      url,
      domain: "example.test",
      apiKey: KEY,
      from: "shop",
      sendsPerMinute: Number.POSITIVE_INFINITY,
      ...(store === undefined ? {} : { store }),
    });
    return {
      send() {
        const { order, to } = next();
        return mailer.send("receipt", { order }, { to });
      },
      close: () => mailer.close(),
    };
  },
  /** @param {string} url @returns {Promise<Sender>} */
  fetch: async (url) => {
    const authorization = `Basic ${Buffer.from(`api:${KEY}`).toString("base64")}`;
    return {
      async send() {
        const { order, to } = next();
        const response = await fetch(`${url}/v4/domains/example.test/emails/outbound`, {
          method: "POST",
          headers: { authorization, "content-type": "application/json" },
          body: JSON.stringify(requestOf(order, to)),
        });
        if (response.status !== 200) throw new Error(`The server responded with ${response.status}.`);
        return response.json();
      },
      close: async () => undefined,
    };
  },
  /** @param {string} url @returns {Promise<Sender>} */
  postmark: async (url) => {
    const { ServerClient } = await peer("postmark");
    const client = new ServerClient(KEY, { useHttps: false, requestHost: url.replace("http://", "") });
    return {
      send() {
        const { order, to } = next();
        const TemplateModel = { order };
        return client.sendEmailWithTemplate({
          From: "shop@example.test",
          To: to,
          TemplateAlias: "receipt",
          TemplateModel,
        });
      },
      close: async () => undefined,
    };
  },
  /** @param {string} url @returns {Promise<Sender>} */
  resend: async (url) => {
    process.env["RESEND_BASE_URL"] = url;
    const { Resend } = await peer("resend");
    const client = new Resend(KEY);
    return {
      async send() {
        const { order, to } = next();
        const variables = { order: JSON.stringify(order) };
        const { error } = await client.emails.send({
          from: "shop@example.test",
          to,
          template: { id: "receipt", variables },
        });
        if (error) throw new Error(error.message);
      },
      close: async () => undefined,
    };
  },
};
