import { Extension, type Editor } from '@tiptap/core'
import { Plugin, PluginKey } from '@tiptap/pm/state'
import { Decoration, DecorationSet } from '@tiptap/pm/view'
import css from '#base/web/editor/blocks.module.css'

type Change = { add: { id: number; at: number; preview: string } } | { remove: number }
const places = new PluginKey<DecorationSet>('upload places')

export type Pictures = { take: (files: File[], at: number | null) => void }

/** Where pictures will stand that are still on their way. They are only drawn there, so they never get into what is sent. */
export function uploadPlaces(pictures: Pictures) {
  return Extension.create({
    name: 'uploadPlaces',
    addProseMirrorPlugins: () => [
      new Plugin<DecorationSet>({
        key: places,
        state: {
          init: () => DecorationSet.empty,
          apply(tr, set) {
            const kept = set.map(tr.mapping, tr.doc)
            const change = tr.getMeta(places) as Change | undefined
            if (!change) return kept
            if ('remove' in change) return kept.remove(kept.find(undefined, undefined, (spec) => spec['id'] === change.remove))
            const { id, at, preview } = change.add
            return kept.add(tr.doc, [Decoration.widget(at, () => placeholder(preview), { id, side: 1, key: `upload ${id}` })])
          },
        },
        props: {
          decorations: (state) => places.getState(state),
          handlePaste: (_, event, slice) => take(pictures, event.clipboardData, null, slice.content.textBetween(0, slice.content.size)),
          handleDrop: (view, event, _, moved) =>
            !moved && take(pictures, event.dataTransfer, view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos ?? null, ''),
        },
      }),
    ],
  })
}

/** Office programs paste a picture of a text beside the text: where there are words, they are what is meant. */
function take(pictures: Pictures, data: DataTransfer | null, at: number | null, words: string): boolean {
  const files = picturesIn(data)
  if (files.length === 0 || (data?.types.includes('text/html') && words.trim())) return false
  pictures.take(files, at)
  return true
}

export function picturesIn(data: DataTransfer | null): File[] {
  return [...(data?.files ?? [])].filter((file) => file.type.startsWith('image/'))
}

function placeholder(preview: string): HTMLElement {
  const box = document.createElement('span')
  const image = document.createElement('img')
  box.className = css.onItsWay ?? ''
  image.src = preview
  image.alt = ''
  box.append(image)
  return box
}

export function holdPlace(editor: Editor, id: number, at: number | null, preview: string): void {
  const change: Change = { add: { id, at: at ?? editor.state.selection.to, preview } }
  editor.view.dispatch(editor.state.tr.setMeta(places, change).setMeta('addToHistory', false))
}

/** Where the place has moved to meanwhile; null when it was deleted. */
export function giveUpPlace(editor: Editor, id: number): number | null {
  const at = places.getState(editor.state)?.find(undefined, undefined, (spec) => spec['id'] === id)[0]?.from ?? null
  editor.view.dispatch(editor.state.tr.setMeta(places, { remove: id } satisfies Change).setMeta('addToHistory', false))
  return at
}
