import { Extension } from '@tiptap/core'
import type { Node } from '@tiptap/pm/model'
import { Plugin, PluginKey } from '@tiptap/pm/state'
import { Decoration, DecorationSet, type EditorView } from '@tiptap/pm/view'
import type { Coloured } from '#base/rich-text/code-colours.ts'

type Brush = {
  colour: typeof import('#base/rich-text/code-colours.ts').coloured | null
  /** Composed text, such as Chinese, must not change until the composition ends. */
  isHeld: boolean
  /** The number of decorations of each code block. */
  done: WeakMap<Node, number>
}

const key = new PluginKey<DecorationSet>('codeColours')

/** Highlights code during editing as on the page. The grammars load with the first code block. */
export const codeColours = Extension.create({
  name: 'codeColours',
  addProseMirrorPlugins: () => [painting({ colour: null, isHeld: false, done: new WeakMap() })],
})

function painting(brush: Brush): Plugin {
  return new Plugin<DecorationSet>({
    key,
    state: {
      init: () => DecorationSet.empty,
      apply: (tr, set) => (tr.docChanged || tr.getMeta(key) ? painted(brush, tr.doc, set.map(tr.mapping, tr.doc)) : set),
    },
    props: {
      decorations: (state) => key.getState(state),
      handleDOMEvents: {
        compositionstart: () => void (brush.isHeld = true),
        compositionend(view) {
          brush.isHeld = false
          // The editor reads composed text after this event.
          setTimeout(() => paintAgain(view), 50)
        },
      },
    },
    view(first) {
      let isAsked = false
      function update(view: EditorView): void {
        if (isAsked || !hasCode(view.state.doc)) return
        isAsked = true
        takeUp(brush, view)
      }
      update(first)
      return { update }
    },
  })
}

function takeUp(brush: Brush, view: EditorView): void {
  import('#base/rich-text/code-colours.ts').then(
    ({ coloured }) => {
      brush.colour = coloured
      paintAgain(view)
    },
    (error: unknown) => console.info('Code stays uncoloured while it is written', error),
  )
}

function paintAgain(view: EditorView): void {
  if (!view.isDestroyed) view.dispatch(view.state.tr.setMeta(key, true))
}

function painted({ colour, isHeld, done }: Brush, doc: Node, before: DecorationSet): DecorationSet {
  let set = before
  if (!colour || isHeld) return set
  eachCode(doc, (code, at) => {
    const there = set.find(at, at + code.nodeSize)
    if (done.get(code) === there.length) return
    const spans = spansIn(colour(String(code.attrs['language']), code.textContent) ?? [], at + 1)
    done.set(code, spans.length)
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

function spansIn(parts: readonly Coloured[], start: number): Decoration[] {
  let at = start
  return parts.flatMap((part) => {
    const from = at
    at += lengthOf(part)
    if (typeof part === 'string' || at === from) return []
    return [Decoration.inline(from, at, { class: part.kind }), ...spansIn(part.content, from)]
  })
}

function lengthOf(part: Coloured): number {
  return typeof part === 'string' ? part.length : part.content.reduce((sum, inner) => sum + lengthOf(inner), 0)
}
