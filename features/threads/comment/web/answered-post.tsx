import { useId, useState } from 'react'
import { Icon } from '#base/web/icon.tsx'
import { Html } from '#base/web/html.tsx'
import { useWords } from '#base/web/words.tsx'
import type { ReplyView } from '#comment/contract.ts'
import css from '#comment/web/answered-post.module.css'

type AnsweredPostProps = {
  /** A label with the name of the answered author. */
  title: string
  segments: ReplyView['segments']
  /** Removes the quote. */
  drop?: { label: string; go: () => void }
}

/** The answered post: author and first line, and all of it when unfolded. */
export function AnsweredPost({ title, segments, drop }: AnsweredPostProps) {
  const words = useWords('comment')
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const says = segments.some(({ html }) => html.replace(/<[^>]*>/g, '').trim() !== '')
  return (
    <div className={css.answered}>
      <div className={css.head}>
        <button type="button" className={css.title} aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
          <bdi>{title}</bdi>
          <Icon name={isOpen ? 'up' : 'down'} size={16} />
        </button>
        {drop && (
          <button type="button" className="icon" aria-label={drop.label} title={drop.label} onClick={drop.go}>
            <Icon name="close" size={16} />
          </button>
        )}
      </div>
      <div id={id} className={isOpen ? css.whole : css.line}>
        {says || isOpen
          ? segments.map(({ html, hidden }, index) => !hidden && <Html key={index} html={html} className={isOpen ? 'prose' : undefined} />)
          : words('pictureOnly')}
      </div>
    </div>
  )
}
