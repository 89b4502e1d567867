// Characters of an unquoted local part (RFC 5322, and RFC 6531 beyond ASCII). Consecutive dots are allowed, because some providers issue
// them.
const local = /^[\w.!#$%&'*+/=?^`{|}~\p{L}\p{M}\p{N}-]+$/u
const typedDomain = /^(?:[\p{L}\p{M}\p{N}.-]|\u200c|\u200d)+$/u
const domain = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/

/** The canonical form of an address: lower case, its domain in ASCII. Null if no mail can be sent to it. */
export function normalizeEmail(typed: string): string | null {
  if (typed.length > 1000) return null
  const text = typed.normalize('NFKC').trim()
  const at = text.lastIndexOf('@')
  const name = text.slice(0, Math.max(at, 0)).toLowerCase()
  const host = normalizeDomain(text.slice(at + 1))
  // Octets, as RFC 5321 counts.
  const isTaken = host !== null && local.test(name) && new TextEncoder().encode(name).length <= 64
  return isTaken && name.length + host.length < 254 ? `${name}@${host}` : null
}

/** A domain in any script, with the dots of any input method, in ASCII as DNS has it. Null if invalid. */
export function normalizeDomain(typed: string): string | null {
  const text = typed.normalize('NFKC').replaceAll('。', '.').trim()
  if (!typedDomain.test(text) || !URL.canParse(`http://${text}`)) return null
  const { hostname } = new URL(`http://${text}`)
  return domain.test(hostname) ? hostname : null
}
