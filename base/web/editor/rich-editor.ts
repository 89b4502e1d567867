import type { Editor } from '@tiptap/core'
import { useEditor } from '@tiptap/react'
import { useState, type RefObject } from 'react'
import type { Doc } from '#base/rich-text/document.ts'
import { contentFor, documentOf } from '#base/web/editor/document-in-editor.ts'
import { extensionsFor, type Hands } from '#base/web/editor/extensions.ts'
import { useLatest } from '#base/web/editor/latest.ts'
import { newAsking, type Asking } from '#base/web/editor/mention-asking.ts'
import { safeToRead } from '#base/web/editor/paste/html.ts'
import { useWords, type Say } from '#base/web/words.tsx'

type EditorOptions = Hands & {
  isPlain: boolean
  isCompact: boolean
  takesFocus: boolean
  placeholder: string | undefined
  first: Doc
  id: string
  wrote: (doc: Doc) => void
  entered: () => void
}

const covered = { top: 120, bottom: 140, left: 0, right: 0 }

/** The rich-text editor. It lives as long as the form, also while the Markdown view is shown. */
export function useRichEditor(terms: EditorOptions): { editor: Editor; asking: Asking } {
  const words = useWords('editor')
  const latest = useLatest(terms)
  // Created once: an editor cannot replace its extensions.
  const [{ asking, extensions }] = useState(() => made(latest, words))
  const editor = useEditor({
    extensions,
    content: contentFor(terms.first),
    autofocus: terms.takesFocus && 'end',
    // The styles are our own; the page's policy blocks style tags.
    injectCSS: false,
    shouldRerenderOnTransaction: false,
    editorProps: {
      // Keeps the current line clear of the sticky areas above and below.
      ...(!terms.isCompact && { scrollThreshold: covered, scrollMargin: covered }),
      transformPastedHTML: safeToRead,
      attributes: {
        class: 'prose',
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-autocomplete': 'list',
        'aria-labelledby': terms.id,
        'aria-describedby': `${terms.id}-note`,
        'aria-placeholder': terms.placeholder ?? words('placeholder'),
      },
    },
    onUpdate: ({ editor: it }) => latest.current.wrote(documentOf(it)),
    onFocus: () => latest.current.entered(),
  })
  return { editor, asking }
}

function made(latest: RefObject<EditorOptions>, words: Say) {
  const asking = newAsking()
  const hands: Hands = {
    take: (files, at) => latest.current.take(files, at),
    lost: (id) => latest.current.lost(id),
    openLink: () => latest.current.openLink(),
    send: () => latest.current.send(),
  }
  const { isPlain, isCompact } = latest.current
  return { asking, extensions: extensionsFor({ isPlain, isCompact, words, asking, hands }) }
}
