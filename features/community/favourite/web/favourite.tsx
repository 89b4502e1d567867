import { useState } from 'react'
import { useToggle } from '#account/web/account.tsx'
import { useApi } from '#base/web/api.ts'
import { useLater } from '#base/web/lazy-part.ts'
import { StrokeIcon } from '#base/web/stroke-icon.tsx'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import type { addFavourite, removeFavourite } from '#favourite/contract.ts'
import css from '#favourite/web/favourite.module.css'

const bookmark = 'M5.5 3.5h9v13.2L10 13.4l-4.5 3.3Z'

type Props = { topicId: string; count: number; /** Null for visitors and while it loads. */ isMine: boolean | null }

/** A button that adds a thread to the favourites; for a favourite it opens the dialog to edit or remove it. */
export function Favourite({ topicId, count, isMine }: Props) {
  const words = useWords('favourite')
  const api = useApi()
  const [isAsked, ask] = useState(false)
  const { isOn, difference, press } = useToggle({
    action: `favourite ${topicId}`,
    initial: isMine,
    question: words('loginFirst'),
    async send(isKept) {
      await api.write<typeof addFavourite | typeof removeFavourite>(isKept ? '/favourite/add' : '/favourite/remove', { topicId })
      if (isKept) toast(words('kept'), { retry: () => ask(true), label: words('where') })
      else toast(words('removed'))
    },
  })
  const editing = useLater(
    () => import('#favourite/web/edit-favourite.tsx'),
    isAsked,
    () => ask(false),
  )
  const displayedCount = Math.max(count + difference, isOn ? 1 : 0)
  return (
    <span className={css.favourite}>
      <button
        type="button"
        className={`icon ${css.bookmark}`}
        aria-pressed={isOn}
        aria-label={words('keep')}
        onClick={isOn ? () => ask(true) : press}
        data-action="favourite"
      >
        <StrokeIcon path={bookmark} size={18} />
      </button>
      {displayedCount > 0 && (
        <span className={css.count} title={words('count', { count: displayedCount })}>
          {displayedCount}
        </span>
      )}
      {editing && <editing.EditFavourite topicId={topicId} isOpen={isAsked} close={() => ask(false)} remove={press} />}
    </span>
  )
}
