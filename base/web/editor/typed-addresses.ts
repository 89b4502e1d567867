import { InputRule, type Editor } from '@tiptap/core'
import type { MarkType } from '@tiptap/pm/model'
import { safeUrl } from '#base/rich-text/safe-url.ts'
import { address } from '#base/web/editor/pasted-addresses.ts'

const typed = String.raw`(?<![\w@./])${address}`

/** An address is a link once a blank or Enter follows it. */
export function addressRule(editor: Editor, link: MarkType): InputRule {
  return new InputRule({
    find: new RegExp(`${typed}\\s$`, 'iu'),
    handler({ state: { tr, selection }, range, match: [text, href = ''] }) {
      if (!safeUrl(href)) return
      // A rule that itself changes something would take Enter from the key that splits the paragraph.
      if (text.endsWith('\n')) return linkAddressBefore(editor, selection.from)
      tr.addMark(range.from, range.from + href.length, link.create({ href }))
      tr.insertText(' ', range.to).removeStoredMark(link)
    },
  })
}

/** Makes the address that ends at this place of a text a link, unless it is one or stands in code. */
export function linkAddressBefore({ state: { doc, schema, tr }, view }: Editor, at: number): void {
  const { parent, parentOffset } = doc.resolve(at)
  const { link, code } = schema.marks
  const [, href = ''] = new RegExp(`${typed}$`, 'iu').exec(parent.textBetween(0, parentOffset, null, '\n')) ?? []
  const from = at - href.length
  if (!link || !code || !parent.type.allowsMarkType(link) || !safeUrl(href)) return
  if (doc.rangeHasMark(from, at, link) || doc.rangeHasMark(from, at, code)) return
  view.dispatch(tr.addMark(from, at, link.create({ href })))
}

/** So that an address that ends the post is a link too, though nothing follows it. */
export function linkLastAddress(editor: Editor): void {
  const ends: number[] = []
  editor.state.doc.descendants((node, at) => {
    if (node.isTextblock && node.content.size > 0) ends.push(at + 1 + node.content.size)
    return !node.isTextblock
  })
  const end = ends.at(-1)
  if (end !== undefined) linkAddressBefore(editor, end)
}
