import type { Doc, Node, Text } from '#base/rich-text/document.ts'

/** All visible text of a document as one string, with a line per block, so that no word spans two blocks. */
export function textIn(document: Doc): string {
  let text = ''
  mapAllTexts(document, (piece) => {
    text += piece
    return piece
  })
  return text
}

/** The same document with another text of the same length; marks, pictures and mentions stay. */
export function withText(document: Doc, text: string): Doc {
  let at = 0
  // Strings replace strings, so that the type is the same.
  return mapAllTexts(document, (piece) => text.slice(at, (at += piece.length))) as Doc
}

function mapAllTexts(document: Node, change: (piece: string) => string): Node {
  return mapTitles(mapTexts(document, change), change)
}

const visibleAttributes: Record<string, string> = { image: 'alt', file: 'name' }

/** Maps each text of a node, in reading order. */
function mapTexts(node: Node, change: (piece: string) => string): Node {
  if (node.type === 'text') return { ...node, text: change(node.text ?? '') }
  const name = visibleAttributes[node.type]
  if (name && node.attrs) {
    const attrs = { ...node.attrs, [name]: change(String(node.attrs[name])) }
    change('\n')
    return { ...node, attrs }
  }
  if (!node.content) {
    change('\n')
    return node
  }
  const content = node.content.map((child) => mapTexts(child, change))
  change('\n')
  return { ...node, content }
}

// After the running text, because a title stands between no two words.
function mapTitles(node: Node, change: (piece: string) => string): Node {
  if (node.type !== 'text') return node.content ? { ...node, content: node.content.map((child) => mapTitles(child, change)) } : node
  const { marks = [] } = node as Text
  if (!marks.some((mark) => mark.type === 'link' && mark.attrs.title)) return node
  const changed = marks.map((mark) => {
    if (mark.type !== 'link' || !mark.attrs.title) return mark
    const title = change(mark.attrs.title)
    change('\n')
    return { ...mark, attrs: { ...mark.attrs, title } }
  })
  return { ...node, marks: changed } as Node
}
