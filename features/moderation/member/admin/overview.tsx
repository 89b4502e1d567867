import { isolate } from '#base/direction.ts'
import { joinNames } from '#base/language.ts'
import { Link } from '#base/web/link.tsx'
import { Place } from '#base/web/places.tsx'
import { Time } from '#base/web/time.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { Fact } from '#member/admin/fact.tsx'
import { RealName } from '#member/admin/real-name.tsx'
import { StateMark } from '#member/admin/state-mark.tsx'
import type { Member } from '#member/contract.ts'
import css from '#member/admin/member.module.css'

export function Overview({ member }: { member: Member }) {
  const words = useWords('memberAdmin')
  const language = useLanguage()
  const { topics, comments, replies, files, freed, formerNames, told } = member
  return (
    <>
      <dl className={css.facts}>
        <Fact name={words('account')}>{member.account}</Fact>
        {member.nickname && <Fact name={words('nickname')}>{member.nickname}</Fact>}
        {formerNames.length > 0 && <Fact name={words('formerNames')}>{formerNames.map(({ name }) => isolate(name)).join(' · ')}</Fact>}
        {freed && <Fact name={words('freed')}>{[freed.account, freed.nickname].filter(Boolean).join(' · ')}</Fact>}
        {member.mergedInto && (
          <Fact name={words('mergedInto')}>
            <Link to={`/admin/member/view?memberId=${member.mergedInto}`}>{member.mergedInto}</Link>
          </Fact>
        )}
        <Fact name={words('joined')}>
          <Time at={member.joinedAt} />
        </Fact>
        <Fact name={words('seen')}>
          <Time at={member.lastSeenAt} />
        </Fact>
        <Fact name={words('wrote')}>
          <Link to={`/admin/topic?author=${member.id}`}>{words('topicCount', { count: topics })}</Link>
          {' · '}
          <Link to={`/admin/comment?author=${member.id}`}>{words('commentCount', { count: comments })}</Link>
          {' · '}
          <Link to={`/admin/reply?author=${member.id}`}>{words('replyCount', { count: replies })}</Link>
        </Fact>
        <Fact name={words('files')}>{files}</Fact>
        {told.map(({ name, said }) => (
          <Fact key={name.en} name={name[language]}>
            {joinNames(
              language,
              said.map((one) => isolate(one[language])),
            )}
          </Fact>
        ))}
      </dl>
      <p>
        <a href={`/user/control/home?userId=${member.id}`}>{words('onForum')}</a>
      </p>
      <RealName key={member.id} member={member} />
      <Place name="member.page" member={member} />
      <Neighbours member={member} />
    </>
  )
}

function Neighbours({ member: { neighbours } }: { member: Member }) {
  const words = useWords('memberAdmin')
  if (neighbours.length === 0) return null
  return (
    <>
      <h2>{words('neighbours')}</h2>
      <ul className={css.rows}>
        {neighbours.map((one) => (
          <li key={one.id}>
            <Link to={`/admin/member/view?memberId=${one.id}`}>{one.nickname ?? one.account}</Link>
            <span className="meta">
              <StateMark state={one.state} /> <Time at={one.joinedAt} />
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}
