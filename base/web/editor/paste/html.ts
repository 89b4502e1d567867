/**
 * What is pasted, before it is read. No form may be in it: the fields of a form stand in for its properties, by their names, so whoever asks
 * for its parent would be given a field. Nor what is never text.
 */
export function safeToRead(html: string): string {
  return withoutUnread(html).replaceAll(/<(\/?)form\b/gi, '<$1div')
}

const unread = /<(style|script|xml)\b/gi

function withoutUnread(html: string): string {
  const small = html.toLowerCase()
  const kept: string[] = []
  const endless = new Set<string>()
  let from = 0
  for (const { index, 1: name = '' } of small.matchAll(unread)) {
    if (index < from || endless.has(name)) continue
    const end = small.indexOf(`</${name}>`, index)
    if (end < 0) endless.add(name)
    else {
      kept.push(html.slice(from, index))
      from = end + name.length + 3
    }
  }
  return [...kept, html.slice(from)].join('')
}
