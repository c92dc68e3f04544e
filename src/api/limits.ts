/*
 * The service's limits, as its document states them (version 4, parts 2, 4 and 8). Plain constants: whoever needs
 * only a number loads nothing else.
 */

/** How a template's name is written: a lower-case letter or digit, then also hyphens and underscores. */
export const TEMPLATE_NAME = /^[a-z0-9][a-z0-9_-]*$/;

/*
 * Characters. The document does not say how the service counts them; these are compared with UTF-16 units, which are
 * never fewer than code points, so what passes here passes either way.
 */
export const NAME_MAX = 250;
export const DESCRIPTION_MAX = 500;
export const SUBJECT_MAX = 250;
/** For each of `html_body` and `text_body`. */
export const BODY_MAX = 100_000;

export const TEMPLATES_PER_DOMAIN = 200;

export const ATTACHMENTS_MAX = 25;
/**
 * All attachments of one mail. The document says "10 MB", and neither which megabytes nor whether decoded or in base64.
 * More bytes than these are refused by every reading; a base64 of as many characters passes in every one.
 */
export const ATTACHMENTS_BYTES = 10 * 1024 * 1024;
export const ATTACHMENTS_BASE64_SURE = 10_000_000;

/**
 * Extensions that the service blocks, in lower case. The document names exe, bat, js, vbs, ps1 and scr "and similar"; the others
 * are what Windows, macOS, Android, Java and a Unix shell run or install on a double click. The mailer refuses more: what Gmail
 * and Outlook block (`send/attachments/blocked-types.ts`).
 */
export const BLOCKED_EXTENSIONS: ReadonlySet<string> = new Set(
  (
    "exe bat js vbs ps1 scr " +
    "ade adp apk app appimage application appref-ms appx appxbundle bash cab chm cjs cmd com command cpl csh deb " +
    "desktop diagcab diagcfg diagpkg dll dmg elf ex_ gadget hlp hta img inf ins iqy iso isp jar jnlp jse ksh lib library-ms lnk mde mjs " +
    "mpkg msc msh msi msix msixbundle msp mst msu nsh ocx osx pif pkg ps1xml psc1 psd1 psm1 pyc pyo pyw pyz pyzw reg rpm run scf scpt sct " +
    "search-ms settingcontent-ms sh shb shs sys terminal theme url vb vbe vbscript vhd vhdx vsto vxd website wll workflow ws wsc wsf wsh xbap xll xpi zsh"
  ).split(" "),
);

/** Requests in any minute, for each endpoint but sending. */
export const REQUESTS_PER_MINUTE = { free: 30, paid: 200 } as const;
/** Requests in any minute to the sending endpoint, on every plan. */
export const SENDS_PER_MINUTE = 10;

/** Items on a page of domains or of found logs. */
export const PAGE_LIMIT = { default: 20, max: 200 } as const;
/** Entries on a page of the log. */
export const LOGS_LIMIT = { default: 100, max: 200 } as const;

/** Version 3 has sizes of its own for pages of domains, aliases and rules; credentials are as in version 4. */
export const PAGE_LIMIT_V3 = {
  domains: { default: 50, max: 100 },
  aliases: { default: 20, max: 100 },
  rules: { default: 100, max: 100 },
} as const;

/** Entries of one batch, or of one of version 3's bulks. */
export const BATCH_MAX = 500;

/** How many of its aliases a domain shows in version 3. */
export const ALIASES_SHOWN = 200;

/** How many characters each of a template's fields may have. */
export const FIELD_LIMITS = [
  ["name", NAME_MAX],
  ["description", DESCRIPTION_MAX],
  ["subject", SUBJECT_MAX],
  ["html_body", BODY_MAX],
  ["text_body", BODY_MAX],
] as const;
