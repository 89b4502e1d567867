import { useLoaderData } from 'react-router'
import { FilterChoice, FilterDay, Filters } from '#base/admin/filters.tsx'
import { FilterPerson } from '#base/admin/filter-person.tsx'
import { List, type Column } from '#base/admin/list.tsx'
import type { Output } from '#base/contract.ts'
import { Link } from '#base/web/link.tsx'
import { useWords, type Translate } from '#base/web/words.tsx'
import { useSite } from '#setting/web/setting.tsx'
import { noteTransactionExport, transactions, type TransactionRow } from '#wallet/adjust-contract.ts'
import { ActorName, People, Sums } from '#wallet/admin/cells.tsx'
import { currencies, entryKinds } from '#wallet/contract.ts'
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
      <List
        of={transactions}
        exporting={noteTransactionExport}
        page={page}
        columns={columnsIn(words, ofAll)}
        filters={
          <Filters>
            <FilterChoice
              name="kind"
              label={ofAll('kind')}
              any={ofAll('anyKind')}
              options={entryKinds.map((kind) => [kind, ofAll(kindKey(kind))])}
            />
            {allowCash && (
              <FilterChoice
                name="currency"
                label={words('currency')}
                any={words('anyCurrency')}
                options={currencies.map((one) => [one, words(one)])}
              />
            )}
            <FilterPerson name="member" label={words('member')} members={page.rows.flatMap(({ members }) => members)} />
            <FilterDay name="since" label={words('since')} edge="start" />
            <FilterDay name="until" label={words('until')} edge="end" />
          </Filters>
        }
      />
    </>
  )
}

function columnsIn(words: Translate, ofAll: Translate): Column<TransactionRow>[] {
  return [
    {
      name: 'id',
      label: words('number'),
      show: ({ id }) => <Link to={`/admin/wallet/transaction?transactionId=${id}`}>{id}</Link>,
      text: ({ id }) => id,
    },
    { name: 'at', label: words('at'), time: ({ at }) => at },
    {
      name: 'kind',
      label: ofAll('kind'),
      show: (row) => (
        <>
          {ofAll(kindKey(row.kind))} {row.reversedBy && <span className="mark">{words('isReversed')}</span>}
        </>
      ),
      text: ({ kind }) => ofAll(kindKey(kind)),
    },
    {
      name: 'amount',
      label: words('amount'),
      show: (row) => <Sums row={row} />,
      text: ({ sums }) => sums.map(({ currency, amount }) => `${amount} ${words(currency)}`).join(', '),
    },
    {
      name: 'members',
      label: words('members'),
      show: ({ members }) => <People members={members} />,
      text: ({ members }) => members.map(({ name }) => name).join(', '),
    },
    { name: 'by', label: words('by'), show: (row) => <ActorName row={row} />, text: ({ actor }) => actor.name ?? words(actor.kind) },
    { name: 'reason', label: words('reason'), text: ({ reason }) => reason },
    { name: 'source', label: words('source'), show: ({ source }) => <code>{source}</code>, text: ({ source }) => source, isExtra: true },
  ]
}
