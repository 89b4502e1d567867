import type { ReactNode } from 'react'
import { useLanguage, useWords } from '#base/web/words.tsx'
import type { PersonView } from '#user/contract.ts'
import { Avatar, Joined, Name } from '#user/web/user.tsx'
import { WrittenCounts } from '#user/web/written-counts.tsx'
import css from '#apps/web/person-card.module.css'

type Props = { person: Pick<PersonView, 'user' | 'level' | 'joinedAt' | 'counts'>; /** The actions on the member. */ children: ReactNode }

/** The short profile of a member. */
export function PersonCard({ person: { user, level, joinedAt, counts }, children }: Props) {
  const words = useWords('user')
  const language = useLanguage()
  return (
    <>
      <Avatar of={user} size={64} />
      <div className={css.who}>
        <Name of={user} />
        <p>
          {words('level', { rank: level.rank, name: level.name[language] })}
          <br />
          <Joined at={joinedAt} />
        </p>
      </div>
      {children && <div className={css.follow}>{children}</div>}
      {counts && <WrittenCounts counts={counts} userId={user.id} className={css.counts} />}
    </>
  )
}
