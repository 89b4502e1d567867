import { SaxesParser } from 'saxes'
import { type Element, isTypedMark, treeBuilder } from '#importer/server/body/element.ts'
import { validText } from '#importer/server/body/pieces.ts'
import { decoded } from '#importer/server/body/references.ts'

const chunkLength = 65_536

/**
 * The elements of a body in the XML of s9e\TextFormatter. XML that is cut off or broken is read up to the fault, and what follows stands as
 * its text, without tags.
 */
export function treeOfXml(written: string): { root: Element; isCut: boolean } {
  const xml = withoutControls(written)
  const builder = treeBuilder()
  const parser = new SaxesParser<{ fragment: true; xmlns: false }>({ fragment: true, xmlns: false })
  // `readTo` is where reading stands: `parser.position` is behind a tag, and behind the `<` that ends a text.
  const reading = { isFaulty: false, readTo: 0 }
  const unlessFaulty = (position: number, read: () => void) => {
    if (reading.isFaulty) return
    read()
    reading.readTo = position
  }
  parser.on('error', () => {
    reading.isFaulty = true
  })
  parser.on('text', (text) => unlessFaulty(parser.position - 1, () => builder.text(text)))
  parser.on('cdata', (text) => unlessFaulty(parser.position, () => builder.text(text)))
  parser.on('opentag', ({ name, attributes }) => unlessFaulty(parser.position, () => builder.open(name, attributes)))
  parser.on('closetag', ({ name }) => unlessFaulty(parser.position, () => builder.close(name)))
  for (let at = 0; at < xml.length && !reading.isFaulty; at += chunkLength) parser.write(xml.slice(at, at + chunkLength))
  if (!reading.isFaulty) parser.close()
  if (reading.isFaulty) {
    while (isTypedMark(builder.innermost())) builder.close(builder.innermost())
    builder.lines(withoutTags(xml.slice(reading.readTo)))
  }
  return { root: builder.root, isCut: reading.isFaulty }
}

// XML has no place for most control characters, and programs do not write them.
function withoutControls(text: string): string {
  return validText(text).replaceAll(/[^\t\n\r\u0020-\ufffd]/g, '')
}

// A tag and a reference may also be cut off by the end.
function withoutTags(xml: string): string {
  const text = xml.replaceAll(/<\/?[a-zA-Z][^<>]*>/g, '').replace(/<\/?(?:[a-zA-Z][^<>]*)?$/, '')
  return decoded(text.replace(/&#?\w{0,8}$/, ''))
}
