import type { Editor } from '@tiptap/core'
import { useEditor } from '@tiptap/react'
import { useState, type RefObject } from 'react'
import type { Doc } from '#base/rich-text/document.ts'
import { contentFor, documentOf } from '#base/editor/document-in-editor.ts'
import { extensionsFor, type EditorHooks } from '#base/editor/extensions.ts'
import { useLatest } from '#base/editor/latest.ts'
import { createMentionState, type MentionState } from '#base/editor/mention-state.ts'
import { safeToRead } from '#base/editor/paste/html.ts'
import { useWords, type Translate } from '#base/web/words.tsx'

type EditorOptions = EditorHooks & {
  isPlain: boolean
  isCompact: boolean
  takesFocus: boolean
  placeholder: string | undefined
  first: Doc
  id: string
  wrote: (doc: Doc) => void
  entered: () => void
}

const stickyMargins = { top: 120, bottom: 140, left: 0, right: 0 }

/** The rich-text editor. It lives as long as the form, also while the Markdown view is shown. */
export function useRichEditor(options: EditorOptions): { editor: Editor; mentions: MentionState } {
  const words = useWords('editor')
  const latest = useLatest(options)
  // Created once: an editor cannot replace its extensions.
  const [{ asking, extensions }] = useState(() => createExtensions(latest, words))
  const editor = useEditor({
    extensions,
    content: contentFor(options.first),
    autofocus: options.takesFocus && 'end',
    // The styles are our own; the page's policy blocks style tags.
    injectCSS: false,
    shouldRerenderOnTransaction: false,
    editorProps: {
      // Keeps the current line clear of the sticky areas above and below.
      ...(!options.isCompact && { scrollThreshold: stickyMargins, scrollMargin: stickyMargins }),
      transformPastedHTML: safeToRead,
      attributes: {
        class: 'prose',
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-autocomplete': 'list',
        'aria-labelledby': options.id,
        'aria-describedby': `${options.id}-note`,
        'aria-placeholder': options.placeholder ?? words('placeholder'),
      },
    },
    onUpdate: ({ editor: it }) => latest.current.wrote(documentOf(it)),
    onFocus: () => latest.current.entered(),
  })
  return { editor, mentions: asking }
}

function createExtensions(latest: RefObject<EditorOptions>, words: Translate) {
  const asking = createMentionState()
  const hands: EditorHooks = {
    take: (files, at) => latest.current.take(files, at),
    lost: (id) => latest.current.lost(id),
    openLink: () => latest.current.openLink(),
    send: () => latest.current.send(),
  }
  const { isPlain, isCompact } = latest.current
  return { asking, extensions: extensionsFor({ isPlain, isCompact, words, mentions: asking, hands }) }
}
