import { blockConverters, closedPart, seemsHidden } from '#importer/server/body/block-elements.ts'
import type { BodyOptions, BodyWithFiles, Conversion } from '#importer/server/body/conversion.ts'
import { type Element, shownChildren } from '#importer/server/body/element.ts'
import { inlineConverters, unknownElement } from '#importer/server/body/inline-elements.ts'
import { documentOf, type Piece } from '#importer/server/body/pieces.ts'

const converters = new Map(
  [...inlineConverters, ...blockConverters].flatMap(([names, converter]) => names.split(' ').map((name) => [name, converter] as const)),
)

/** The document of a tree of elements, whatever program's marks it was read from. */
export function bodyOf(root: Element, options: BodyOptions, notes: readonly string[] = []): BodyWithFiles {
  const shared = {
    options,
    notes: new Set(notes),
    shownFileIds: new Set<string>(),
  }
  const conversion: Conversion = { ...shared, inner: (element) => piecesOf(element, conversion) }
  const document = documentOf(piecesOf(root, conversion))
  return { document, notes: [...shared.notes], shownFileIds: [...shared.shownFileIds] }
}

// A line feed that is no break is a blank, as a page shows it.
function piecesOf(element: Element, conversion: Conversion): Piece[] {
  return shownChildren(element).flatMap((child): Piece[] => {
    if (typeof child === 'string') return [{ type: 'text', text: child }]
    return (converters.get(child.name) ?? (seemsHidden(child.name) ? closedPart : unknownElement))(child, conversion)
  })
}
