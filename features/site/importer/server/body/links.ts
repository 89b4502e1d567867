import { hasVisibleText } from '#base/plain-text.ts'
import type { Attachment, Link, Mark } from '#base/rich-text/document.ts'
import type { BodyOptions } from '#importer/server/body/conversion.ts'
import { inlinesOf, marked, type Piece, textPieces } from '#importer/server/body/pieces.ts'

/** The pieces as a link. An address that none of them would show, as around a picture that is a link itself, follows them. */
export function linked(pieces: readonly Piece[], written: string): Piece[] {
  const href = written.trim()
  if (href === '') return [...pieces]
  const link: Link = { type: 'link', attrs: { href } }
  const within = marked(pieces, link)
  if (inlinesOf(within).some((piece) => piece.type === 'text' && hasVisibleText(piece.text) && piece.marks?.some(leadsTo(href))))
    return within
  return [...within, ...(within.length > 0 ? textPieces(' ') : []), { type: 'text', text: href, marks: [link] }]
}

/** The upload of an id or an address as a file; null where there is none. */
export function uploadAt({ fileAt }: BodyOptions, reference: string | undefined): Attachment | null {
  const file = reference === undefined ? null : (fileAt?.(reference.trim()) ?? null)
  return file && { type: 'file', attrs: { file: `import:file/${file.id}`, name: file.name, bytes: 1 } }
}

function leadsTo(href: string): (mark: Mark) => boolean {
  return (mark) => mark.type === 'link' && mark.attrs.href === href
}
