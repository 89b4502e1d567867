import { Extension, type Editor } from '@tiptap/core'
import { Plugin, type EditorState } from '@tiptap/pm/state'
import { firstCharacters } from '#base/characters.ts'
import { createStore, type Store } from '#base/web/store.ts'

/** The letters typed after an @, with their position. */
export type MentionQuery = { query: string; from: number; to: number }
type KeyHandler = (event: KeyboardEvent) => boolean
export type MentionState = Store<MentionQuery | null> & {
  handleKey: KeyHandler
  /** Gives the member list priority for keys. */
  setKeyHandler: (takesKey: KeyHandler) => void
  /** Dismisses the suggestions for the current @. */
  dismiss: () => void
}

export function createMentionState(): MentionState {
  const store = createStore<MentionQuery | null>(null)
  let heeded: KeyHandler = () => false
  let refused = -1
  return {
    ...store,
    set(mention) {
      if (!mention) refused = -1
      const next = mention?.from === refused ? null : mention
      if (next || store.get()) store.set(next)
    },
    handleKey: (event) => heeded(event),
    setKeyHandler(takesKey) {
      heeded = takesKey
    },
    dismiss() {
      refused = store.get()?.from ?? -1
      store.set(null)
    },
  }
}

/** Detects an @ during typing, except in a composition. */
export function mentionDetection(mentions: MentionState) {
  return Extension.create({
    name: 'mentionAsking',
    // Before the keys of lists and paragraphs.
    priority: 200,
    addProseMirrorPlugins: () => [
      new Plugin({
        props: {
          handleKeyDown: (view, event) => !view.composing && mentions.get() !== null && mentions.handleKey(event),
          handleDOMEvents: { blur: () => mentions.set(null) },
        },
        view: () => ({
          update(view, before) {
            if (view.composing) return mentions.set(null)
            if (before.doc.eq(view.state.doc) && before.selection.eq(view.state.selection)) return
            const mention = before.doc.eq(view.state.doc) && mentions.get() === null ? null : mentionQueryIn(view.state)
            mentions.set(mention)
          },
          destroy: () => mentions.set(null),
        }),
      }),
    ],
    onCreate() {
      // Composed text is in the document only after the composition ends.
      this.editor.view.dom.addEventListener('compositionend', () =>
        setTimeout(() => !this.editor.isDestroyed && mentions.set(mentionQueryIn(this.editor.state))),
      )
    },
  })
}

function mentionQueryIn({ selection }: EditorState): MentionQuery | null {
  const { $from, empty, from } = selection
  if (!empty || $from.parent.type.spec.code || $from.marks().some((mark) => mark.type.name === 'code')) return null
  const before = $from.parent.textBetween(Math.max(0, $from.parentOffset - 40), $from.parentOffset, '\n', '\ufffc')
  const [whole, query = ''] = /(?<![A-Za-z0-9._-])[@＠]([\p{L}\p{N}_]{0,25})$/u.exec(before) ?? []
  return whole === undefined ? null : { query, from: from - whole.length, to: from }
}

export function insertMention(editor: Editor, { from, to }: MentionQuery, { id, name }: { id: string; name: string }): void {
  editor
    .chain()
    .focus()
    .insertContentAt({ from, to }, [
      { type: 'mention', attrs: { id, label: firstCharacters(name, 50) } },
      { type: 'text', text: ' ' },
    ])
    .run()
}
