import { useLoaderData } from 'react-router'
import { FilterChoice, Filters, FilterText } from '#base/admin/filters.tsx'
import { List, type Column } from '#base/admin/list.tsx'
import { Head } from '#base/admin/head.tsx'
import type { Output } from '#base/contract.ts'
import { confirm } from '#base/web/ask.ts'
import { useDeed } from '#base/web/deed.ts'
import { Link } from '#base/web/link.tsx'
import { Time } from '#base/web/time.tsx'
import { useWords, type Say } from '#base/web/words.tsx'
import { sensitiveWords, type removeSensitiveWords, type sensitiveLists } from '#sensitive-word/contract.ts'

type Lists = Output<typeof sensitiveLists>['lists']
type Data = { page: Output<typeof sensitiveWords>; lists: Lists }
type Word = Data['page']['rows'][number]

export function Page() {
  const words = useWords('sensitiveWordAdmin')
  const { page, lists } = useLoaderData<Data>()
  return (
    <>
      <Head title={words('words')}>
        <Link to="/admin/sensitiveList">{words('lists')}</Link>
      </Head>
      <List
        of={sensitiveWords}
        page={page}
        columns={columnsIn(words, lists)}
        called={({ word }) => word}
        batch={removal}
        filters={
          <Filters>
            <FilterChoice name="listId" label={words('list')}>
              <option value="">{words('all')}</option>
              {lists.map((list) => (
                <option key={list.id} value={list.id}>
                  {list.name}
                </option>
              ))}
            </FilterChoice>
            <FilterText name="word" label={words('begins')} />
          </Filters>
        }
      />
    </>
  )
}

function columnsIn(words: Say, lists: Lists): Column<Word>[] {
  const listOf = ({ listId }: Word) => lists.find(({ id }) => id === listId)?.name ?? ''
  return [
    { name: 'word', label: words('word'), show: ({ word }) => word, text: ({ word }) => word },
    { name: 'list', label: words('list'), show: listOf, text: listOf },
    { name: 'hits', label: words('hits'), show: ({ hits }) => hits, text: ({ hits }) => String(hits) },
    {
      name: 'lastHitAt',
      label: words('lastHit'),
      show: ({ lastHitAt }) => (lastHitAt ? <Time at={lastHitAt} /> : words('never')),
      text: ({ lastHitAt }) => lastHitAt ?? '',
    },
  ]
}

function removal(wordIds: readonly string[], done: () => void) {
  return <Remove wordIds={wordIds} done={done} />
}

function Remove({ wordIds, done }: { wordIds: readonly string[]; done: () => void }) {
  const words = useWords('sensitiveWordAdmin')
  const remove = useDeed<typeof removeSensitiveWords>('/admin/sensitiveWord/remove')
  async function ask(): Promise<void> {
    if (!(await confirm(words('removeWordsAsk', { count: wordIds.length }), words('remove')))) return
    if (await remove.go({ wordIds: [...wordIds] })) done()
  }
  return (
    <button type="button" className="button quiet" disabled={remove.isBusy} onClick={() => void ask()}>
      {words('remove')}
    </button>
  )
}
