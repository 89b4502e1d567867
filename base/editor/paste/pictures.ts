import { safeUrl } from '#base/rich-text/safe-url.ts'
import { fileOf } from '#base/editor/picture.ts'

/** Pictures from other hosts are not displayed, as in Markdown: they become links. Our own stay, and emoji images become characters. */
export function picturesAsLinks(pasted: HTMLElement, name: string): void {
  for (const picture of pasted.querySelectorAll('img')) {
    if (fileOf(picture)) continue
    const alt = (picture.getAttribute('alt') ?? '').trim()
    const src = addressOf(picture)
    if (/emoji/i.test(`${picture.className} ${src}`)) picture.replaceWith(alt)
    else if (!src || isTrackingPixel(picture)) picture.remove()
    else if (picture.closest('a[href]')) picture.replaceWith(alt || name)
    else picture.replaceWith(linkTo(src, alt || name, picture.ownerDocument))
  }
}

// Lazily loaded pictures have their address in another attribute.
function addressOf(picture: HTMLImageElement): string | null {
  const written = ['data-src', 'data-original', 'data-actualsrc', 'src'].map((name) => picture.getAttribute(name) ?? '')
  return written.find((address) => /^https?:/i.test(address) && safeUrl(address) !== null) ?? null
}

// A tracking pixel.
function isTrackingPixel(picture: HTMLImageElement): boolean {
  const sides = [picture.getAttribute('width'), picture.getAttribute('height'), picture.style.width, picture.style.height]
  return sides.some((side) => side !== null && /^[0-3](px)?$/.test(side))
}

function linkTo(src: string, text: string, page: Document): HTMLAnchorElement {
  const link = page.createElement('a')
  link.setAttribute('href', src)
  link.textContent = text
  return link
}
