import type { BuiltInRule } from "../../rule.js";
import { forEachAddress, shortUrl } from "../../lib/addresses.js";
import { whyUnreachable } from "../../lib/urls.js";

export const unreachableAddress: BuiltInRule = {
  id: "unreachable-address",
  severity: "error",
  summary: "A URL is on your own machine, or in a private network.",
  details:
    "A URL is on your own machine or in a private network: `localhost`, `192.168.1.10`, `intranet`, `*.local`, a " +
    "tunnel such as `*.ngrok.io`, or a file.",
  why:
    "It works for the developers of the template, but not for recipients. The ranges are those of [RFC " +
    "1918](https://www.rfc-editor.org/rfc/rfc1918), [RFC 4193](https://www.rfc-editor.org/rfc/rfc4193) and [RFC " +
    "6761](https://www.rfc-editor.org/rfc/rfc6761), which reserves `.test`, `.invalid` and `.localhost`.",
  fix: "Use the public URL, or take its host from a variable.",
  examples: {
    wrong: [
      '<a ‸href="http://localhost:3000/pay">Pay</a>',
      '<img ‸src="https://192.168.1.10/logo.png" alt="Fernhill">',
    ],
    right: ['<a href="https://shop.example/pay">Pay</a>', '<a href="{{baseUrl}}/pay">Pay</a>'],
  },
  checkTemplate: forEachAddress((form) => {
    const reason = whyUnreachable(form);
    if (reason === undefined) return undefined;
    return {
      message: `Recipients can't reach ${shortUrl(form)}: it ${reason}.`,
      hint: "Use the public URL, beginning with https://, or take its host from a variable.",
    };
  }),
};
