import type { Text } from '#base/rich-text/document.ts'
import { linkTarget } from '#base/rich-text/safe-url.ts'
import { validText } from '#importer/server/body/pieces.ts'

const scheme = /^[a-z][a-z\d+.-]*:/i
const anySite = 'https://site.invalid/'

/** The address of a link as it was written, absolute or within the old site. Null for one that is not safe. */
export function linkAddress(written: string): string | null {
  const address = written.trim()
  if (address === '' || address.length > 2000 || /[\\\p{Cc}]/u.test(address)) return null
  if (address.startsWith('//')) return linkTarget(`https:${address}`)
  if (address.startsWith('/') || scheme.test(address)) return linkTarget(address)
  const within = linkTarget(anySite + address)
  return within === null ? null : within.slice(anySite.length)
}

/** An address as a text that leads to it, as far as it is safe. */
export function addressText(written: string): Text[] {
  const text = validText(written.trim())
  if (text === '') return []
  const href = linkAddress(text)
  return [{ type: 'text', text, ...(href !== null && { marks: [{ type: 'link', attrs: { href } }] }) }]
}
