const allowedSchemes = new Set(['http:', 'https:', 'mailto:'])

/** A safe link target: the web, mail, or a path on this site. Null for everything else, however it is disguised. */
export function safeUrl(written: string): string | null {
  if (written.length > 2000 || hasHidden(written)) return null
  if (/^\/(?![/\\])/.test(written)) return written.includes('\\') ? null : written
  if (!URL.canParse(written)) return null
  const { protocol } = new URL(written)
  if (!allowedSchemes.has(protocol) || !written.toLowerCase().startsWith(protocol)) return null
  return protocol === 'mailto:' || /^https?:\/\/[^/\\]/i.test(written) ? written : null
}

/**
 * The target of a link as it was written out: blanks and the joiners of letters and emoji, which an address cannot show, are
 * percent-encoded. Null for what is unsafe.
 */
export function linkTarget(written: string): string | null {
  return safeUrl(written.trim().replaceAll(encoded, encodeURIComponent))
}

const encoded = /[\t\p{Zs}]|\u200c|\u200d|[\u{e0020}-\u{e007f}]/gu

/** Spaces, control characters and bidi marks are never allowed. */
function hasHidden(text: string): boolean {
  return /[\s\p{Cc}\p{Cf}\p{Zs}]/u.test(text)
}
