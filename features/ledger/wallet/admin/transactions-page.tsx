import { useLoaderData } from 'react-router'
import { FilterChoice } from '#base/admin/filters.tsx'
import { StaffList, type CellsOf } from '#base/admin/staff-list.tsx'
import type { Output } from '#base/contract.ts'
import { Link } from '#base/web/link.tsx'
import { useWords, type Translate } from '#base/web/words.tsx'
import { useSite } from '#setting/web/setting.tsx'
import { noteTransactionExport, transactions } from '#wallet/adjust-contract.ts'
import { ActorName, People, Sums } from '#wallet/admin/cells.tsx'
import { entryKinds } from '#wallet/contract.ts'
import { kindKey } from '#wallet/web/log.tsx'

export function Page() {
  const words = useWords('walletAdmin')
  const ofAll = useWords('wallet')
  const { allowCash } = useSite()
  const page = useLoaderData<Output<typeof transactions>>()
  return (
    <>
      <h1>{words('transactions')}</h1>
      <p className="meta">{words('transactionsWhat')}</p>
      <StaffList
        of={transactions}
        page={page}
        cells={transactionCells(words, ofAll)}
        filterFields={{ number: false, kind: <KindFilter />, ...(!allowCash && { currency: false }) }}
        people={page.rows.flatMap(({ members }) => members)}
        exporting={noteTransactionExport}
      />
    </>
  )
}

function KindFilter() {
  const ofAll = useWords('wallet')
  return <FilterChoice name="kind" label={ofAll('kind')} options={entryKinds.map((kind) => [kind, ofAll(kindKey(kind))])} />
}

function transactionCells(words: Translate, ofAll: Translate): CellsOf<typeof transactions> {
  return {
    id: { show: ({ id }) => <Link to={`/admin/wallet/transaction?transactionId=${id}`}>{id}</Link> },
    kind: {
      show: (row) => (
        <>
          {ofAll(kindKey(row.kind))} {row.reversedBy && <span className="mark">{words('isReversed')}</span>}
        </>
      ),
      text: ({ kind }) => ofAll(kindKey(kind)),
    },
    sums: {
      show: (row) => <Sums row={row} />,
      text: ({ sums }) => sums.map(({ currency, amount }) => `${amount} ${words(currency)}`).join(', '),
    },
    members: { show: ({ members }) => <People members={members} />, text: ({ members }) => members.map(({ name }) => name).join(', ') },
    actor: { show: (row) => <ActorName row={row} />, text: ({ actor }) => actor.name ?? words(actor.kind) },
    source: { show: ({ source }) => <code>{source}</code> },
  }
}
