import { createHash } from 'node:crypto'
import { escapeHtml, unescapeHtml } from '#base/escape.ts'
import type { Preview } from '#link-preview/server/read-page.ts'

const maxPerPost = 5

// Matches the serialiser's own output for containers, and for a paragraph that consists of one external link. Text of members is
// escaped, so nothing else can match.
const parts =
  /<(\/?)(?:ul|ol|blockquote|table)\b[^>]*>|<p(?: dir="\w+")?>(<a href="(https?:\/\/[^"]+)"(?: title="[^"]*")? rel="[^"]*" target="_blank">)((?:(?!<a |<\/p>|<br>).)*)<\/a><\/p>/gs

/** The targets of the first few links that are a paragraph of their own, outside lists and quotes. */
export function loneLinks(html: string): string[] {
  const found: string[] = []
  replaceLoneLinks(html, (address, whole) => {
    found.push(address)
    return whole
  })
  return found
}

/** The same HTML with cards for known previews inside such links. */
export function withCards(html: string, previewOf: (address: string) => Preview | undefined): string {
  return replaceLoneLinks(html, (address, whole, { start, inner }) => {
    const preview = previewOf(address)
    if (!preview) return whole
    const card = `<span>${escapeHtml(siteOf(address, preview))}</span><strong>${escapeHtml(preview.title)}</strong><span>${inner}</span>`
    return `<p class="preview">${start}${card}</a></p>`
  })
}

// A site may claim the name of another, so the host of the link always comes first.
function siteOf(address: string, { site }: Preview): string {
  const { host } = new URL(address)
  return site && site !== host ? `${host} · ${site}` : host
}

type LoneLink = { start: string; inner: string }

function replaceLoneLinks(html: string, put: (address: string, whole: string, found: LoneLink) => string): string {
  if (!html.includes(' target="_blank">')) return html
  let depth = 0
  let count = 0
  return html.replaceAll(parts, (whole: string, end: string | undefined, start: string | undefined, href = '', inner = '') => {
    if (start === undefined) depth += end ? -1 : 1
    else if (depth === 0 && count++ < maxPerPost) return put(unescapeHtml(href), whole, { start, inner })
    return whole
  })
}

/** The key of an address, of constant length. */
export function keyOf(address: string): string {
  return createHash('sha256').update(address).digest('base64url')
}
