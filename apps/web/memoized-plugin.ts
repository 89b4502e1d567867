import type { Plugin } from 'vite'

type Node = { type: string; start: number; end: number; [key: string]: unknown }
type Element = Node & {
  openingElement: Node & { name: Node & { name?: string }; attributes: Attribute[] }
  closingElement: Node
  children: Node[]
}
type Attribute = Node & { name?: { name: string } }

/** Replaces `<Memoized>` by its child in the browser's files, because only the server keeps HTML. A key moves to the child. */
export function withoutMemoized(): Plugin {
  let isForBrowser = false
  return {
    name: 'teahouse-without-memoized',
    apply: 'build',
    enforce: 'pre',
    configResolved: ({ build }) => void (isForBrowser = !build.ssr),
    transform: {
      filter: { id: /\.tsx$/, code: /<Memoized\b/ },
      handler(code) {
        if (!isForBrowser) return null
        const elements = memoizedIn(this.parse(code, { lang: 'tsx' }))
        return { code: elements.reduceRight(unwrapped, code), map: null }
      },
    },
  }
}

function unwrapped(code: string, { openingElement, closingElement, children }: Element): string {
  const key = openingElement.attributes.find(({ name }) => name?.name === 'key')
  const child = children.find(({ type }) => type === 'JSXElement') as Element | undefined
  if (key && !child) throw new Error('A memoized part with a key is one element')
  const end = child?.openingElement.name.end ?? openingElement.end
  const attribute = key ? ` ${code.slice(key.start, key.end)}` : ''
  return [
    code.slice(0, openingElement.start),
    code.slice(openingElement.end, end),
    attribute,
    code.slice(end, closingElement.start),
    code.slice(closingElement.end),
  ].join('')
}

/** In the order of the file. */
function memoizedIn(node: unknown): Element[] {
  if (Array.isArray(node)) return node.flatMap(memoizedIn)
  if (typeof node !== 'object' || node === null) return []
  const inside = Object.values(node).flatMap(memoizedIn)
  const element = node as Element
  return element.type === 'JSXElement' && element.openingElement.name.name === 'Memoized' ? [element, ...inside] : inside
}
