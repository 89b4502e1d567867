import { useLoaderData } from 'react-router'
import type { Output } from '#base/contract.ts'
import { useAction } from '#base/web/action.ts'
import { Link } from '#base/web/link.tsx'
import { Quote } from '#base/web/quote.tsx'
import { useShortcuts } from '#base/web/shortcuts.ts'
import { Time } from '#base/web/time.tsx'
import { useWords } from '#base/web/words.tsx'
import { Decision } from '#report/admin/decision.tsx'
import { PostContext, MemberLink, Post } from '#report/admin/post-view.tsx'
import { Reports } from '#report/admin/reports.tsx'
import { TakeBack } from '#report/admin/take-back.tsx'
import { TakenBack } from '#report/admin/taken-back.tsx'
import { QueueBar } from '#report/admin/queue-bar.tsx'
import { reports, useQueueNavigation, type OpenedCase } from '#report/admin/queue-navigation.ts'
import type { caseView, claimCase, releaseCase } from '#report/staff-contract.ts'
import { mayDo } from '#staff/admin/staff.tsx'
import { usePostTitle } from '#kind/web/kind.tsx'
import css from '#report/admin/report.module.css'

type Case = Output<typeof caseView>

export function Page() {
  const words = useWords('reportAdmin')
  const title = usePostTitle()
  const { found } = useLoaderData<OpenedCase>()
  const walk = useQueueNavigation(reports)
  const { thing, author, now } = found
  return (
    <>
      <QueueBar key={found.id} walk={walk} decides={found.outcome === null && found.mayDecide && mayDo('report.decide')} />
      <div className={css.head}>
        <h1>
          <span className="mark">{title(thing)}</span> <bdi>{now.title || thing.title || words('erased')}</bdi>
        </h1>
        {found.outcome === null && found.mayDecide && <ClaimNotice found={found} />}
      </div>
      <p className="meta">
        {words('since')} <Time at={found.openedAt} /> · {words('byMany', { count: found.reports })} · <MemberLink of={author} />:{' '}
        {words('authorRecord', found.authorRecord)}
      </p>
      <div className={css.both}>
        <div>
          <PostContext around={found.context} thread={thing.thread} />
          <PostState found={found} />
          <Post thing={thing} author={author} segments={now.segments} publishedAt={now.publishedAt} />
        </div>
        <div>
          <Reports found={found} />
          <TakenBack all={found.takenBack} to="result" />
          {found.outcome === null ? <DecisionSection found={found} onward={walk.onward} /> : <DecisionResult found={found} />}
        </div>
      </div>
    </>
  )
}

function DecisionSection({ found, onward }: { found: Case; onward: () => void | Promise<void> }) {
  const words = useWords('reportAdmin')
  if (!mayDo('report.decide')) return null
  return found.mayDecide ? <Decision key={found.id} found={found} onward={onward} /> : <p className="note">{words('ownCase')}</p>
}

/** The state of the post, beside its text. */
function PostState({ found: { now, openedAt, thing } }: { found: Case }) {
  const words = useWords('reportAdmin')
  const isEdited = now.editedAt !== null && now.editedAt > openedAt
  return (
    <>
      {now.status === 'deleted' && <p className="note">{words(now.deletedBy === 'author' ? 'goneByAuthor' : 'goneByStaff')}</p>}
      {now.title !== '' && now.title !== thing.title && (
        <p className="note">
          {words('titledThen')} <q>{thing.title}</q>
        </p>
      )}
      {isEdited && (
        <p className="note">
          {words('editedSince')} <q>{thing.excerpt}</q>
        </p>
      )}
    </>
  )
}

function ClaimNotice({ found: { id, claim } }: { found: Case }) {
  const words = useWords('reportAdmin')
  const take = useAction<typeof claimCase>('/admin/report/claim')
  const give = useAction<typeof releaseCase>('/admin/report/release')
  useShortcuts('reportAdmin.report', [
    { keys: 'c', label: 'reportAdmin.take', run: () => void (!claim && mayDo('report.decide') && take.run({ caseId: id })) },
  ])
  if (!mayDo('report.decide')) return null
  if (claim && !claim.isMine) return <p className="note">{words('heldBy', { account: claim.account })}</p>
  if (!claim)
    return (
      <button type="button" className="button quiet" disabled={take.isBusy} onClick={() => void take.run({ caseId: id })}>
        {words('take')}
      </button>
    )
  return (
    <p className={css.claim}>
      {words('heldByMe')}
      <button type="button" className="plain" disabled={give.isBusy} onClick={() => void give.run({ caseId: id })}>
        {words('giveBack')}
      </button>
    </p>
  )
}

function DecisionResult({ found }: { found: Case }) {
  const { outcome, result, remark, decidedBy, decidedAt, removalId, isAppealDecided, canTakeBack, now } = found
  const words = useWords('reportAdmin')
  return (
    <section aria-labelledby="decision">
      <h2 id="decision">{words('decision')}</h2>
      <p>
        <strong>{words(outcome ?? 'pending')}</strong> · {decidedBy} {decidedAt && <Time at={decidedAt} />}
      </p>
      {removalId && <p>{words(now.status === 'deleted' ? 'wasRemoved' : 'wasRemovedIsBack')}</p>}
      <Quote by={words('result')}>{result}</Quote>
      <Quote by={words('remark')}>{remark}</Quote>
      {removalId && isAppealDecided && mayDo('report.decide') && (
        <p className="note">
          {words('appealFirst')} <Link to={`/admin/appeal/view?removalId=${removalId}&state=all`}>{words('toAppeal')}</Link>
        </p>
      )}
      {canTakeBack && (
        <TakeBack decision={{ caseId: found.id, version: found.version }} what={removalId ? 'takeBackRemoval' : 'takeBackCase'} />
      )}
    </section>
  )
}
