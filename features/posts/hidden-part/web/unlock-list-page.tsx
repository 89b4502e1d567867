import type { ReactNode } from 'react'
import { useLoaderData } from 'react-router'
import type { Output } from '#base/contract.ts'
import { Segments } from '#base/web/html.tsx'
import { Link } from '#base/web/link.tsx'
import { Pagination } from '#base/web/pagination.tsx'
import { Empty } from '#base/web/states.tsx'
import { Tabs } from '#base/web/tabs.tsx'
import { Time } from '#base/web/time.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import type { myUnlocks, unlocksOfMine } from '#hidden-part/contract.ts'
import { formatCents, lockName } from '#hidden-part/web/hidden-part.tsx'
import { postPath } from '#kind/contract.ts'
import { useSite } from '#setting/web/setting.tsx'
import { Name } from '#user/web/user.tsx'
import css from '#hidden-part/web/unlock-list-page.module.css'

type AuthorUnlocks = Output<typeof unlocksOfMine>
type BuyerUnlocks = Output<typeof myUnlocks>
export type UnlockListData = { ofMine: AuthorUnlocks | null; byMe: BuyerUnlocks | null }

/** The purchases of my parts, and my own unlocks. */
export function Page() {
  const words = useWords('hiddenPart')
  const { ofMine, byMe } = useLoaderData<UnlockListData>()
  return (
    <section className="column">
      <Tabs label={words('unlocks')}>
        <Link to="/user/control/topicUnhideList" aria-current={ofMine ? 'page' : undefined}>
          {words('ofMine')}
        </Link>
        <Link to="/user/control/topicUnhideList?view=unlocked" aria-current={byMe ? 'page' : undefined}>
          {words('byMe')}
        </Link>
      </Tabs>
      {ofMine && <UnlocksOfMine {...ofMine} />}
      {byMe && <MyUnlocks {...byMe} />}
    </section>
  )
}

function UnlocksOfMine({ unlocks, earned, page, pages, total }: AuthorUnlocks) {
  const words = useWords('hiddenPart')
  const amount = useAmount()
  const { allowCash } = useSite()
  const sums = [
    ...(earned.points === '0' ? [] : [amount('points', earned.points)]),
    ...(earned.cents === '0' || !allowCash ? [] : [amount('balance', earned.cents)]),
  ]
  if (unlocks.length === 0) return <Empty>{words('noneOfMine')}</Empty>
  return (
    <>
      {sums.length > 0 && <p className={css.sum}>{words('earnedInAll', { sum: sums.join(words('and')) })}</p>}
      <ol className={css.list}>
        {unlocks.map((unlock) => (
          <li key={`${unlock.partId} ${unlock.at}`}>
            <UnlockFacts unlock={unlock}>{unlock.member ? <Name of={unlock.member} withRoles={false} /> : words('somebody')}</UnlockFacts>
            {hasPrice(unlock.lock, allowCash) && (
              <p className={css.amount}>
                {words('paidAndEarned', { paid: amount(unlock.lock, unlock.paid), earned: amount(unlock.lock, unlock.earned) })}
              </p>
            )}
          </li>
        ))}
      </ol>
      <Pagination page={page} pages={pages} total={total} />
    </>
  )
}

function MyUnlocks({ unlocks, page, pages, total }: BuyerUnlocks) {
  const words = useWords('hiddenPart')
  const { allowCash } = useSite()
  const amount = useAmount()
  if (unlocks.length === 0) return <Empty>{words('noneByMe')}</Empty>
  return (
    <>
      <ol className={css.list}>
        {unlocks.map((unlock) => (
          <li key={`${unlock.partId} ${unlock.at}`}>
            <UnlockFacts unlock={unlock} />
            {hasPrice(unlock.lock, allowCash) && <p className={css.amount}>{words('paid', { paid: amount(unlock.lock, unlock.paid) })}</p>}
            <Content {...unlock} />
          </li>
        ))}
      </ol>
      <Pagination page={page} pages={pages} total={total} />
    </>
  )
}

function Content({ segments, bought, isTakenOut, isGone }: BuyerUnlocks['unlocks'][number]) {
  const words = useWords('hiddenPart')
  if (!segments) return <p className="meta">{words('notShown')}</p>
  return (
    <>
      {(isGone || isTakenOut) && <p className="meta">{words(isGone ? 'gone' : 'takenOut')}</p>}
      <details className={css.whole}>
        <summary>{words('show')}</summary>
        <Segments segments={segments} />
      </details>
      {bought && (
        <details className={css.whole}>
          <summary>{words('showBought')}</summary>
          <Segments segments={bought} />
        </details>
      )}
    </>
  )
}

// A site without balances shows no price in money.
function hasPrice(lock: string, allowCash: boolean): boolean {
  return lock === 'points' || (lock === 'balance' && allowCash)
}

type UnlockFactsProps = { unlock: AuthorUnlocks['unlocks'][number] | BuyerUnlocks['unlocks'][number]; children?: ReactNode }

function UnlockFacts({ unlock: { topic, commentId, partId, lock, at, isRefunded }, children }: UnlockFactsProps) {
  const words = useWords('hiddenPart')
  const { allowCash } = useSite()
  const post = {
    kind: commentId ? 'comment' : 'topic',
    thread: topic.kind,
    id: commentId ?? topic.id,
    topicId: topic.id,
    commentId,
  } as const
  return (
    <>
      <p className={css.title}>{topic.title ? <Link to={`${postPath(post)}#part-${partId}`}>{topic.title}</Link> : words('topicGone')}</p>
      <p className="meta">
        {children} {children && '· '}
        {(lock !== 'balance' || allowCash) && <span className="mark">{lockName(lock, words)}</span>}{' '}
        {isRefunded && <span className="mark">{words('refunded')}</span>} · <Time at={at} />
      </p>
    </>
  )
}

function useAmount(): (lock: string, amount: string) => string {
  const words = useWords('hiddenPart')
  const language = useLanguage()
  return (lock, amount) => (lock === 'balance' ? formatCents(amount, language) : words('points', { amount: Number(amount) }))
}
