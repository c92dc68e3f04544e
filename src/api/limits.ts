/*
 * The service's limits, as documented (version 4, parts 2, 4 and 8). Plain constants, so that code that only needs a
 * number loads nothing else.
 */

/** The format of template names: a lower-case letter or digit, followed by those, hyphens and underscores. */
export const TEMPLATE_NAME = /^[a-z0-9][a-z0-9_-]*$/;

/*
 * In characters. The documentation does not define how the service counts them; here they are UTF-16 units, of which
 * there are never fewer than code points, so what passes here is short enough either way.
 */
export const NAME_MAX = 250;
export const DESCRIPTION_MAX = 500;
export const SUBJECT_MAX = 250;
/** For each of `html_body` and `text_body`. */
export const BODY_MAX = 100_000;

export const TEMPLATES_PER_DOMAIN = 200;

export const ATTACHMENTS_MAX = 25;
/**
 * All attachments of one email. The documentation says "10 MB", without defining the megabyte, or whether base64
 * counts. More bytes than this exceed the limit in every interpretation; base64 of at most this many characters is
 * within it in every one.
 */
export const ATTACHMENTS_BYTES = 10 * 1024 * 1024;
export const ATTACHMENTS_BASE64_SURE = 10_000_000;

/**
 * Extensions that the service blocks, in lower case. The documentation names exe, bat, js, vbs, ps1 and scr "and
 * similar"; the others are what Windows, macOS, Android, Java and Unix shells run or install on a double click. The
 * mailer also refuses what Gmail and Outlook block (`send/attachments/blocked-types.ts`).
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

/** Requests per minute for each endpoint except sending. */
export const REQUESTS_PER_MINUTE = { free: 30, paid: 200 } as const;
/** Requests per minute to the sending endpoint, on every plan. */
export const SENDS_PER_MINUTE = 10;

/** Items per page of domains or of log search results. */
export const PAGE_LIMIT = { default: 20, max: 200 } as const;
/** Entries per page of the log. */
export const LOGS_LIMIT = { default: 100, max: 200 } as const;

/** Version 3 has different sizes for pages of domains, aliases and rules; credentials are as in version 4. */
export const PAGE_LIMIT_V3 = {
  domains: { default: 50, max: 100 },
  aliases: { default: 20, max: 100 },
  rules: { default: 100, max: 100 },
} as const;

/** Entries per batch, or per bulk request of version 3. */
export const BATCH_MAX = 500;

/** How many of its aliases a domain shows in version 3. */
export const ALIASES_SHOWN = 200;

/** Maximum characters of each template field. */
export const FIELD_LIMITS = [
  ["name", NAME_MAX],
  ["description", DESCRIPTION_MAX],
  ["subject", SUBJECT_MAX],
  ["html_body", BODY_MAX],
  ["text_body", BODY_MAX],
] as const;
