const digits = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const base = 62n
const maxDigits = 27
const sha1Length = 40

/** The SHA-1 that a short address has in base 62, without the zeros before it. Null for another number. */
export function sha1Of(base62: string): string | null {
  if (base62 === '' || base62.length > maxDigits) return null
  let number = 0n
  for (const digit of base62) {
    const value = digits.indexOf(digit)
    if (value < 0) return null
    number = number * base + BigInt(value)
  }
  const hex = number.toString(16)
  return hex.length > sha1Length ? null : hex.padStart(sha1Length, '0')
}

const shortAddress = /(?:^upload:\/\/|\/uploads\/short-url\/)([\da-zA-Z]{1,27})(?![\da-zA-Z])/
const longAddress = /\/(?:uploads\/\w{1,100}|(?:original|optimized)(?:\/\w{1,10}){0,9})\/([\da-f]{40})(?![\da-f])/
const oldestAddress = /\/(uploads\/\w{1,100}\/\d{1,10}\/[\da-f]{16}(?:\.\w{1,10})?)$/

/**
 * The id of the file at an address of an upload, on whatever host: its SHA-1. The oldest addresses have only a part of it, and are ids
 * themselves.
 */
export function fileIdAt(address: string): string | null {
  const path = address.split(/[?#]/)[0] ?? ''
  const [, short] = shortAddress.exec(path) ?? []
  if (short !== undefined) return sha1Of(short)
  return longAddress.exec(path)?.[1] ?? oldestAddress.exec(path)?.[1] ?? null
}

/** The files that a text may name. */
export function fileIdsIn(text: string): string[] {
  return text.split(/[\s"'()<>[\]]+/).flatMap((word) => fileIdAt(word) ?? [])
}

/** Where a stored address lies in the folder of files. What was stored elsewhere lies there under the same name. */
export function pathOf(url: string): string | null {
  const path = URL.parse(url, 'https://here.invalid/')?.pathname ?? ''
  const local = path.indexOf('/uploads/')
  if (local >= 0) return path.slice(local + 1)
  const original = path.indexOf('/original/')
  return original >= 0 ? `uploads/default${path.slice(original)}` : null
}
