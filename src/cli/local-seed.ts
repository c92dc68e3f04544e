import { LOCAL_DOMAIN, LOCAL_SMTP_PASSWORD, LOCAL_SMTP_USER } from "../api/local.js";
import type { Seed } from "../service/index.js";

/** What the commands' local service contains without `--seed`: an SMTP credential, so that mailers can log in. */
export const LOCAL_SEED = {
  domains: [{ name: LOCAL_DOMAIN, credentials: [{ username: LOCAL_SMTP_USER, password: LOCAL_SMTP_PASSWORD }] }],
} satisfies Seed;
