import { Fragment, Slice, type MarkType, type Node as ProseNode } from '@tiptap/pm/model'
import { Plugin, Selection, type EditorState } from '@tiptap/pm/state'
import { safeUrl } from '#base/rich-text/safe-url.ts'

// An address ends where Chinese begins, for no space parts them.
export const address = String.raw`(https?:\/\/[^\s<>"'\u0060\p{scx=Han}\u2018-\u201d\uff00-\uffef]*[\w/#&=%~-])`

/** Addresses in what is pasted are links; an address alone, pasted over words, becomes their link. */
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
  const nodes: ProseNode[] = []
  content.forEach((node) => {
    if (node.isText) nodes.push(...pieces(node, link))
    else nodes.push(node.type.spec.code ? node : node.copy(linked(node.content, link)))
  })
  return Fragment.from(nodes)
}

// What is an address lies at every second place of the pieces.
function pieces(node: ProseNode, link: MarkType): ProseNode[] {
  if (link.isInSet(node.marks) || node.marks.some(({ type }) => type.spec.code)) return [node]
  const { schema } = node.type
  return (node.text ?? '').split(new RegExp(address, 'iu')).flatMap((piece, place) => {
    if (!piece) return []
    const isAddress = place % 2 === 1 && safeUrl(piece) !== null
    return schema.text(piece, isAddress ? link.create({ href: piece }).addToSet(node.marks) : node.marks)
  })
}
