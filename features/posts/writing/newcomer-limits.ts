import type { Doc } from '#base/rich-text/document.ts'
import { linksOf, picturesOf } from '#base/rich-text/to-text.ts'

/** The number of links to other sites and of pictures in a document, which are limited for new members; each counts once. */
export function limitedUse(document: Doc, origin: string | undefined): { links: number; pictures: number } {
  const links = new Set(linksOf(document).filter((href) => isExternal(href, origin)))
  const pictures = new Set(picturesOf(document).map(({ file }) => file))
  return { links: links.size, pictures: pictures.size }
}

/** Whether one or two more would exceed the limit. */
export function isNear(used: number, most: number): boolean {
  return used >= Math.max(1, most - 1)
}

function isExternal(href: string, origin: string | undefined): boolean {
  // A mail address advertises as well as a page.
  if (/^mailto:/i.test(href)) return true
  if (!/^https?:/i.test(href)) return false
  return origin === undefined || new URL(href).host !== new URL(origin).host
}
