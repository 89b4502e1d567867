import type { Kind } from '#kind/contract.ts'
import { useWords } from '#base/web/words.tsx'
import type { NewcomerView } from '#writing/contract.ts'
import css from '#writing/web/post-editor.module.css'

type NewcomerHintProps = NonNullable<NewcomerView> & { kind: Kind }

/** What a new member may do for now, so that nobody writes what is refused. */
export function NewcomerHint({ kind, links, pictures, secondsBetweenTopics, secondsBetweenComments }: NewcomerHintProps) {
  const words = useWords('writing')
  const seconds = kind === 'topic' ? secondsBetweenTopics : secondsBetweenComments
  return (
    <p className={css.note}>
      {words('newcomer', { links, pictures })}
      {seconds > 1 && words(kind === 'topic' ? 'newcomerTopics' : 'newcomerRemarks', { seconds })}
    </p>
  )
}
