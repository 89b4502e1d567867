import { Time } from '#base/web/time.tsx'
import { useWords } from '#base/web/words.tsx'
import type { Output } from '#base/contract.ts'
import type { likers } from '#like/contract.ts'
import { Avatar, Name } from '#user/web/user.tsx'
import css from '#like/web/liker-list.module.css'

export function LikerList({ members }: { members: Output<typeof likers>['members'] }) {
  const words = useWords('like')
  if (members.length === 0) return <p className="meta">{words('nobody')}</p>
  return (
    <ol className={css.list}>
      {members.map(({ member, at }) => (
        <li key={member.id}>
          <Avatar of={member} size={32} />
          <Name of={member} />
          <Time at={at} />
        </li>
      ))}
    </ol>
  )
}
