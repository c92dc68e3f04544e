// Written by `templates types`. To change it, change the templates and run that again.
// @ts-nocheck This file contains the templates' own modules as JavaScript. The exported types are complete.
/* eslint-disable */
import type { Registry } from "lettershop/send";
import * as z from "zod";

/** The variables of the template "password-reset". Sent when somebody asks to reset a forgotten password. */
export interface PasswordResetVariables {
  /** How to address the account's owner. */
  name: string;
  /** The address of the account whose password is to be reset. */
  email: string;
  /** Works once, and for `validMinutes`. */
  resetUrl: string;
  /** How long the link works. */
  validMinutes: number;
  /** Where the request came from, as far as it is known. */
  request: {
    /** When it was made. */
    at: Date | string;
    /** Such as: Firefox on Linux. */
    device?: string | undefined;
    /** Such as: near Leeds, United Kingdom. */
    place?: string | undefined;
  };
}

/** What the tags of the template "password-reset" see: its variables after parsing by the schema, and what `derive` adds. */
export interface PasswordResetFilledVariables {
  /** How to address the account's owner. */
  name: string;
  /** The address of the account whose password is to be reset. */
  email: string;
  /** Works once, and for `validMinutes`. */
  resetUrl: string;
  /** How long the link works. */
  validMinutes: number;
  /** Where the request came from, as far as it is known. */
  request: {
    /** When it was made. */
    at: string;
    /** Such as: Firefox on Linux. */
    device: string | null;
    /** Such as: near Leeds, United Kingdom. */
    place: string | null;
  };
  facts: readonly {
    label: string;
    value: string;
  }[];
  validFor: string;
}

/** The variables of the template "payment-failed". Sent after each failed charge of a subscription: why, what happens next, and how to mend it. */
export interface PaymentFailedVariables {
  /** How to address the customer. */
  customerName: string;
  /** The subscription in words, such as: Studio plan, monthly. */
  plan: string;
  payment: {
    /** In the currency's smallest unit: cents, pence, yen. */
    amount: number;
    /** ISO 4217 code. */
    currency: string;
    /** The payment method in words, such as: Visa ending in 4242. */
    method: string;
    /** When it was declined. */
    attemptedAt: Date | string;
    /** Why it was declined, as a whole sentence that the customer understands: The card has expired. */
    reason: string;
  };
  /** Left out after the last attempt. */
  nextAttemptAt?: Date | string | undefined;
  /** When the plan ends if nothing is paid. */
  accessEndsAt: Date | string;
  /** Where the customer changes the payment method. */
  updateUrl: string;
}

/** What the tags of the template "payment-failed" see: its variables after parsing by the schema, and what `derive` adds. */
export interface PaymentFailedFilledVariables {
  /** How to address the customer. */
  customerName: string;
  /** The subscription in words, such as: Studio plan, monthly. */
  plan: string;
  payment: {
    /** In the currency's smallest unit: cents, pence, yen. */
    amount: number;
    /** ISO 4217 code. */
    currency: string;
    /** The payment method in words, such as: Visa ending in 4242. */
    method: string;
    /** When it was declined. */
    attemptedAt: string;
    /** Why it was declined, as a whole sentence that the customer understands: The card has expired. */
    reason: string;
  };
  /** Left out after the last attempt. */
  nextAttemptAt: string | null;
  /** When the plan ends if nothing is paid. */
  accessEndsAt: string;
  /** Where the customer changes the payment method. */
  updateUrl: string;
  accessEndsOn: string;
  amount: string;
  attemptedOn: string;
  nextAttempt: {
    on: string;
  } | null;
}

/** The variables of the template "receipt". Sent when an order has been paid: what was bought, the totals, and how it was paid. */
export interface ReceiptVariables {
  order: {
    /** The order's number as the customer knows it. */
    number: string;
    /** The order's page in the customer's account. */
    url: string;
    /** When the order was placed. */
    placedAt: Date | string;
    /** How to address the customer. */
    customerName: string;
    /** Name and address on the invoice, line by line. */
    billedTo: readonly string[];
    /** The payment method in words, such as: Visa ending in 4242. */
    paidWith: string;
    /** ISO 4217 code. Every amount is a whole number of its smallest unit: cents, pence, yen. */
    currency: string;
    items: readonly {
      name: string;
      quantity: number;
      /** Price of one, before discount and tax. */
      unitPrice: number;
    }[];
    /** Left out where there is none. */
    discount?: {
      /** Such as: Spring sale, 10% off. */
      label: string;
      /** What is taken off the subtotal. */
      amount: number;
    } | undefined;
    /** Left out where none is charged. */
    tax?: {
      /** Such as: VAT 20%. */
      label: string;
      /** What is added after the discount. */
      amount: number;
    } | undefined;
  };
}

