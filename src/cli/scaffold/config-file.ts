/** The configuration that `init` writes: nothing but what has to be filled in. */
export const configFile = `import { defineConfig } from "lettershop/config";

export default defineConfig({
  defaultEnvironment: "local",
  environments: {
    // production: {
    //   url: "https://api.example.com",
    //   domain: "mail.example.com",
    //   keyVariable: "LETTERSHOP_API_KEY",
    //   assets: { baseUrl: "https://assets.example.com/email" },
    // },
  },
});
`;
