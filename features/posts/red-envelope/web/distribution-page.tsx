import { useLoaderData } from 'react-router'
import type { Output } from '#base/contract.ts'
import { Link } from '#base/web/link.tsx'
import { Pagination } from '#base/web/pagination.tsx'
import { useWords } from '#base/web/words.tsx'
import type { distribution } from '#red-envelope/list-contract.ts'
import { GivenEnvelope } from '#red-envelope/web/given-envelope.tsx'
import { Shares } from '#red-envelope/web/openers.tsx'
import css from '#red-envelope/web/lists.module.css'

export function Page() {
  const words = useWords('redEnvelope')
  const { envelope, shares, page, pages, total } = useLoaderData<Output<typeof distribution>>()
  return (
    <section className="column">
      <div className={css.one}>
        <GivenEnvelope of={envelope} />
      </div>
      <h2>{words('openers')}</h2>
      {total === 0 ? <p className="meta">{words('nobodyYet')}</p> : <Shares shares={shares} currency={envelope.currency} />}
      <Pagination page={page} pages={pages} total={total} />
      <p>
        <Link to="/user/control/giveRedEnvelopeList">{words('backToGiven')}</Link>
      </p>
    </section>
  )
}
