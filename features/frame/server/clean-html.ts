import sanitize from 'sanitize-html'
import { attributes, elements, hiddenElements, judged } from '#frame/server/allowed-html.ts'

export type Cleaned = { html: string; /** What was not taken over: elements and attributes. */ leftOut: string[] }

const deepest = 60
// What turns text around would reach beyond the piece; `dir` says it openly.
const unseen = /[^\P{Cc}\t\n\r]|[\u202a-\u202e\u2066-\u2069]/gu

/** HTML of staff without whatever could run, ask or cover: only the elements, attributes and styles that are known, written anew. */
export function cleanHtml(written: string): Cleaned {
  const leftOut = new Set<string>()
  const html = sanitize(written.toWellFormed().replace(unseen, ''), {
    allowedTags: [...elements],
    nonTextTags: [...hiddenElements],
    allowedAttributes: attributes,
    allowedSchemes: ['http', 'https', 'mailto'],
    allowProtocolRelative: false,
    parseStyleAttributes: false,
    nonBooleanAttributes: [],
    nestingLimit: deepest,
    onOpenTag: (element) => void (elements.has(element) || leftOut.add(`<${element}>`)),
    transformTags: { '*': (element, attribs) => ({ tagName: element, attribs: judged(element, attribs, leftOut) }) },
  })
  return { html, leftOut: [...leftOut] }
}
