/**
 * Pasted HTML before parsing, without elements that contain no text, and without forms: named fields shadow a form's DOM properties, so
 * that `parentNode` could return a field.
 */
export function safeToRead(html: string): string {
  return withoutUnparsed(html).replaceAll(/<(\/?)form\b/gi, '<$1div')
}

const unparsedTags = /<(style|script|xml)\b/gi

function withoutUnparsed(html: string): string {
  const small = html.toLowerCase()
  const parts: string[] = []
  const endless = new Set<string>()
  let from = 0
  for (const { index, 1: name = '' } of small.matchAll(unparsedTags)) {
    if (index < from || endless.has(name)) continue
    const end = small.indexOf(`</${name}>`, index)
    if (end < 0) endless.add(name)
    else {
      parts.push(html.slice(from, index))
      from = end + name.length + 3
    }
  }
  return [...parts, html.slice(from)].join('')
}
