import type { Rule } from "../../rule.js";
import { jsonDuplicateKey } from "./json-duplicate-key.js";
import { registryOutOfDate } from "./registry-out-of-date.js";
import { registryTemplateMissing } from "./registry-template-missing.js";
import { unusedAsset } from "./unused-asset.js";
import { unusedFile } from "./unused-file.js";
import { unusedFixture } from "./unused-fixture.js";
import { unusedPart } from "./unused-part.js";

export const projectRules: readonly Rule[] = [
  registryOutOfDate,
  registryTemplateMissing,
  jsonDuplicateKey,
  unusedFile,
  unusedFixture,
  unusedPart,
  unusedAsset,
];
