import { lazyPackage } from '#base/server/lazy-package.ts'
import { attributes, elements, hiddenElements, allowedAttributes } from '#frame/server/allowed-html.ts'

export type CleanedHtml = { html: string; /** The removed elements and attributes. */ leftOut: string[] }

const sanitize = lazyPackage((load) => load('sanitize-html') as typeof import('sanitize-html'))

const maxDepth = 60
// Bidirectional overrides would reach beyond the slot; `dir` is the explicit way.
const invisible = /[^\P{Cc}\t\n\r]|[\u202a-\u202e\u2066-\u2069]/gu

/**
 * Sanitises HTML of staff: keeps only allowed elements, attributes and styles, and serialises it anew, so that it can neither run code, ask
 * for input nor cover the page.
 */
export function cleanHtml(written: string): CleanedHtml {
  const leftOut = new Set<string>()
  const html = sanitize()(written.toWellFormed().replace(invisible, ''), {
    allowedTags: [...elements],
    nonTextTags: [...hiddenElements],
    allowedAttributes: attributes,
    allowedSchemes: ['http', 'https', 'mailto'],
    allowProtocolRelative: false,
    parseStyleAttributes: false,
    nonBooleanAttributes: [],
    nestingLimit: maxDepth,
    onOpenTag: (element) => void (elements.has(element) || leftOut.add(`<${element}>`)),
    transformTags: { '*': (element, attribs) => ({ tagName: element, attribs: allowedAttributes(element, attribs, leftOut) }) },
  })
  return { html, leftOut: [...leftOut] }
}
