import { nearest } from "../../../text/nearest.js";
import { unknownPatterns, supportData } from "../../client-support/data.js";
import type { BuiltInRule } from "../../rule.js";

export const clientUnknown: BuiltInRule = {
  id: "client-unknown",
  severity: "warning",
  isSilencedByComments: false,
  summary: "The configuration names an unknown email client.",
  details:
    "The configuration names an unknown email client: a pattern in `check.clients` of lettershop.config.ts matches no client.",
  why:
    "The intended client is not checked, and the missing findings look like support. The names are those of " +
    "[caniemail.com](https://www.caniemail.com/clients/): a family and a platform.",
  fix:
    "Use a name from the list in [the guide](../guides/client-support.md): `outlook.windows`, `gmail` for all of " +
    "Gmail, `*.ios` for all clients on iOS.",
  *checkAll({ settings }) {
    for (const pattern of unknownPatterns(settings.clients)) {
      const clients = Object.keys(supportData().clients);
      const families = clients.map((client) => client.split(".")[0] ?? client);
      const near = nearest(pattern, [...families, ...clients]);
      yield {
        message: `\`${pattern}\` in \`check.clients\` of the configuration matches no known email client: its support is not checked.`,
        hint: near ? `Did you mean \`${near}\`?` : `Known clients: ${[...new Set(families)].join(", ")}.`,
      };
    }
  },
};
