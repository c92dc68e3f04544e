import type { Rule } from "../../rule.js";
import { jsonDuplicateKey } from "./json-duplicate-key.js";
import { registryOutOfDate, registryTemplateMissing } from "./registry.js";
import { unusedFile } from "./unused-file.js";

export const projectRules: readonly Rule[] = [registryOutOfDate, registryTemplateMissing, jsonDuplicateKey, unusedFile];
