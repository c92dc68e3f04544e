import type { Rule } from "../../rule.js";
import { jsonDuplicateKey } from "./json-duplicate-key.js";
import { registryOutOfDate } from "./registry-out-of-date.js";
import { registryTemplateMissing } from "./registry-template-missing.js";
import { unusedFile } from "./unused-file.js";

export const projectRules: readonly Rule[] = [registryOutOfDate, registryTemplateMissing, jsonDuplicateKey, unusedFile];
