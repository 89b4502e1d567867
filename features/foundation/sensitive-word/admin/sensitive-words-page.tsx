import { useState } from 'react'
import { useLoaderData, useSearchParams } from 'react-router'
import { FilterChoice } from '#base/admin/filters.tsx'
import type { SelectedRows } from '#base/admin/selection.ts'
import { StaffList, type CellsOf } from '#base/admin/staff-list.tsx'
import { Head } from '#base/admin/head.tsx'
import type { Output } from '#base/contract.ts'
import { confirm } from '#base/web/dialogs.ts'
import { useAction } from '#base/web/action.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { Link } from '#base/web/link.tsx'
import { Time } from '#base/web/time.tsx'
import { useWords, type Translate } from '#base/web/words.tsx'
import { AddWords, ImportWords } from '#sensitive-word/admin/list-forms.tsx'
import { sensitiveWords, type removeSensitiveWords, type sensitiveLists } from '#sensitive-word/contract.ts'

type Lists = Output<typeof sensitiveLists>['lists']
type Data = { page: Output<typeof sensitiveWords>; lists: Lists }
type Word = Data['page']['rows'][number]

export function Page() {
  const words = useWords('sensitiveWordAdmin')
  const { page, lists } = useLoaderData<Data>()
  const [query] = useSearchParams()
  const list = lists.find(({ id }) => id === query.get('listId'))
  return (
    <>
      <Head title={list ? words('wordsOf', { name: list.name }) : words('words')}>
        <Link to="/admin/sensitiveList">{words('lists')}</Link>
        {list && <AddWordsDialog key={list.id} list={list} />}
      </Head>
      <StaffList
        of={sensitiveWords}
        page={page}
        cells={cellsIn(words, lists)}
        called={({ word }) => word}
        bulkActions={removal}
        filterFields={{ listId: <FilterChoice name="listId" label={words('list')} options={lists.map(({ id, name }) => [id, name])} /> }}
      />
    </>
  )
}

/** Adds words to the open list. */
function AddWordsDialog({ list }: { list: Lists[number] }) {
  const words = useWords('sensitiveWordAdmin')
  const [open, setOpen] = useState<'add' | 'import' | null>(null)
  const close = () => setOpen(null)
  return (
    <>
      <button type="button" className="button quiet" onClick={() => setOpen('import')}>
        {words('import')}
      </button>
      <button type="button" className="button" onClick={() => setOpen('add')}>
        {words('addWords')}
      </button>
      <Dialog title={open ? words(`${open}Title`, { name: list.name }) : ''} isOpen={open !== null} close={close}>
        {open === 'add' && <AddWords list={list} onDone={close} />}
        {open === 'import' && <ImportWords list={list} onDone={close} />}
      </Dialog>
    </>
  )
}

function cellsIn(words: Translate, lists: Lists): CellsOf<typeof sensitiveWords> {
  return {
    list: { text: ({ listId }) => lists.find(({ id }) => id === listId)?.name ?? '' },
    lastHitAt: { show: ({ lastHitAt }) => (lastHitAt ? <Time at={lastHitAt} /> : words('never')) },
  }
}

function removal(chosen: SelectedRows<Word>, done: () => void) {
  return <Remove chosen={chosen} onDone={done} />
}

function Remove({ chosen: { count, isLowerBound, which }, onDone }: { chosen: SelectedRows<Word>; onDone: () => void }) {
  const words = useWords('sensitiveWordAdmin')
  const remove = useAction<typeof removeSensitiveWords>('/admin/sensitiveWord/remove')
  async function ask(): Promise<void> {
    if (!(await confirm(words('removeWordsAsk', { count, more: isLowerBound ? 'yes' : 'no' }), words('remove')))) return
    if (await remove.run(which)) onDone()
  }
  return (
    <button type="button" className="button quiet" disabled={remove.isBusy} onClick={() => void ask()}>
      {words('remove')}
    </button>
  )
}
