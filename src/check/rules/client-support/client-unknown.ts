import { nearest } from "../../../text/nearest.js";
import { unknownPatterns } from "../../client-support/clients.js";
import { supportData } from "../../client-support/data.js";
import type { Rule } from "../../rule.js";

export const clientUnknown: Rule = {
  id: "client-unknown",
  summary: "The configuration names an unknown email client.",
  severity: "warning",
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
