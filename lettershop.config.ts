import { defineConfig } from "lettershop/config";

export default defineConfig({
  registry: "examples/shop/src/templates.gen.ts",
  defaultEnvironment: "local",
  environments: {
    production: {
      url: "https://api.example.com",
      domain: "mail.example.com",
      assets: { baseUrl: "https://assets.example.com/email" },
    },
  },
});