/** What the tags of the template "receipt" see: its variables after parsing by the schema, and what `derive` adds. */
export interface ReceiptFilledVariables {
  order: {
    /** The order's number as the customer knows it. */
    number: string;
    /** The order's page in the customer's account. */
    url: string;
    /** When the order was placed. */
    placedAt: string;
    /** How to address the customer. */
    customerName: string;
    /** Name and address on the invoice, line by line. */
    billedTo: readonly string[];
    /** The payment method in words, such as: Visa ending in 4242. */
    paidWith: string;
    /** ISO 4217 code. Every amount is a whole number of its smallest unit: cents, pence, yen. */
    currency: string;
    items: readonly {
      name: string;
      quantity: number;
      /** Price of one, before discount and tax. */
      unitPrice: number;
    }[];
    /** Left out where there is none. */
    discount: {
      /** Such as: Spring sale, 10% off. */
      label: string;
      /** What is taken off the subtotal. */
      amount: number;
    } | null;
    /** Left out where none is charged. */
    tax: {
      /** Such as: VAT 20%. */
      label: string;
      /** What is added after the discount. */
      amount: number;
    } | null;
  };
  lines: readonly {
    name: string;
    quantity: number;
    unitPrice: string;
    amount: string;
  }[];
  placedOn: string;
  totals: {
    subtotal: string;
    discount: {
      label: string;
      amount: string;
    } | null;
    tax: {
      label: string;
      amount: string;
    } | null;
    total: string;
  };
}

/** The variables of the template "sign-in-code". Sent when a person signs in with a code instead of a password. */
export interface SignInCodeVariables {
  /** The code as it is to be typed. */
  code: string;
  /** How long the code works. */
  validMinutes: number;
  /** The address of the account. */
  email: string;
  /** Where the request came from, as far as it is known. */
  request: {
    /** When it was made. */
    at: Date | string;
    /** Such as: Firefox on Linux. */
    device?: string | undefined;
    /** Such as: near Leeds, United Kingdom. */
    place?: string | undefined;
  };
}

/** What the tags of the template "sign-in-code" see: its variables after parsing by the schema, and what `derive` adds. */
export interface SignInCodeFilledVariables {
  /** The code as it is to be typed. */
  code: string;
  /** How long the code works. */
  validMinutes: number;
  /** The address of the account. */
  email: string;
  /** Where the request came from, as far as it is known. */
  request: {
    /** When it was made. */
    at: string;
    /** Such as: Firefox on Linux. */
    device: string | null;
    /** Such as: near Leeds, United Kingdom. */
    place: string | null;
  };
  facts: readonly {
    label: string;
    value: string;
  }[];
  validFor: string;
}

/** The variables of the template "team-invite". Sent to a person whom a member of a team invites. */
export interface TeamInviteVariables {
  /** The member who sends the invitation. */
  inviter: {
    name: string;
    email: string;
  };
  /** The team's name. */
  team: string;
  /** What the invited person may do, such as: Editor. */
  role: string;
  /** A personal note from the inviter; a line break begins a new paragraph. */
  message?: string | undefined;
  /** Works once, until `expiresAt`. */
  inviteUrl: string;
  /** When the invitation runs out. */
  expiresAt: Date | string;
}

/** What the tags of the template "team-invite" see: its variables after parsing by the schema, and what `derive` adds. */
export interface TeamInviteFilledVariables {
  /** The member who sends the invitation. */
  inviter: {
    name: string;
    email: string;
  };
  /** The team's name. */
  team: string;
  /** What the invited person may do, such as: Editor. */
  role: string;
  /** A personal note from the inviter; a line break begins a new paragraph. */
  message: string | null;
  /** Works once, until `expiresAt`. */
  inviteUrl: string;
  /** When the invitation runs out. */
  expiresAt: string;
  expiresOn: string;
  messageParagraphs: readonly string[];
}

/** The variables of the template "welcome". Sent once, when an account has been confirmed: the first three steps and the way in. */
export interface WelcomeVariables {
  /** How to address the new customer. */
  name: string;
  workspace: {
    name: string;
    /** Where the workspace opens, signed in or not. */
    url: string;
  };
  /** Left out for an account without a trial. */
  trialEndsAt?: Date | string | undefined;
}

