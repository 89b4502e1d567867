import { Fragment, Slice, type MarkType, type Node as ProseNode } from '@tiptap/pm/model'
import { Plugin, Selection, type EditorState } from '@tiptap/pm/state'
import { addressesIn, type Address } from '#base/rich-text/address.ts'
import { safeUrl } from '#base/rich-text/safe-url.ts'

/** Links the addresses in pasted text; a single address pasted over a selection becomes its link. */
export const pastedAddresses = new Plugin({
  props: {
    transformPasted: (slice, { state }) => {
      const link = state.schema.marks['link']
      return link ? new Slice(linked(slice.content, link), slice.openStart, slice.openEnd) : slice
    },
    handlePaste({ state, dispatch }, event) {
      const href = safeUrl(event.clipboardData?.getData('text/plain').trim() ?? '')
      const link = state.schema.marks['link']
      if (!href || href.startsWith('/') || !link || !isWithinOneLine(state, link)) return false
      const { from, to } = state.selection
      const tr = state.tr.addMark(from, to, link.create({ href }))
      dispatch(tr.setSelection(Selection.near(tr.doc.resolve(to), -1)))
      return true
    },
  },
})

function isWithinOneLine({ doc, selection: { from, to, empty } }: EditorState, link: MarkType): boolean {
  const lines: ProseNode[] = []
  doc.nodesBetween(from, to, (node) => {
    if (node.isTextblock && node.content.size > 0) lines.push(node)
    return !node.isTextblock
  })
  return !empty && lines.length === 1 && lines.every(({ type }) => type.allowsMarkType(link))
}

function linked(content: Fragment, link: MarkType): Fragment {
  const addresses = addressesIn(textOf(content))
  const nodes: ProseNode[] = []
  let at = 0
  content.forEach((node) => {
    if (node.isText) nodes.push(...pieces(node, at, addresses, link))
    else nodes.push(node.type.spec.code ? node : node.copy(linked(node.content, link)))
    at += node.nodeSize
  })
  return Fragment.from(nodes)
}

/** A line as plain text, whatever its marks. Code, links and non-text nodes count as one character that ends an address. */
export function textOf(content: Fragment): string {
  const texts: string[] = []
  content.forEach((node) => texts.push(isRunning(node) ? (node.text ?? '') : '\ufffc'.repeat(node.nodeSize)))
  return texts.join('')
}

function isRunning({ isText, marks }: ProseNode): boolean {
  return isText && !marks.some(({ type }) => type.name === 'link' || type.spec.code)
}

function pieces(node: ProseNode, at: number, addresses: readonly Address[], link: MarkType): ProseNode[] {
  const text = node.text ?? ''
  const nodes: ProseNode[] = []
  let from = 0
  const push = (to: number, href: string | null) => {
    if (to > from) nodes.push(node.type.schema.text(text.slice(from, to), href ? link.create({ href }).addToSet(node.marks) : node.marks))
    from = Math.max(from, to)
  }
  for (const address of addresses) {
    if (address.to <= at || address.from >= at + text.length) continue
    push(address.from - at, null)
    push(Math.min(text.length, address.to - at), address.href)
  }
  push(text.length, null)
  return nodes
}
