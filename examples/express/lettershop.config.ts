import { defineConfig } from "lettershop/config";

export default defineConfig({
  environments: {
    production: { url: "https://api.example.com", domain: "mail.example.com", keyVariable: "MAIL_API_KEY" },
  },
});
