import { outboundEmailResponse as acceptedV4 } from "../v4/emails.js";
import { templateListResponse as listV4, templateResponse as templateV4 } from "../v4/templates.js";
import { success } from "./success.js";

/* Sending and templates are as in version 4, "also" with `success` (part 4). */

export const outboundEmailResponse = acceptedV4.extend(success);
export const templateListResponse = listV4.extend(success);
export const templateResponse = templateV4.extend(success);
