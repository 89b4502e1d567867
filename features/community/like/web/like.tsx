import { useState } from 'react'
import { useMember, useToggle } from '#account/web/account.tsx'
import { useApi } from '#base/web/api.ts'
import { useLater } from '#base/web/lazy-part.ts'
import { StrokeIcon } from '#base/web/stroke-icon.tsx'
import { useWords } from '#base/web/words.tsx'
import type { Kind } from '#kind/contract.ts'
import type { addLike, removeLike } from '#like/contract.ts'
import { useMine } from '#post/web/post.tsx'
import { useSite } from '#setting/web/setting.tsx'
import css from '#like/web/like.module.css'

const heart = 'M10 16.6 3.9 10.7a3.9 3.9 0 0 1 5.5-5.5l.6.6.6-.6a3.9 3.9 0 0 1 5.5 5.5Z'

type Post = { kind: Kind; id: string; authorId: string }

/** A button to like a post, and the number of likes, which opens the list of members. */
export function Likes({ of: { kind, id, authorId }, count }: { of: Post; count: number }) {
  const words = useWords('like')
  const api = useApi()
  const me = useMember()
  const { open } = useSite()
  const mine = useMine()
  const [isAsked, ask] = useState(false)
  const { isOn, difference, press, sent } = useToggle({
    action: `like ${kind} ${id}`,
    initial: mine && mine.liked[kind].includes(id),
    hash: kind === 'topic' ? '' : `#${kind}-${id}`,
    question: words('loginFirst'),
    send: (isOn) => api.write<typeof addLike | typeof removeLike>(isOn ? '/like/add' : '/like/remove', { kind, id }),
  })
  const likers = useLater(
    () => import('#like/web/likers.tsx'),
    isAsked,
    () => ask(false),
  )
  const total = Math.max(count + difference, isOn ? 1 : 0)
  const mayLike = open.likes && me?.userId !== authorId
  if (!mayLike && total === 0) return null
  return (
    <span className={css.likes}>
      {mayLike && (
        <button
          type="button"
          className={`icon ${css.heart}`}
          aria-pressed={isOn}
          aria-label={words('like')}
          onClick={press}
          data-action="like"
        >
          <StrokeIcon path={heart} size={18} />
        </button>
      )}
      {total > 0 && (
        <button type="button" className={`plain ${css.count}`} aria-label={words('likes', { count: total })} onClick={() => ask(true)}>
          {!mayLike && <StrokeIcon path={heart} size={18} />}
          {total}
        </button>
      )}
      {likers && <likers.LikersDialog after={sent} kind={kind} id={id} isOpen={isAsked} close={() => ask(false)} />}
    </span>
  )
}
