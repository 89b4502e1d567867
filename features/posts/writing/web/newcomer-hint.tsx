import { useWords } from '#base/web/words.tsx'
import type { NewcomerView } from '#writing/contract.ts'
import { isNear } from '#writing/newcomer-limits.ts'
import css from '#writing/web/post-editor.module.css'

type NewcomerHintProps = Pick<NonNullable<NewcomerView>, 'links' | 'pictures'> & { used: { links: number; pictures: number } }

/** The limits of a new member, once the document is near them. The cooldown is shown when it applies. */
export function NewcomerHint({ links, pictures, used }: NewcomerHintProps) {
  const words = useWords('writing')
  const isSaid = isNear(used.links, links) || isNear(used.pictures, pictures)
  return (
    <p className={isSaid ? css.note : 'hidden'} role="status">
      {isSaid && words('newcomer', { links, pictures })}
    </p>
  )
}
