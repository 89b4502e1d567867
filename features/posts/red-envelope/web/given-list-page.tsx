import { useLoaderData } from 'react-router'
import type { Output } from '#base/contract.ts'
import { Link } from '#base/web/link.tsx'
import { Pagination } from '#base/web/pagination.tsx'
import { Empty } from '#base/web/states.tsx'
import { useWords } from '#base/web/words.tsx'
import type { givenEnvelopes } from '#red-envelope/list-contract.ts'
import { GivenEnvelope, Sum } from '#red-envelope/web/given-envelope.tsx'
import css from '#red-envelope/web/lists.module.css'

export function Page() {
  const words = useWords('redEnvelope')
  const { envelopes, given, returned, page, pages, total } = useLoaderData<Output<typeof givenEnvelopes>>()
  if (total === 0) return <Empty>{words('noGiven')}</Empty>
  return (
    <section className="column">
      <div className={css.sums}>
        <Sum name={words('givenSum')} of={given} />
        <Sum name={words('returnedSum')} of={returned} />
      </div>
      <ol className={css.list}>
        {envelopes.map((envelope) => (
          <li key={envelope.id}>
            <GivenEnvelope of={envelope}>
              {envelope.taken > 0 && (
                <Link to={`/user/control/redEnvelopeAmountDistributionList?envelopeId=${envelope.id}`}>{words('openers')}</Link>
              )}
            </GivenEnvelope>
          </li>
        ))}
      </ol>
      <Pagination page={page} pages={pages} total={total} />
    </section>
  )
}
