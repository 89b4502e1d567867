import type { ThreadData } from '#apps/web/screens/thread.data.ts'
import { PersonCard } from '#apps/web/person-card.tsx'
import { Follow } from '#follow/web/follow.tsx'
import { WriteTo } from '#message/web/message.tsx'
import css from '#apps/web/person-card.module.css'

/** The author of the topic. */
export function AuthorCard({ author, isFollowed }: { author: ThreadData['author']; isFollowed: boolean | null }) {
  const { user } = author
  return (
    <section className={css.card}>
      <PersonCard person={author}>
        {!user.isDeactivated && (
          <>
            <Follow key={user.id} of="member" id={user.id} isFollowed={isFollowed} name={user.name} />
            <WriteTo of={user} />
          </>
        )}
      </PersonCard>
    </section>
  )
}
