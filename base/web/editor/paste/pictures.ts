import { safeUrl } from '#base/rich-text/safe-url.ts'
import { fileOf } from '#base/web/editor/picture.ts'

/** Pictures of other hosts are not shown here, as in Markdown: they become links. Ours stay, and signs that were drawn become signs. */
export function picturesAsLinks(pasted: HTMLElement, name: string): void {
  for (const picture of pasted.querySelectorAll('img')) {
    if (fileOf(picture)) continue
    const alt = (picture.getAttribute('alt') ?? '').trim()
    const src = addressOf(picture)
    if (/emoji/i.test(`${picture.className} ${src}`)) picture.replaceWith(alt)
    else if (!src || isSpeck(picture)) picture.remove()
    else if (picture.closest('a[href]')) picture.replaceWith(alt || name)
    else picture.replaceWith(linkTo(src, alt || name, picture.ownerDocument))
  }
}

// Pages that bring their pictures late say elsewhere where they lie.
function addressOf(picture: HTMLImageElement): string | null {
  const written = ['data-src', 'data-original', 'data-actualsrc', 'src'].map((name) => picture.getAttribute(name) ?? '')
  return written.find((address) => /^https?:/i.test(address) && safeUrl(address) !== null) ?? null
}

// What counts its readers is a picture of a pixel or so.
function isSpeck(picture: HTMLImageElement): boolean {
  const sides = [picture.getAttribute('width'), picture.getAttribute('height'), picture.style.width, picture.style.height]
  return sides.some((side) => side !== null && /^[0-3](px)?$/.test(side))
}

function linkTo(src: string, text: string, page: Document): HTMLAnchorElement {
  const link = page.createElement('a')
  link.setAttribute('href', src)
  link.textContent = text
  return link
}
