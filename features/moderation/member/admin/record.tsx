import { Fragment } from 'react'
import { Link } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'
import { Fact } from '#member/admin/fact.tsx'
import { mayDo, type StaffRight } from '#staff/admin/staff.tsx'
import type { Member } from '#member/contract.ts'
import css from '#member/admin/member.module.css'
import { kinds } from '#kind/contract.ts'

/** The moderation record of a member: counts, linked for staff who may follow. */
export function Record({ member }: { member: Member }) {
  const words = useWords('memberAdmin')
  const { id, account, record } = member
  const { reportsMade, reportsUpheld, reported, reportedUpheld, reviewed, rejected, actions } = record
  return (
    <>
      <p className="meta">{words('recordWhat')}</p>
      <dl className={css.facts}>
        <Fact name={words('reportsMade')}>
          <RecordLink right="report.view" to={`/admin/report?state=all&reporter=${encodeURIComponent(account)}`}>
            {words('upheldOf', { count: reportsMade, upheld: reportsUpheld })}
          </RecordLink>
        </Fact>
        <Fact name={words('reportsReceived')}>
          <RecordLink right="report.view" to={`/admin/report?state=all&author=${encodeURIComponent(account)}`}>
            {words('upheldOf', { count: reported, upheld: reportedUpheld })}
          </RecordLink>
        </Fact>
        <Fact name={words('reviewed')}>
          <RecordLink right="content.review" to={`/admin/review/decided?author=${id}`}>
            {words('rejectedOf', { count: reviewed, rejected })}
          </RecordLink>
        </Fact>
        <Fact name={words('removedPosts')}>
          <Removed member={member} />
        </Fact>
        <Fact name={words('actionsOnThem')}>
          <RecordLink right="audit.view" to={`/admin/audit?about=${encodeURIComponent(`member ${id}`)}`}>
            {words('times', { count: actions })}
          </RecordLink>
        </Fact>
      </dl>
    </>
  )
}

function Removed({ member: { id, record } }: { member: Member }) {
  const words = useWords('memberAdmin')
  const { topicsRemoved, commentsRemoved, repliesRemoved } = record
  const counts = { topic: topicsRemoved, comment: commentsRemoved, reply: repliesRemoved }
  return kinds.map((kind, place) => (
    <Fragment key={kind}>
      {place > 0 && ' · '}
      <RecordLink right="content.view" to={`/admin/${kind}?author=${id}&state=deletedByStaff`}>
        {words(`${kind}Removed`, { count: counts[kind] })}
      </RecordLink>
    </Fragment>
  ))
}

function RecordLink({ right, to, children }: { right: StaffRight; to: string; children: string }) {
  return mayDo(right) ? <Link to={to}>{children}</Link> : children
}
