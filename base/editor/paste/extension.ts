import { Extension } from '@tiptap/core'
import { DOMParser, Fragment, Slice, type Node } from '@tiptap/pm/model'
import { Plugin } from '@tiptap/pm/state'
import { normalizePasted } from '#base/editor/paste/normalize.ts'
import type { Translate } from '#base/web/words.tsx'

/** Normalizes pasted HTML before the editor parses it. */
export function pasteNormalization(words: Translate) {
  return Extension.create({
    name: 'pasting',
    addProseMirrorPlugins() {
      const parser = DOMParser.fromSchema(this.editor.schema)
      const clipboardParser: DOMParser = Object.create(parser)
      clipboardParser.parseSlice = (pasted, options) => {
        // Plain text, and HTML from our own editor, keep all spaces.
        if (pasted instanceof HTMLElement && !options?.preserveWhitespace) normalizePasted(pasted, words)
        return parser.parseSlice(pasted, options)
      }
      const transformPasted = ({ content, openStart, openEnd }: Slice) => new Slice(withPlainSpaces(content), openStart, openEnd)
      return [new Plugin({ props: { clipboardParser, transformPasted } })]
    },
  })
}

function withPlainSpaces(content: Fragment): Fragment {
  const nodes: Node[] = []
  content.forEach((node) => nodes.push(withPlainSpacesIn(node)))
  return Fragment.from(nodes)
}

function withPlainSpacesIn(node: Node): Node {
  if (!node.isText) return node.type.spec.code ? node : node.copy(withPlainSpaces(node.content))
  return node.text?.includes('\u00a0') ? node.type.schema.text(node.text.replaceAll('\u00a0', ' '), node.marks) : node
}
