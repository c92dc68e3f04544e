import type { Rule } from "../../rule.js";
import { clientUnknown } from "./client-unknown.js";
import { clientUnsupported } from "./client-unsupported.js";

/** How mail clients take what a template uses. */
export const clientSupportRules: readonly Rule[] = [clientUnknown, clientUnsupported];
