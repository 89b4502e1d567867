import { useLoaderData } from 'react-router'
import { LogLink } from '#audit/admin/audit.tsx'
import { AddOrEdit, ActionsHead, EditMenu, Manage, SortField, type EditFormProps } from '#base/admin/manage.tsx'
import { plainText } from '#base/plain-text.ts'
import type { Output } from '#base/contract.ts'
import { useAction } from '#base/web/action.ts'
import { Field } from '#base/web/form.tsx'
import { Empty } from '#base/web/states.tsx'
import { useWords } from '#base/web/words.tsx'
import { addLink, editLink, type linkList, type removeLink } from '#link/contract.ts'
import css from '#link/admin/links.module.css'

type Link = Output<typeof linkList>['links'][number]

export function Page() {
  const words = useWords('linkAdmin')
  const { links } = useLoaderData<Output<typeof linkList>>()
  return (
    <Manage<Link>
      title={words('links')}
      summary={words('what')}
      addLabel={words('add')}
      items={links}
      labelOf={({ name }) => name}
      columns={[
        { label: words('name'), text: ({ name }) => name },
        { label: words('url'), text: ({ url }) => url },
        { label: words('sort'), text: ({ sort }) => String(sort) },
      ]}
      form={LinkForm}
    >
      {(visible, edit) => (links.length === 0 ? <Empty>{words('none')}</Empty> : <Table links={visible} edit={edit} />)}
    </Manage>
  )
}

function Table({ links, edit }: { links: readonly Link[]; edit: (link: Link) => void }) {
  const words = useWords('linkAdmin')
  return (
    <table className="list">
      <thead>
        <tr>
          <th>{words('name')}</th>
          <th>{words('url')}</th>
          <th>{words('sort')}</th>
          <ActionsHead />
        </tr>
      </thead>
      <tbody>
        {links.map((link) => (
          <Line key={link.id} link={link} edit={() => edit(link)} />
        ))}
      </tbody>
    </table>
  )
}

function Line({ link: { id, url, sort, ...link }, edit }: { link: Link; edit: () => void }) {
  const words = useWords('linkAdmin')
  const name = plainText(link.name) || words('unnamed')
  const remove = useAction<typeof removeLink>('/admin/link/remove')
  return (
    <tr>
      <td>{name}</td>
      <td className={css.url} data-label={words('url')}>
        <a href={url} target="_blank" rel="noopener">
          {url}
        </a>
      </td>
      <td data-label={words('sort')}>{sort}</td>
      <td>
        <EditMenu name={name} edit={edit} confirmation={words('removeAsk', { name })} remove={() => remove.run({ linkId: id })}>
          <LogLink about={`link ${id}`} />
        </EditMenu>
      </td>
    </tr>
  )
}

function LinkForm({ item: link, onDone }: EditFormProps<Link>) {
  const words = useWords('linkAdmin')
  return (
    <AddOrEdit addEndpoint={addLink} editEndpoint={editLink} editedId={link && { linkId: link.id, version: link.version }} onDone={onDone}>
      <Field name="name" label={words('name')} defaultValue={link?.name} required maxLength={60} data-first />
      <Field name="url" type="url" label={words('url')} help={words('urlHelp')} defaultValue={link?.url} required maxLength={250} />
      <SortField sort={link?.sort} />
    </AddOrEdit>
  )
}
