import { useState } from 'react'
import { useLoaderData } from 'react-router'
import { LogLink } from '#audit/admin/audit.tsx'
import { Head } from '#base/admin/head.tsx'
import type { Output } from '#base/contract.ts'
import { useApi } from '#base/web/api.ts'
import { confirm } from '#base/web/dialogs.ts'
import { useAction } from '#base/web/action.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { Link } from '#base/web/link.tsx'
import { Menu, MenuButton } from '#base/web/menu.tsx'
import { Empty } from '#base/web/states.tsx'
import { Time } from '#base/web/time.tsx'
import { useWords } from '#base/web/words.tsx'
import { AddWords, ImportWords, ListForm, type List } from '#sensitive-word/admin/list-forms.tsx'
import { TestBox } from '#sensitive-word/admin/test-box.tsx'
import type { exportSensitiveWords, removeSensitiveList, sensitiveLists } from '#sensitive-word/contract.ts'
import css from '#sensitive-word/admin/sensitive-word.module.css'

type OpenDialog = { does: 'new' } | { does: 'edit' | 'add' | 'import'; list: List }

export function Page() {
  const words = useWords('sensitiveWordAdmin')
  const { lists } = useLoaderData<Output<typeof sensitiveLists>>()
  const [open, setOpen] = useState<OpenDialog | null>(null)
  const close = () => setOpen(null)
  const begin = (
    <button type="button" className="button" onClick={() => setOpen({ does: 'new' })}>
      {words('addList')}
    </button>
  )
  return (
    <>
      <Head title={words('lists')}>{lists.length > 0 && begin}</Head>
      <p className="meta">{words('listsWhat')}</p>
      {lists.length === 0 ? <Empty action={begin}>{words('noLists')}</Empty> : <Lists lists={lists} open={setOpen} />}
      <TestBox />
      <Dialog
        title={open ? words(`${open.does}Title`, { name: open.does === 'new' ? '' : open.list.name }) : ''}
        isOpen={open !== null}
        close={close}
      >
        {open?.does === 'new' && <ListForm list={null} onDone={close} />}
        {open?.does === 'edit' && <ListForm list={open.list} onDone={close} />}
        {open?.does === 'add' && <AddWords list={open.list} onDone={close} />}
        {open?.does === 'import' && <ImportWords list={open.list} onDone={close} />}
      </Dialog>
    </>
  )
}

function Lists({ lists, open }: { lists: readonly List[]; open: (open: OpenDialog) => void }) {
  const words = useWords('sensitiveWordAdmin')
  return (
    <div className={css.wide}>
      <table className="list">
        <thead>
          <tr>
            <th>{words('name')}</th>
            <th>{words('action')}</th>
            <th>{words('wordCount')}</th>
            <th>{words('hits')}</th>
            <th>{words('changed')}</th>
            <th>
              <span className="hidden">{words('actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {lists.map((list) => (
            <tr key={list.id}>
              <td>
                <Link to={`/admin/sensitiveWord?listId=${list.id}`}>{list.name}</Link>{' '}
                {!list.isEnabled && <span className="mark">{words('off')}</span>}
              </td>
              <td>{words(list.action)}</td>
              <td>{list.wordCount}</td>
              <td>{list.hits}</td>
              <td>
                <Time at={list.changedAt} /> {list.changedBy}
              </td>
              <td className={css.actions}>
                <Actions list={list} open={open} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Actions({ list, open }: { list: List; open: (open: OpenDialog) => void }) {
  const words = useWords('sensitiveWordAdmin')
  const api = useApi()
  const { id: listId, name, wordCount } = list
  const remove = useAction<typeof removeSensitiveList>('/admin/sensitiveList/remove')

  async function ask(): Promise<void> {
    if (await confirm(words('removeAsk', { name, count: wordCount }), words('remove'))) await remove.run({ listId })
  }
  async function bring(): Promise<void> {
    const { text } = await api.read<typeof exportSensitiveWords>('/admin/sensitiveWord/export', { listId })
    const link = document.createElement('a')
    link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
    link.download = `${name}.txt`
    link.click()
    URL.revokeObjectURL(link.href)
  }
  return (
    <Menu label={words('actionsFor', { name })}>
      <MenuButton onClick={() => open({ does: 'edit', list })}>{words('edit')}</MenuButton>
      <MenuButton onClick={() => open({ does: 'add', list })}>{words('addWords')}</MenuButton>
      <MenuButton onClick={() => open({ does: 'import', list })}>{words('import')}</MenuButton>
      <MenuButton onClick={() => void bring()}>{words('export')}</MenuButton>
      <LogLink about={`sensitiveList ${listId}`} />
      <MenuButton danger onClick={() => void ask()}>
        {words('remove')}
      </MenuButton>
    </Menu>
  )
}
