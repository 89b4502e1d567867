import { Extension, type Editor } from '@tiptap/core'
import type { Node } from '@tiptap/pm/model'
import { Plugin, PluginKey, type Transaction } from '@tiptap/pm/state'
import { Decoration, DecorationSet } from '@tiptap/pm/view'
import type { Block } from '#base/rich-text/document.ts'
import { cursorBelow, makeInsertionPoint } from '#base/editor/insert-block.ts'

type UploadPlaceholder = { id: number; dom: HTMLElement }
type Change = { add: readonly UploadPlaceholder[]; at: number } | { remove: number; brought?: boolean }
const placeholders = new PluginKey<DecorationSet>('upload places')

export type FileHooks = {
  take: (files: File[], at: number | null) => void
  /** The placeholder of an upload was deleted. */
  lost: (id: number) => void
}

/** Placeholders for pending uploads. They are decorations, and so never part of the document. */
export function uploadPlaceholders(files: FileHooks) {
  return Extension.create({
    name: 'uploadPlaces',
    addProseMirrorPlugins: () => [
      new Plugin<DecorationSet>({
        key: placeholders,
        state: {
          init: () => DecorationSet.empty,
          apply(tr, set) {
            const change = tr.getMeta(placeholders) as Change | undefined
            const mapped = set.map(tr.mapping, tr.doc, { onRemove: (spec) => queueMicrotask(() => files.lost(spec['id'])) })
            return change ? changed(mapped, tr.doc, change, behind(set, change, tr)) : mapped
          },
        },
        props: {
          decorations: (state) => placeholders.getState(state),
          handlePaste: (_, event, slice) => take(files, event.clipboardData, null, slice.content.textBetween(0, slice.content.size)),
          handleDrop: (view, event, _, moved) =>
            !moved && take(files, event.dataTransfer, view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos ?? null, ''),
        },
      }),
    ],
  })
}

function changed(set: DecorationSet, doc: Node, change: Change, moved: Decoration[]): DecorationSet {
  if ('add' in change)
    return set.add(
      doc,
      change.add.map((place) => placeholderAt(change.at, place)),
    )
  const removedIds = [change.remove, ...moved.map(({ spec }) => spec['id'])]
  return set.remove(set.find(undefined, undefined, (spec) => removedIds.includes(spec['id']))).add(doc, moved)
}

/** Placeholders of later uploads at the same position move behind the one that has finished. */
function behind(set: DecorationSet, change: Change, { mapping }: Transaction): Decoration[] {
  if (!('brought' in change)) return []
  const at = withId(set, change.remove)[0]?.from
  return set
    .find(undefined, undefined, (spec) => spec['id'] > change.remove)
    .filter(({ from }) => from === at)
    .map(({ from, spec }) => placeholderAt(mapping.map(from), spec as UploadPlaceholder))
}

// In front of everything at the same position, ordered by age.
const frontSide = -1_000_000_000

function placeholderAt(at: number, { id, dom }: UploadPlaceholder): Decoration {
  return Decoration.widget(at, () => dom, {
    id,
    dom,
    side: frontSide + id,
    key: `upload ${id}`,
    stopEvent: () => true,
    ignoreSelection: true,
  })
}

function withId(set: DecorationSet, id: number): Decoration[] {
  return set.find(undefined, undefined, (spec) => spec['id'] === id)
}

/** Office programs copy a picture of a text along with the text: the text is preferred. */
function take(files: FileHooks, data: DataTransfer | null, at: number | null, words: string): boolean {
  const found = [...(data?.files ?? [])]
  if (found.length === 0 || (data?.types.includes('text/html') && words.trim())) return false
  files.take(found, at)
  return true
}

/** Inserts placeholders between blocks. Typing continues below them. */
export function insertPlaceholders(editor: Editor, added: readonly UploadPlaceholder[], position: number | null): void {
  const { tr } = editor.state
  const point = makeInsertionPoint(tr, position ?? tr.selection.to)
  cursorBelow(tr, point)
  send(editor, { add: added, at: point.at }, tr.scrollIntoView())
}

/** Replaces the placeholder with the uploaded block; false if it was deleted. */
export function replacePlaceholder(editor: Editor, id: number, block: Block): boolean {
  const { state } = editor
  const at = positionOf(editor, id)
  if (at === null) return false
  const tr = state.tr.replaceRangeWith(at, at, state.schema.nodeFromJSON(block))
  editor.view.dispatch(tr.setMeta(placeholders, { remove: id, brought: true } satisfies Change))
  return true
}

export function removePlaceholder(editor: Editor, id: number): void {
  if (positionOf(editor, id) !== null) send(editor, { remove: id })
}

function positionOf(editor: Editor, id: number): number | null {
  const set = placeholders.getState(editor.state)
  return (set && withId(set, id)[0]?.from) ?? null
}

function send(editor: Editor, change: Change, tr = editor.state.tr): void {
  editor.view.dispatch(tr.setMeta(placeholders, change).setMeta('addToHistory', false))
}
