/** Normalizes a typed or copied code to its stored spelling: without blanks, all dashes equal, in capitals. */
export function normalizeCode(typed: string): string {
  return typed
    .normalize('NFKC')
    .replaceAll(/[\s\p{Cf}]+/gu, '')
    .replaceAll(/\p{Pd}/gu, '-')
    .toUpperCase()
}

/** The characters of a stored code. */
export const codePattern = /^[A-Z0-9-]{4,32}$/
