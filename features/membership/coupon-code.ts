/** A code as people type or copy it, in the one spelling in which it is stored: dashes of all kinds are one, and blanks are none of it. */
export function codeIn(typed: string): string {
  return typed
    .normalize('NFKC')
    .replaceAll(/[\s\p{Cf}]+/gu, '')
    .replaceAll(/\p{Pd}/gu, '-')
    .toUpperCase()
}

/** What such a code is made of. */
export const codeForm = /^[A-Z0-9-]{4,32}$/
