import { useDeferredValue, useMemo } from 'react'
import type { Block, Doc } from '#base/rich-text/document.ts'
import { MarkdownTooLong } from '#base/rich-text/markdown.ts'
import { toSegments } from '#base/rich-text/to-html.ts'
import { mentionsOf } from '#base/rich-text/to-text.ts'
import { documentFrom, emptyDocument } from '#base/editor/document-in-editor.ts'
import { srcOf } from '#base/editor/picture-src.ts'
import { Segments } from '#base/web/html.tsx'
import { useWords } from '#base/web/words.tsx'
import css from '#base/editor/markdown-preview.module.css'

type PreviewProps = { text: string; isPlain: boolean }

/** A preview of the text, updated after a pause. Hidden parts appear as their author sees them. */
export function MarkdownPreview({ text, isPlain }: PreviewProps) {
  const words = useWords('editor')
  const say = useWords('site')
  const settled = useDeferredValue(text)
  const doc = useMemo(() => parseOrEmpty(settled, isPlain), [settled, isPlain])
  const isEmpty = settled.trim() === ''
  return (
    <section className={css.preview} aria-label={words('preview')}>
      {isEmpty && <p className={css.empty}>{words('previewEmpty')}</p>}
      <Segments
        segments={segmentsOf(doc)}
        renderHidden={({ id, lock }) => (
          <div className={css.part}>
            <p className="note">{say('hiddenBy', { lock })}</p>
            <Segments segments={segmentsOf({ type: 'doc', content: contentOf(doc.content[Number(id)]) })} />
          </div>
        )}
      />
    </section>
  )
}

function parseOrEmpty(text: string, isPlain: boolean): Doc {
  try {
    return documentFrom(text, isPlain)
  } catch (error) {
    // The editor reports it.
    if (error instanceof MarkdownTooLong) return emptyDocument
    throw error
  }
}

const contentOf = (block: Block | undefined): Block[] => (block?.type === 'hidden' ? (block.content ?? []) : [])

/** The segments of a document; a hidden part is identified by its position. */
function segmentsOf(doc: Doc) {
  const names = new Map(mentionsOf(doc).map(({ id, label }) => [id, label]))
  const content = doc.content.map((block, place) =>
    block.type === 'hidden' ? { ...block, attrs: { ...block.attrs, id: String(place) } } : block,
  )
  return toSegments(
    { ...doc, content },
    {
      picture: ({ file, width, height }) => ({ src: srcOf(file), width, height }),
      mention: (id) => ({ href: `/user/control/home?userId=${id}`, name: names.get(id) ?? '' }),
    },
  )
}
