import type { ThreadData } from '#apps/web/screens/thread.data.ts'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { Follow } from '#follow/web/follow.tsx'
import { WriteTo } from '#message/web/message.tsx'
import { Avatar, Joined, Name } from '#user/web/user.tsx'
import { WrittenCounts } from '#user/web/written-counts.tsx'
import css from '#apps/web/author-card.module.css'

/** Who wrote the topic: as much of them as one wants to know beside it. */
export function AuthorCard({ author, isFollowed }: { author: ThreadData['author']; isFollowed: boolean | null }) {
  const words = useWords('user')
  const language = useLanguage()
  const { user, level, joinedAt, counts } = author
  return (
    <section className={css.card}>
      <Avatar of={user} size={64} />
      <div className={css.who}>
        <Name of={user} />
        <p>
          {words('level', { rank: level.rank, name: level.name[language] })}
          <br />
          <Joined at={joinedAt} />
        </p>
      </div>
      {!user.isDeactivated && (
        <div className={css.follow}>
          <Follow key={user.id} of="member" id={user.id} isFollowed={isFollowed} name={user.name} />
          <WriteTo of={user} />
        </div>
      )}
      {counts && <WrittenCounts counts={counts} userId={user.id} className={css.counts} />}
    </section>
  )
}
