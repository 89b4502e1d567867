import { createHash } from 'node:crypto'
import { escapeHtml, unescapeHtml } from '#base/escape.ts'
import type { Preview } from '#link-preview/server/read-page.ts'

const mostInPost = 5

// The serialiser's own forms of what blocks stand in, and of a paragraph that is nothing but a link to elsewhere. What members write is
// escaped, so nothing else can look like them.
const parts =
  /<(\/?)(?:ul|ol|blockquote|table)\b[^>]*>|<p(?: dir="\w+")?>(<a href="(https?:\/\/[^"]+)"(?: title="[^"]*")? rel="[^"]*" target="_blank">)((?:(?!<a |<\/p>|<br>).)*)<\/a><\/p>/gs

/** Where the first few links lead that stand alone in a paragraph of a post, and in no list or quote. */
export function aloneIn(html: string): string[] {
  const found: string[] = []
  replaceAlone(html, (address, whole) => {
    found.push(address)
    return whole
  })
  return found
}

/** The same post with what is known of where such a link leads, within the link. */
export function withCards(html: string, previewOf: (address: string) => Preview | undefined): string {
  return replaceAlone(html, (address, whole, { start, inner }) => {
    const preview = previewOf(address)
    if (!preview) return whole
    const said = `<span>${escapeHtml(siteOf(address, preview))}</span><strong>${escapeHtml(preview.title)}</strong><span>${inner}</span>`
    return `<p class="preview">${start}${said}</a></p>`
  })
}

// What a site calls itself may be the name of another: where the link leads comes first, and never goes without saying.
function siteOf(address: string, { site }: Preview): string {
  const { host } = new URL(address)
  return site && site !== host ? `${host} · ${site}` : host
}

type LoneLink = { start: string; inner: string }

function replaceAlone(html: string, put: (address: string, whole: string, found: LoneLink) => string): string {
  if (!html.includes(' target="_blank">')) return html
  let depth = 0
  let count = 0
  return html.replaceAll(parts, (whole: string, end: string | undefined, start: string | undefined, href = '', inner = '') => {
    if (start === undefined) depth += end ? -1 : 1
    else if (depth === 0 && count++ < mostInPost) return put(unescapeHtml(href), whole, { start, inner })
    return whole
  })
}

/** The name that an address goes by, which is as long for each. */
export function keyOf(address: string): string {
  return createHash('sha256').update(address).digest('base64url')
}
