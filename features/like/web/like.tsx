import { useState } from 'react'
import { useMember } from '#account/web/account.tsx'
import { useLater } from '#base/web/later.ts'
import { Sign } from '#base/web/sign.tsx'
import { useWords } from '#base/web/words.tsx'
import { useLike, type Post } from '#like/web/use-like.ts'
import { useSite } from '#setting/web/setting.tsx'
import css from '#like/web/like.module.css'

export { LikedContext } from '#like/web/use-like.ts'

const heart = 'M10 16.6 3.9 10.7a3.9 3.9 0 0 1 5.5-5.5l.6.6.6-.6a3.9 3.9 0 0 1 5.5 5.5Z'

/** A heart to like a post with, and how many do, which opens who. */
export function Likes({ of: post, count }: { of: Post; count: number }) {
  const words = useWords('like')
  const me = useMember()
  const { open } = useSite()
  const [isAsked, ask] = useState(false)
  const { isLiked, difference, press } = useLike(post)
  const likers = useLater(
    () => import('#like/web/likers.tsx'),
    isAsked,
    () => ask(false),
  )
  const shown = Math.max(count + difference, isLiked ? 1 : 0)
  const mayLike = open.likes && me?.userId !== post.authorId
  if (!mayLike && shown === 0) return null
  return (
    <span className={css.likes}>
      {mayLike && (
        <button
          type="button"
          className={`icon ${css.heart}`}
          aria-pressed={isLiked}
          aria-label={words('like')}
          onClick={press}
          data-deed="like"
        >
          <Sign path={heart} size={18} />
        </button>
      )}
      {shown > 0 && (
        <button type="button" className={`plain ${css.count}`} aria-label={words('likes', { count: shown })} onClick={() => ask(true)}>
          {!mayLike && <Sign path={heart} size={18} />}
          {shown}
        </button>
      )}
      {likers && <likers.LikersDialog kind={post.kind} id={post.id} isOpen={isAsked} close={() => ask(false)} />}
    </span>
  )
}
