import type { Rule } from "../../rule.js";
import { clientUnknown } from "./client-unknown.js";
import { clientUnsupported } from "./client-unsupported.js";

/** Rules about what email clients support. */
export const clientSupportRules: readonly Rule[] = [clientUnknown, clientUnsupported];
