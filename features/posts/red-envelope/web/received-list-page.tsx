import { useLoaderData, useRevalidator } from 'react-router'
import type { Output } from '#base/contract.ts'
import { Pagination } from '#base/web/pagination.tsx'
import { Empty } from '#base/web/states.tsx'
import { Time } from '#base/web/time.tsx'
import { useWords } from '#base/web/words.tsx'
import type { EnvelopeView } from '#red-envelope/contract.ts'
import type { receivedEnvelopes } from '#red-envelope/list-contract.ts'
import { useAmount } from '#red-envelope/web/amount.ts'
import { LiveEnvelope } from '#red-envelope/web/live-envelope.tsx'
import { PlaceFact, Sum } from '#red-envelope/web/given-envelope.tsx'
import { Luckiest } from '#red-envelope/web/openers.tsx'
import { Avatar, Name } from '#user/web/user.tsx'
import css from '#red-envelope/web/lists.module.css'

export type ReceivedData = { list: Output<typeof receivedEnvelopes>; /** The envelope that a notice links to. */ one: EnvelopeView | null }

export function Page() {
  const words = useWords('redEnvelope')
  const { list, one } = useLoaderData<ReceivedData>()
  const { revalidate } = useRevalidator()
  const { shares, received, page, pages, total } = list
  return (
    <section className="column">
      {one && <LiveEnvelope key={one.id} of={{ envelopeId: one.id }} first={one} changed={() => void revalidate()} />}
      {total === 0 ? (
        !one && <Empty>{words('noReceived')}</Empty>
      ) : (
        <>
          <div className={css.sums}>
            <Sum name={words('receivedSum')} of={received} />
          </div>
          <ol className={css.list}>
            {shares.map((share) => (
              <Share key={share.envelopeId} of={share} />
            ))}
          </ol>
        </>
      )}
      <Pagination page={page} pages={pages} total={total} />
    </section>
  )
}

const kindWords = { random: 'kindRandom', fixed: 'kindFixed', targeted: 'forYou' } as const

function Share({ of }: { of: ReceivedData['list']['shares'][number] }) {
  const words = useWords('redEnvelope')
  const amountOf = useAmount()
  const { giver, kind, currency, amount, at, isBest, topic, message } = of
  return (
    <li>
      <p className={css.title}>
        {giver && <Avatar of={giver} size={24} />}
        {giver ? <Name of={giver} withRoles={false} /> : words('somebodyGone')}
        <strong>{amountOf(amount, currency)}</strong>
        {isBest && <Luckiest />}
        <span className="meta">
          {words(kindWords[kind])} · <Time at={at} />
        </span>
      </p>
      {(topic ?? message) && (
        <dl>
          <PlaceFact of={of} />
        </dl>
      )}
    </li>
  )
}
