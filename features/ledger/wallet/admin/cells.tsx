import { Fragment } from 'react'
import { Link } from '#base/web/link.tsx'
import { useWords } from '#base/web/words.tsx'
import type { TransactionRow } from '#wallet/adjust-contract.ts'
import { Amount } from '#wallet/web/wallet.tsx'

export function Sums({ row: { sums }, isMove = false }: { row: Pick<TransactionRow, 'sums'>; isMove?: boolean }) {
  const words = useWords('walletAdmin')
  return sums.map(({ currency, amount }, place) => (
    <Fragment key={currency}>
      {place > 0 && ', '}
      <Amount of={amount} currency={currency} isMove={isMove} />
      {currency === 'points' && ` ${words('points')}`}
    </Fragment>
  ))
}

export function People({ members }: { members: TransactionRow['members'] }) {
  return members.map(({ id, name }, place) => (
    <Fragment key={id}>
      {place > 0 && ', '}
      <Link to={`/admin/wallet/member?memberId=${id}`}>{name}</Link>
    </Fragment>
  ))
}

export function ActorName({ row: { actor } }: { row: Pick<TransactionRow, 'actor'> }) {
  const words = useWords('walletAdmin')
  if (actor.kind === 'member' && actor.id) return <Link to={`/admin/wallet/member?memberId=${actor.id}`}>{actor.name ?? actor.id}</Link>
  return actor.name ?? words(actor.kind)
}
