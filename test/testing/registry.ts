import type { Registry } from "../../src/project/registry-types.js";
import { registryOf, type TemplateVariables } from "../send/registry.js";

/** A registry with bodies, as `templates types --bodies` writes it. */
export function registryWithBodies(): Registry<TemplateVariables> {
  const { templates, ...registry } = registryOf();
  return {
    ...registry,
    templates: {
      ...templates,
      receipt: {
        ...templates.receipt,
        bodies: async () => ({
          html: () =>
            '<p>Order {{order.number}}: <b>{{total}}</b></p><a href="https://shop.example/o/{{order.number}}">See it</a>',
          text: () => "Your code is 123456. Order {{{order.number}}}: {{{total}}}",
        }),
      },
    },
  };
}
