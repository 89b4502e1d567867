import sanitize from 'sanitize-html'
import { attributes, elements, hiddenElements, judged } from '#frame/server/allowed-html.ts'

export type Cleaned = { html: string; /** What was not taken over: elements and attributes. */ leftOut: string[] }

const deepest = 60

/** HTML of staff without whatever could run, ask or cover: only the elements, attributes and styles that are known, written anew. */
export function cleanHtml(written: string): Cleaned {
  const leftOut = new Set<string>()
  const html = sanitize(written.toWellFormed().replace(/[^\P{Cc}\t\n\r]/gu, ''), {
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