/** What the tags of the template "welcome" see: its variables after parsing by the schema, and what `derive` adds. */
export interface WelcomeFilledVariables {
  /** How to address the new customer. */
  name: string;
  workspace: {
    name: string;
    /** Where the workspace opens, signed in or not. */
    url: string;
  };
  /** Left out for an account without a trial. */
  trialEndsAt: string | null;
  trial: {
    endsOn: string;
  } | null;
}

/** Each template's variables, by its name. */
export interface TemplateVariables {
  "password-reset": PasswordResetVariables;
  "payment-failed": PaymentFailedVariables;
  receipt: ReceiptVariables;
  "sign-in-code": SignInCodeVariables;
  "team-invite": TeamInviteVariables;
  welcome: WelcomeVariables;
}

/** What each template's tags see, by its name. */
export interface FilledVariables {
  "password-reset": PasswordResetFilledVariables;
  "payment-failed": PaymentFailedFilledVariables;
  receipt: ReceiptFilledVariables;
  "sign-in-code": SignInCodeFilledVariables;
  "team-invite": TeamInviteFilledVariables;
  welcome: WelcomeFilledVariables;
}

/** The templates without a subject: each message needs its own. */
export type TemplatesWithoutSubject = never;

// The exports of the templates' variables.ts files, with the modules that they import.
const modules = (() => {
// templates/_shared/format.ts
/** `formatMoney(129600, "EUR", "en-US")` is "€1,296.00"; `formatMoney(1296, "JPY", "en-US")` is "¥1,296". */
function formatMoney(minorUnits, currency, locale) {
	const format = new Intl.NumberFormat(locale, {
		style: "currency",
		currency
	});
	const { maximumFractionDigits = 2 } = format.resolvedOptions();
	return format.format(minorUnits / 10 ** maximumFractionDigits);
}
/** "March 14, 2026". */
function formatDate(timestamp, { locale, timeZone }) {
	return new Intl.DateTimeFormat(locale, {
		dateStyle: "long",
		timeZone
	}).format(new Date(timestamp));
}
/** "March 14, 2026 at 09:05 UTC". */
function formatDateTime(timestamp, { locale, timeZone }) {
	return new Intl.DateTimeFormat(locale, {
		year: "numeric",
		month: "long",
		day: "numeric",
		hour: "2-digit",
		minute: "2-digit",
		hourCycle: "h23",
		timeZone,
		timeZoneName: "short"
	}).format(new Date(timestamp));
}
/** "30 minutes", "1 hour", "2 days": the largest unit that needs no fraction. */
function formatDuration(minutes, locale) {
	const unit = minutes % 1440 === 0 ? "day" : minutes % 60 === 0 ? "hour" : "minute";
	return new Intl.NumberFormat(locale, {
		style: "unit",
		unit,
		unitDisplay: "long"
	}).format(minutes / {
		day: 1440,
		hour: 60,
		minute: 1
	}[unit]);
}
// templates/_shared/request.ts
/** Where a request came from, for the emails that ask "was it you?". */
const request = z.object({
	at: z.iso.datetime({ offset: true }).describe("When it was made."),
	device: z.string().optional().describe("Such as: Firefox on Linux."),
	place: z.string().optional().describe("Such as: near Leeds, United Kingdom.")
}).describe("Where the request came from, as far as it is known.");
/** What is known about a request, ready to print. */
function requestFacts({ at, device, place }, where) {
	const facts = [{
		label: "Time",
		value: formatDateTime(at, where)
	}];
	if (device !== void 0) facts.push({
		label: "Device",
		value: device
	});
	if (place !== void 0) facts.push({
		label: "Place",
		value: place
	});
	return facts;
}
// templates/password-reset/variables.ts
const passwordReset = z.object({
	name: z.string().describe("How to address the account's owner."),
	email: z.email().describe("The address of the account whose password is to be reset."),
	resetUrl: z.url({ protocol: /^https?$/ }).describe("Works once, and for `validMinutes`."),
	validMinutes: z.int().positive().describe("How long the link works."),
	request
});
function derive$5(variables, place) {
	return {
		validFor: formatDuration(variables.validMinutes, place.locale),
		facts: requestFacts(variables.request, place)
	};
}
// templates/payment-failed/variables.ts
const paymentFailed = z.object({
	customerName: z.string().describe("How to address the customer."),
	plan: z.string().describe("The subscription in words, such as: Studio plan, monthly."),
	payment: z.object({
		amount: z.int().positive().describe("In the currency's smallest unit: cents, pence, yen."),
		currency: z.string().regex(/^[A-Z]{3}$/).describe("ISO 4217 code."),
		method: z.string().describe("The payment method in words, such as: Visa ending in 4242."),
		attemptedAt: z.iso.datetime({ offset: true }).describe("When it was declined."),
		reason: z.string().describe("Why it was declined, as a whole sentence that the customer understands: The card has expired.")
	}),
	nextAttemptAt: z.iso.datetime({ offset: true }).optional().describe("Left out after the last attempt."),
	accessEndsAt: z.iso.datetime({ offset: true }).describe("When the plan ends if nothing is paid."),
	updateUrl: z.url({ protocol: /^https?$/ }).describe("Where the customer changes the payment method.")
});
function derive$4({ payment, nextAttemptAt, accessEndsAt }, place) {
	return {
		amount: formatMoney(payment.amount, payment.currency, place.locale),
		attemptedOn: formatDate(payment.attemptedAt, place),
		nextAttempt: nextAttemptAt === void 0 ? null : { on: formatDate(nextAttemptAt, place) },
		accessEndsOn: formatDate(accessEndsAt, place)
	};
}
// templates/receipt/variables.ts
const amount = z.int().nonnegative();
const receipt = z.object({ order: z.object({
	number: z.string().describe("The order's number as the customer knows it."),
	url: z.url({ protocol: /^https?$/ }).describe("The order's page in the customer's account."),
	placedAt: z.iso.datetime({ offset: true }).describe("When the order was placed."),
	customerName: z.string().describe("How to address the customer."),
	billedTo: z.array(z.string()).min(1).describe("Name and address on the invoice, line by line."),
	paidWith: z.string().describe("The payment method in words, such as: Visa ending in 4242."),
	currency: z.string().regex(/^[A-Z]{3}$/).describe("ISO 4217 code. Every amount is a whole number of its smallest unit: cents, pence, yen."),
	items: z.array(z.object({
		name: z.string(),
		quantity: z.int().positive(),
		unitPrice: amount.describe("Price of one, before discount and tax.")
	})).min(1),
	discount: z.object({
		label: z.string().describe("Such as: Spring sale, 10% off."),
		amount: amount.describe("What is taken off the subtotal.")
	}).optional().describe("Left out where there is none."),
	tax: z.object({
		label: z.string().describe("Such as: VAT 20%."),
		amount: amount.describe("What is added after the discount.")
	}).optional().describe("Left out where none is charged.")
}) });
function derive$3({ order }, { locale, timeZone }) {
	const money = (minorUnits) => formatMoney(minorUnits, order.currency, locale);
	const subtotal = order.items.reduce((sum, item) => sum + item.quantity * item.unitPrice, 0);
	const { discount, tax } = order;
	return {
		placedOn: formatDate(order.placedAt, {
			locale,
			timeZone
		}),
		lines: order.items.map((item) => ({
			name: item.name,
			quantity: item.quantity,
			unitPrice: money(item.unitPrice),
			amount: money(item.quantity * item.unitPrice)
		})),
		totals: {
			subtotal: money(subtotal),
			discount: discount ? {
				label: discount.label,
				amount: money(-discount.amount)
			} : null,
			tax: tax ? {
				label: tax.label,
				amount: money(tax.amount)
			} : null,
			total: money(subtotal - (discount?.amount ?? 0) + (tax?.amount ?? 0))
		}
	};
}
// templates/sign-in-code/variables.ts
const signInCode = z.object({
	code: z.string().regex(/^[0-9A-Z]{4,8}$/).describe("The code as it is to be typed."),
	validMinutes: z.int().positive().describe("How long the code works."),
	email: z.email().describe("The address of the account."),
	request
});
function derive$2(variables, place) {
	return {
		validFor: formatDuration(variables.validMinutes, place.locale),
		facts: requestFacts(variables.request, place)
	};
}
// templates/team-invite/variables.ts
const teamInvite = z.object({
	inviter: z.object({
		name: z.string(),
		email: z.email()
	}).describe("The member who sends the invitation."),
	team: z.string().describe("The team's name."),
	role: z.string().describe("What the invited person may do, such as: Editor."),
	message: z.string().optional().describe("A personal note from the inviter; a line break begins a new paragraph."),
	inviteUrl: z.url({ protocol: /^https?$/ }).describe("Works once, until `expiresAt`."),
	expiresAt: z.iso.datetime({ offset: true }).describe("When the invitation runs out.")
});
function derive$1({ message = "", expiresAt }, place) {
	return {
		messageParagraphs: message.split(/\s*\n\s*/).filter((paragraph) => paragraph !== ""),
		expiresOn: formatDate(expiresAt, place)
	};
}
// templates/welcome/variables.ts
const welcome = z.object({
	name: z.string().describe("How to address the new customer."),
	workspace: z.object({
		name: z.string(),
		url: z.url({ protocol: /^https?$/ }).describe("Where the workspace opens, signed in or not.")
	}),
	trialEndsAt: z.iso.datetime({ offset: true }).optional().describe("Left out for an account without a trial.")
});
function derive({ trialEndsAt }, place) {
	return { trial: trialEndsAt === void 0 ? null : { endsOn: formatDate(trialEndsAt, place) } };
}
const modules = {
	"password-reset": {
		schema: passwordReset,
		derive: derive$5
	},
	"payment-failed": {
		schema: paymentFailed,
		derive: derive$4
	},
	"receipt": {
		schema: receipt,
		derive: derive$3
	},
	"sign-in-code": {
		schema: signInCode,
		derive: derive$2
	},
	"team-invite": {
		schema: teamInvite,
		derive: derive$1
	},
	"welcome": {
		schema: welcome,
		derive
	}
};
return modules;
})();

