import { useState } from 'react'
import { useLoaderData } from 'react-router'
import { Unsaved } from '#base/admin/unsaved.tsx'
import type { Output } from '#base/contract.ts'
import { confirm } from '#base/web/ask.ts'
import { useDeed } from '#base/web/deed.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { Field, Form, Submit } from '#base/web/form.tsx'
import { Menu, MenuButton } from '#base/web/menu.tsx'
import { Empty } from '#base/web/states.tsx'
import { useWords } from '#base/web/words.tsx'
import { addLink, editLink, type linkList, type removeLink } from '#link/contract.ts'
import css from '#link/admin/links.module.css'

type Link = Output<typeof linkList>['links'][number]

export function Page() {
  const words = useWords('linkAdmin')
  const { links } = useLoaderData<Output<typeof linkList>>()
  const [open, setOpen] = useState<Link | 'new' | null>(null)
  return (
    <>
      <div className={css.head}>
        <h1>{words('links')}</h1>
        <button type="button" className="button" onClick={() => setOpen('new')}>
          {words('add')}
        </button>
      </div>
      <p className="meta">{words('what')}</p>
      {links.length === 0 && <Empty>{words('none')}</Empty>}
      {links.length > 0 && (
        <table className="list">
          <thead>
            <tr>
              <th>{words('name')}</th>
              <th>{words('url')}</th>
              <th>{words('sort')}</th>
              <th>
                <span className="hidden">{words('deeds')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {links.map((link) => (
              <Line key={link.id} link={link} edit={() => setOpen(link)} />
            ))}
          </tbody>
        </table>
      )}
      <Dialog title={words(open === 'new' ? 'add' : 'edit')} isOpen={open !== null} close={() => setOpen(null)}>
        {open && <LinkForm link={open === 'new' ? null : open} done={() => setOpen(null)} />}
      </Dialog>
    </>
  )
}

function Line({ link: { id, name, url, sort }, edit }: { link: Link; edit: () => void }) {
  const words = useWords('linkAdmin')
  const remove = useDeed<typeof removeLink>('/admin/link/remove')

  async function ask(): Promise<void> {
    if (await confirm(words('removeAsk', { name }), words('remove'))) await remove.go({ linkId: id })
  }

  const deeds = (
    <Menu label={words('deedsFor', { name })}>
      <MenuButton onClick={edit}>{words('edit')}</MenuButton>
      <MenuButton danger onClick={() => void ask()}>
        {words('remove')}
      </MenuButton>
    </Menu>
  )
  return (
    <tr>
      <td>{name}</td>
      <td className={css.url}>
        <a href={url} target="_blank" rel="noopener">
          {url}
        </a>
      </td>
      <td>{sort}</td>
      <td>{deeds}</td>
    </tr>
  )
}

function LinkForm({ link, done }: { link: Link | null; done: () => void }) {
  const words = useWords('linkAdmin')
  const fields = (
    <>
      <Unsaved />
      <Field name="name" label={words('name')} defaultValue={link?.name} required maxLength={60} data-first />
      <Field name="url" type="url" label={words('url')} help={words('urlHelp')} defaultValue={link?.url} required maxLength={250} />
      <Field name="sort" type="number" label={words('sort')} help={words('sortHelp')} defaultValue={link?.sort ?? 0} />
      <Submit>{words('save')}</Submit>
    </>
  )
  if (!link)
    return (
      <Form sends={addLink} then={done}>
        {fields}
      </Form>
    )
  return (
    <Form sends={editLink} along={{ linkId: link.id }} then={done}>
      {fields}
    </Form>
  )
}
