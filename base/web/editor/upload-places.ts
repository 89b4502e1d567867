import { Extension, type Editor } from '@tiptap/core'
import type { Node } from '@tiptap/pm/model'
import { Plugin, PluginKey } from '@tiptap/pm/state'
import { insertPoint } from '@tiptap/pm/transform'
import { Decoration, DecorationSet } from '@tiptap/pm/view'
import { afterTable } from '#base/web/editor/after-table.ts'

type Place = { id: number; dom: HTMLElement }
type Change = { add: Place & { at: number } } | { remove: number } | { before: { id: number; at: number } }
const places = new PluginKey<DecorationSet>('upload places')

export type Files = {
  take: (files: File[], at: number | null) => void
  /** Somebody has deleted the place where one was to stand. */
  lost: (id: number) => void
}

/** Where pictures and files will stand that are still on their way. They are only drawn there, so they never get into what is sent. */
export function uploadPlaces(files: Files) {
  return Extension.create({
    name: 'uploadPlaces',
    addProseMirrorPlugins: () => [
      new Plugin<DecorationSet>({
        key: places,
        state: {
          init: () => DecorationSet.empty,
          apply(tr, set) {
            const kept = set.map(tr.mapping, tr.doc, { onRemove: (spec) => queueMicrotask(() => files.lost(spec['id'])) })
            const change = tr.getMeta(places) as Change | undefined
            return change ? changed(kept, tr.doc, change) : kept
          },
        },
        props: {
          decorations: (state) => places.getState(state),
          handlePaste: (_, event, slice) => take(files, event.clipboardData, null, slice.content.textBetween(0, slice.content.size)),
          handleDrop: (view, event, _, moved) =>
            !moved && take(files, event.dataTransfer, view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos ?? null, ''),
        },
      }),
    ],
  })
}

function changed(set: DecorationSet, doc: Node, change: Change): DecorationSet {
  if ('add' in change) return set.add(doc, [placeAt(change.add.at, change.add)])
  const id = 'remove' in change ? change.remove : change.before.id
  const found = withId(set, id)
  const without = set.remove(found)
  const [first] = found
  return 'remove' in change || !first ? without : without.add(doc, [placeAt(change.before.at, first.spec as Place)])
}

function placeAt(at: number, { id, dom }: Place): Decoration {
  return Decoration.widget(at, () => dom, { id, dom, side: 1, key: `upload ${id}`, stopEvent: () => true, ignoreSelection: true })
}

function withId(set: DecorationSet, id: number): Decoration[] {
  return set.find(undefined, undefined, (spec) => spec['id'] === id)
}

/** Office programs paste a picture of a text beside the text: where there are words, they are what is meant. */
function take(files: Files, data: DataTransfer | null, at: number | null, words: string): boolean {
  const found = [...(data?.files ?? [])]
  if (found.length === 0 || (data?.types.includes('text/html') && words.trim())) return false
  files.take(found, at)
  return true
}

/** Keeps a place for an upload, between blocks, and gives what is drawn there. */
export function holdPlace(editor: Editor, id: number, dom: HTMLElement, at: number | null): void {
  const { doc, selection, schema, tr } = editor.state
  const wanted = afterTable(doc, at ?? selection.to)
  const between = schema.nodes['image'] ? insertPoint(doc, wanted, schema.nodes['image']) : null
  send(editor, { add: { id, dom, at: between ?? wanted } }, tr)
}

/** Where the place has moved to meanwhile; null when it was deleted. */
export function giveUpPlace(editor: Editor, id: number): number | null {
  const at = placeOf(editor, id)
  send(editor, { remove: id })
  return at
}

/** Keeps those that were begun earlier in front of one that came before them. */
export function keepOrder(editor: Editor, id: number, at: number, after: number): void {
  for (const { spec, from } of places.getState(editor.state)?.find() ?? []) {
    if (spec['id'] < id && from === after) send(editor, { before: { id: spec['id'], at } })
  }
}

function placeOf(editor: Editor, id: number): number | null {
  const set = places.getState(editor.state)
  return (set && withId(set, id)[0]?.from) ?? null
}

function send(editor: Editor, change: Change, tr = editor.state.tr): void {
  editor.view.dispatch(tr.setMeta(places, change).setMeta('addToHistory', false))
}