export const templates: Registry<TemplateVariables, TemplatesWithoutSubject> = {
  environments: {
    production: { url: "https://api.example.com", domain: "mail.example.com", version: "v4", keyVariable: "LETTERSHOP_API_KEY" },
  },
  defaultEnvironment: "local",
  locale: "en-US",
  timeZone: "UTC",
  templates: {
    "password-reset": {
      hash: "519df12c359ddd7133cd500e6bb3c68e5327a7ad53d5dcf347548f57b5daa354",
      subject: "Reset your Fernhill password",
      contract: {"input":{"type":"object","properties":{"name":{"type":"string"},"email":{"type":"string","format":"email"},"resetUrl":{"type":"string","format":"uri"},"validMinutes":{"type":"integer"},"request":{"type":"object","properties":{"at":{"type":"string","format":"date-time"},"device":{"type":"string"},"place":{"type":"string"}},"required":["at"]}},"required":["name","email","resetUrl","validMinutes","request"]},"derived":{"type":"object","properties":{"facts":{"type":"array","items":{"type":"object","properties":{"label":{"type":"string"},"value":{"type":"string"}},"required":["label","value"]}},"validFor":{"type":"string"}},"required":["facts","validFor"]},"printed":["facts[].label","facts[].value","validFor"],"conditions":[]},
      ...modules["password-reset"],
    },
    "payment-failed": {
      hash: "bf9b3e71437249fcd938f9a2f30ae2744b2f0ee649deb7666426bad796020f6a",
      subject: "Your Fernhill payment did not go through",
      contract: {"input":{"type":"object","properties":{"customerName":{"type":"string"},"plan":{"type":"string"},"payment":{"type":"object","properties":{"amount":{"type":"integer"},"currency":{"type":"string"},"method":{"type":"string"},"attemptedAt":{"type":"string","format":"date-time"},"reason":{"type":"string"}},"required":["amount","currency","method","attemptedAt","reason"]},"nextAttemptAt":{"type":"string","format":"date-time"},"accessEndsAt":{"type":"string","format":"date-time"},"updateUrl":{"type":"string","format":"uri"}},"required":["customerName","plan","payment","accessEndsAt","updateUrl"]},"derived":{"type":"object","properties":{"accessEndsOn":{"type":"string"},"amount":{"type":"string"},"attemptedOn":{"type":"string"},"nextAttempt":{"anyOf":[{"type":"object","properties":{"on":{"type":"string"}},"required":["on"]},{"type":"null"}]}},"required":["accessEndsOn","amount","attemptedOn"]},"printed":["amount","attemptedOn"],"conditions":[]},
      ...modules["payment-failed"],
    },
    "receipt": {
      hash: "769d0285124a3b3d2d875b44f37cb916b038353c17af2027e76e10ace8e3be90",
      subject: "Your Fernhill receipt {{{order.number}}}",
      contract: {"input":{"type":"object","properties":{"order":{"type":"object","properties":{"number":{"type":"string"},"url":{"type":"string","format":"uri"},"placedAt":{"type":"string","format":"date-time"},"customerName":{"type":"string"},"billedTo":{"type":"array","items":{"type":"string"}},"paidWith":{"type":"string"},"currency":{"type":"string"},"items":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"quantity":{"type":"integer"},"unitPrice":{"type":"integer"}},"required":["name","quantity","unitPrice"]}},"discount":{"type":"object","properties":{"label":{"type":"string"},"amount":{"type":"integer"}},"required":["label","amount"]},"tax":{"type":"object","properties":{"label":{"type":"string"},"amount":{"type":"integer"}},"required":["label","amount"]}},"required":["number","url","placedAt","customerName","billedTo","paidWith","currency","items"]}},"required":["order"]},"derived":{"type":"object","properties":{"lines":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"quantity":{"type":"number"},"unitPrice":{"type":"string"},"amount":{"type":"string"}},"required":["name","quantity","unitPrice","amount"]}},"placedOn":{"type":"string"},"totals":{"type":"object","properties":{"subtotal":{"type":"string"},"discount":{"anyOf":[{"type":"object","properties":{"label":{"type":"string"},"amount":{"type":"string"}},"required":["label","amount"]},{"type":"null"}]},"tax":{"anyOf":[{"type":"object","properties":{"label":{"type":"string"},"amount":{"type":"string"}},"required":["label","amount"]},{"type":"null"}]},"total":{"type":"string"}},"required":["subtotal","total"]}},"required":["lines","placedOn","totals"]},"printed":["lines[].amount","lines[].name","lines[].quantity","lines[].unitPrice","placedOn","totals.subtotal","totals.total"],"conditions":[]},
      ...modules["receipt"],
    },
    "sign-in-code": {
      hash: "5c4cdee4f61c5b0ab5b9d2365a468911127e33575cf8e296aae797693c43856e",
      subject: "{{{code}}} is your Fernhill sign-in code",
      delivery: { priority: "high", expiresAfter: "10m", onUnknown: "resend" },
      contract: {"input":{"type":"object","properties":{"code":{"type":"string"},"validMinutes":{"type":"integer"},"email":{"type":"string","format":"email"},"request":{"type":"object","properties":{"at":{"type":"string","format":"date-time"},"device":{"type":"string"},"place":{"type":"string"}},"required":["at"]}},"required":["code","validMinutes","email","request"]},"derived":{"type":"object","properties":{"facts":{"type":"array","items":{"type":"object","properties":{"label":{"type":"string"},"value":{"type":"string"}},"required":["label","value"]}},"validFor":{"type":"string"}},"required":["facts","validFor"]},"printed":["facts[].label","facts[].value","validFor"],"conditions":[{"name":"facts__has_items","within":[],"path":"facts","test":{"kind":"has-items"}}]},
      ...modules["sign-in-code"],
    },
    "team-invite": {
      hash: "2cf549e72caee623c24ee1a487e7cf53f8b767b2ef3e74f618bb216eda28a60a",
      subject: "{{{inviter.name}}} invited you to {{{team}}} on Fernhill",
      contract: {"input":{"type":"object","properties":{"inviter":{"type":"object","properties":{"name":{"type":"string"},"email":{"type":"string","format":"email"}},"required":["name","email"]},"team":{"type":"string"},"role":{"type":"string"},"message":{"type":"string"},"inviteUrl":{"type":"string","format":"uri"},"expiresAt":{"type":"string","format":"date-time"}},"required":["inviter","team","role","inviteUrl","expiresAt"]},"derived":{"type":"object","properties":{"expiresOn":{"type":"string"},"messageParagraphs":{"type":"array","items":{"type":"string"}}},"required":["expiresOn","messageParagraphs"]},"printed":["expiresOn","messageParagraphs[]"],"conditions":[]},
      ...modules["team-invite"],
    },
    "welcome": {
      hash: "4f42bb94a8d69108a1285cefa4c94bd400ae771344b59b3e1987354d41ab2454",
      subject: "Welcome to Fernhill, {{{name}}}",
      contract: {"input":{"type":"object","properties":{"name":{"type":"string"},"workspace":{"type":"object","properties":{"name":{"type":"string"},"url":{"type":"string","format":"uri"}},"required":["name","url"]},"trialEndsAt":{"type":"string","format":"date-time"}},"required":["name","workspace"]},"derived":{"type":"object","properties":{"trial":{"anyOf":[{"type":"object","properties":{"endsOn":{"type":"string"}},"required":["endsOn"]},{"type":"null"}]}}},"conditions":[]},
      ...modules["welcome"],
    },
  },
};
