const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' }

/**
 * The text with its character references decoded once, as phpBB and databases of few characters store it. A reference that names no
 * character stays as it is.
 */
export function decoded(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,8})|#[xX]([\da-fA-F]{1,7})|(amp|lt|gt|quot|apos|nbsp));/g, (reference, decimal, hex, name) => {
    if (typeof name === 'string') return named[name] ?? reference
    const code = typeof decimal === 'string' ? Number(decimal) : Number.parseInt(String(hex), 16)
    return isCharacter(code) ? String.fromCodePoint(code) : reference
  })
}

function isCharacter(code: number): boolean {
  return code > 0 && code <= 0x10_ffff && !(code >= 0xd800 && code <= 0xdfff)
}
