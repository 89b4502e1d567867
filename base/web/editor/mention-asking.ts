import { Extension, type Editor } from '@tiptap/core'
import { Plugin, type EditorState } from '@tiptap/pm/state'
import { storeOf, type Store } from '#base/web/store.ts'

/** The letters after an @ that is being typed, and where they stand. */
export type Asked = { query: string; from: number; to: number }
export type Asking = Store<Asked | null> & { takesKey: (event: KeyboardEvent) => boolean }

export function newAsking(): Asking {
  return { ...storeOf<Asked | null>(null), takesKey: () => false }
}

/** Notices an @ while it is typed. Nothing happens while an input method composes. */
export function mentionAsking(asking: Asking) {
  return Extension.create({
    name: 'mentionAsking',
    // Before the keys of lists and paragraphs.
    priority: 200,
    addProseMirrorPlugins: () => [
      new Plugin({
        props: {
          handleKeyDown: (view, event) => !view.composing && asking.get() !== null && asking.takesKey(event),
          handleDOMEvents: { blur: () => void close(asking) },
        },
        view: () => ({
          update(view, before) {
            if (view.composing) return close(asking)
            if (before.doc.eq(view.state.doc) && before.selection.eq(view.state.selection)) return
            const asked = before.doc.eq(view.state.doc) && asking.get() === null ? null : askedIn(view.state)
            if (asked || asking.get()) asking.set(asked)
          },
          destroy: () => close(asking),
        }),
      }),
    ],
    onCreate() {
      // What was composed is there only after the input method is done.
      this.editor.view.dom.addEventListener('compositionend', () =>
        setTimeout(() => !this.editor.isDestroyed && asking.set(askedIn(this.editor.state))),
      )
    },
  })
}

function close(asking: Asking): void {
  if (asking.get()) asking.set(null)
}

function askedIn({ selection }: EditorState): Asked | null {
  const { $from, empty, from } = selection
  if (!empty || $from.parent.type.spec.code || $from.marks().some((mark) => mark.type.name === 'code')) return null
  const before = $from.parent.textBetween(Math.max(0, $from.parentOffset - 40), $from.parentOffset, '\n', '\ufffc')
  const [whole, query = ''] = /(?<![A-Za-z0-9._-])[@＠]([\p{L}\p{N}_]{0,25})$/u.exec(before) ?? []
  return whole === undefined ? null : { query, from: from - whole.length, to: from }
}

export function insertMention(editor: Editor, { from, to }: Asked, { id, name }: { id: string; name: string }): void {
  editor
    .chain()
    .focus()
    .insertContentAt({ from, to }, [
      { type: 'mention', attrs: { id, label: name.slice(0, 50) } },
      { type: 'text', text: ' ' },
    ])
    .run()
}
