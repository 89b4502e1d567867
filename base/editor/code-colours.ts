import { Extension } from '@tiptap/core'
import type { Node } from '@tiptap/pm/model'
import { Plugin, PluginKey } from '@tiptap/pm/state'
import { Decoration, DecorationSet, type EditorView } from '@tiptap/pm/view'
import type { HighlightedCode } from '#base/rich-text/code-colours.ts'

type HighlightState = {
  colour: typeof import('#base/rich-text/code-colours.ts').coloured | null
  /** Composed text, such as Chinese, must not change until the composition ends. */
  isComposing: boolean
  /** The number of decorations of each code block. */
  counts: WeakMap<Node, number>
}

const key = new PluginKey<DecorationSet>('codeColours')

/** Highlights code during editing as on the page. The grammars load with the first code block. */
export const codeColours = Extension.create({
  name: 'codeColours',
  addProseMirrorPlugins: () => [highlightPlugin({ colour: null, isComposing: false, counts: new WeakMap() })],
})

function highlightPlugin(brush: HighlightState): Plugin {
  return new Plugin<DecorationSet>({
    key,
    state: {
      init: () => DecorationSet.empty,
      apply: (tr, set) => (tr.docChanged || tr.getMeta(key) ? decorationsFor(brush, tr.doc, set.map(tr.mapping, tr.doc)) : set),
    },
    props: {
      decorations: (state) => key.getState(state),
      handleDOMEvents: {
        compositionstart: () => void (brush.isComposing = true),
        compositionend(view) {
          brush.isComposing = false
          // The editor reads composed text after this event.
          setTimeout(() => highlightAgain(view), 50)
        },
      },
    },
    view(first) {
      let isAsked = false
      function update(view: EditorView): void {
        if (isAsked || !hasCode(view.state.doc)) return
        isAsked = true
        loadGrammars(brush, view)
      }
      update(first)
      return { update }
    },
  })
}

function loadGrammars(brush: HighlightState, view: EditorView): void {
  import('#base/rich-text/code-colours.ts').then(
    ({ coloured }) => {
      brush.colour = coloured
      highlightAgain(view)
    },
    (error: unknown) => console.info('Code stays uncoloured while it is written', error),
  )
}

function highlightAgain(view: EditorView): void {
  if (!view.isDestroyed) view.dispatch(view.state.tr.setMeta(key, true))
}

function decorationsFor({ colour, isComposing, counts }: HighlightState, doc: Node, before: DecorationSet): DecorationSet {
  let set = before
  if (!colour || isComposing) return set
  eachCode(doc, (code, at) => {
    const there = set.find(at, at + code.nodeSize)
    if (counts.get(code) === there.length) return
    const spans = spansIn(colour(String(code.attrs['language']), code.textContent) ?? [], at + 1)
    counts.set(code, spans.length)
    set = set.remove(there).add(doc, spans)
  })
  return set
}

function eachCode(doc: Node, see: (code: Node, at: number) => void): void {
  doc.descendants((node, at) => {
    if (node.type.name === 'codeBlock') see(node, at)
    return !node.isTextblock
  })
}

function hasCode(doc: Node): boolean {
  let has = false
  eachCode(doc, (code) => (has ||= code.attrs['language'] !== 'markup'))
  return has
}

function spansIn(parts: readonly HighlightedCode[], start: number): Decoration[] {
  let at = start
  return parts.flatMap((part) => {
    const from = at
    at += lengthOf(part)
    if (typeof part === 'string' || at === from) return []
    return [Decoration.inline(from, at, { class: part.kind }), ...spansIn(part.content, from)]
  })
}

function lengthOf(part: HighlightedCode): number {
  return typeof part === 'string' ? part.length : part.content.reduce((sum, inner) => sum + lengthOf(inner), 0)
}
