export type Line = {
  kind: 'text' | 'heading' | 'code' | 'item' | 'quote' | 'picture'
  text: string
  /** Only of a picture, whose text is its description. */
  src?: string
}

const kinds: Record<string, Line['kind']> = { h2: 'heading', h3: 'heading', h4: 'heading', pre: 'code', li: 'item', blockquote: 'quote' }
const breaks = /^\/?(p|h2|h3|h4|li|pre|blockquote|tr|br|hr)$/
const signs: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

/** The lines of a post's HTML. It reads only what our own serializer writes. */
export function linesOf(html: string): Line[] {
  const lines: Line[] = []
  const around: Line['kind'][] = []
  let text = ''

  function end(): void {
    const kind = around.at(-1) ?? 'text'
    const rawLines = kind === 'code' ? text.split('\n') : [text.trim()]
    lines.push(...rawLines.filter((line) => line.trim()).map((line) => ({ kind, text: line })))
    text = ''
  }

  for (const [, tag, attributes = '', words = ''] of html.matchAll(/<(\/?\w+)([^>]*)>|([^<]+)/g)) {
    text += plain(words)
    if (!tag) continue
    const name = tag.replace('/', '')
    if (breaks.test(tag)) end()
    if (name === 'td' || name === 'th') text += tag === name && text ? ' | ' : ''
    if (name === 'img') lines.push(picture(attributes))
    const kind = kinds[name]
    if (kind && tag === name) around.push(kind)
    else if (kind) around.pop()
  }
  end()
  return lines
}

function picture(attributes: string): Line {
  const of = (name: string) => plain(new RegExp(`${name}="([^"]*)"`).exec(attributes)?.[1] ?? '')
  return { kind: 'picture', text: of('alt'), src: of('src') }
}

function plain(html: string): string {
  return html.replaceAll(/&(#?\w+);/g, (written, name: string) => signs[name] ?? written)
}
