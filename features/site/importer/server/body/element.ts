/** An element of another program's body: of its XML or of its BBCode, with the attributes as they are meant. */
export type Element = { name: string; attributes: Readonly<Record<string, string>>; children: (Element | string)[] }

/** The nesting that is kept. Programs allow less, and conversion recurses, so that it is the bound of its stack and of its cost. */
export const maxNesting = 50

// Elements whose text means something else than it says; they stand even at the bound.
const leaves = new Set(['s', 'e', 'i', 'br', 'E', 'EMOJI', 'C', 'CODE', 'ATTACHMENT', 'HR'])

export type TreeBuilder = {
  root: Element
  open(name: string, attributes?: Readonly<Record<string, string>>): void
  /** Closes the innermost element of this name with all in it; without one, nothing happens. */
  close(name: string): void
  text(text: string): void
  /** Text whose line feeds are breaks. */
  lines(text: string): void
  isOpen(name: string): boolean
  /** The name of the innermost element. */
  innermost(): string
}

/** Builds a tree in linear time. Elements beyond the nesting that is kept dissolve into the one around them. */
export function treeBuilder(): TreeBuilder {
  const root: Element = { name: '', attributes: {}, children: [] }
  const stack = [{ name: '', element: root, depth: 0 }]
  const opened = new Map<string, number>()
  const top = () => stack.at(-1) ?? { name: '', element: root, depth: 0 }
  const count = (name: string, change: number) => opened.set(name, (opened.get(name) ?? 0) + change)
  return {
    root,
    open(name, attributes = {}) {
      const { element: parent, depth } = top()
      const isKept = depth < maxNesting || (depth === maxNesting && leaves.has(name))
      const element = isKept ? { name, attributes, children: [] } : parent
      if (isKept) parent.children.push(element)
      stack.push({ name, element, depth: isKept ? depth + 1 : depth })
      count(name, 1)
    },
    close(name) {
      if (!opened.get(name)) return
      while (stack.length > 1) {
        const closed = stack.pop()
        if (closed) count(closed.name, -1)
        if (closed?.name === name) return
      }
    },
    text: (text) => append(top().element, text),
    lines(text) {
      for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
        if (index > 0) top().element.children.push({ name: 'br', attributes: {}, children: [] })
        append(top().element, line)
      }
    },
    isOpen: (name) => (opened.get(name) ?? 0) > 0,
    innermost: () => top().name,
  }
}

// Text comes in parts, between references and chunks.
function append({ children }: Element, text: string): void {
  const last = children.at(-1)
  if (typeof last === 'string') children[children.length - 1] = last + text
  else if (text !== '') children.push(text)
}

/** Whether it holds typed marks, of the start or the end, or text to be ignored. */
export function isTypedMark(name: string): boolean {
  return name === 's' || name === 'e' || name === 'i'
}

/** The children that are shown: without marks, and without the line feed that follows a break. */
export function shownChildren({ children }: Element): (Element | string)[] {
  const shown: (Element | string)[] = []
  for (const child of children) {
    if (typeof child !== 'string') {
      if (!isTypedMark(child.name)) shown.push(child)
      continue
    }
    const previous = shown.at(-1)
    const isAfterBreak = typeof previous === 'object' && previous.name === 'br'
    const text = isAfterBreak ? child.replace(/^\r?\n/, '') : child
    if (text !== '') shown.push(text)
  }
  return shown
}

/** The text of an element as it is shown, with line feeds for breaks. */
export function textOf(element: Element): string {
  if (element.name === 'br') return '\n'
  return shownChildren(element)
    .map((child) => (typeof child === 'string' ? child : textOf(child)))
    .join('')
}
