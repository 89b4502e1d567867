type Attributes = Record<string, string | number>

const invalidInXml = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu

/** Escapes text for XML, between tags or in quotes. Characters that XML cannot represent are left out. */
export function xmlText(text: string): string {
  return text
    .replaceAll(invalidInXml, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\r', '&#13;')
}

/** An element around `inside`, which is XML already: `element('title', {}, xmlText(title))`. */
export function element(name: string, attributes: Attributes, ...content: readonly string[]): string {
  const its = Object.entries(attributes).map(([key, value]) => ` ${key}="${quoted(String(value))}"`)
  return content.length > 0 ? `<${name}${its.join('')}>${content.join('')}</${name}>` : `<${name}${its.join('')}/>`
}

export const xmlDeclaration = '<?xml version="1.0" encoding="UTF-8"?>\n'

// Attribute normalization turns these into spaces.
function quoted(value: string): string {
  return xmlText(value).replaceAll('\t', '&#9;').replaceAll('\n', '&#10;')
}
