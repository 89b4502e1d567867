import { maxHiddenParts } from '#base/rich-text/check-document.ts'
import { blockConverters } from '#importer/server/body/block-elements.ts'
import type { BodyOptions, BodyWithFiles, Conversion } from '#importer/server/body/conversion.ts'
import { type Element, shownChildren } from '#importer/server/body/element.ts'
import { inlineConverters, unknownElement } from '#importer/server/body/inline-elements.ts'
import { documentOf, type Piece } from '#importer/server/body/pieces.ts'

const converters = new Map(
  [...inlineConverters, ...blockConverters].flatMap(([names, converter]) => names.split(' ').map((name) => [name, converter] as const)),
)

/** The document of a tree of elements, whatever program's marks it was read from. */
export function bodyOf(root: Element, options: BodyOptions, notes: readonly string[] = []): BodyWithFiles {
  let hiddenParts = 0
  const shared = {
    options,
    notes: new Set(notes),
    shownFileIds: new Set<string>(),
    within: (element: Element) => piecesOf(element, below),
    takesHiddenPart: () => ++hiddenParts <= maxHiddenParts,
  }
  const below: Conversion = { ...shared, isTop: false, inner: (element) => piecesOf(element, below) }
  const top: Conversion = { ...shared, isTop: true, inner: (element) => piecesOf(element, top) }
  const document = documentOf(piecesOf(root, top))
  return { document, notes: [...shared.notes], shownFileIds: [...shared.shownFileIds] }
}

// A line feed that is no break is a blank, as a page shows it.
function piecesOf(element: Element, conversion: Conversion): Piece[] {
  return shownChildren(element).flatMap((child): Piece[] => {
    if (typeof child === 'string') return [{ type: 'text', text: child }]
    return (converters.get(child.name) ?? unknownElement)(child, conversion)
  })
}
