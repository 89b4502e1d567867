import { useLoaderData } from 'react-router'
import { LogLink } from '#audit/admin/audit.tsx'
import type { ShortListColumn } from '#base/admin/filter-tree.ts'
import { AddOrEdit, EditMenu, Manage, SortField, type EditFormProps } from '#base/admin/manage.tsx'
import { plainText } from '#base/plain-text.ts'
import type { Output } from '#base/contract.ts'
import { useAction } from '#base/web/action.ts'
import { Field } from '#base/web/form.tsx'
import { useWords } from '#base/web/words.tsx'
import { addLink, editLink, type linkList, type removeLink } from '#link/contract.ts'

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
      columns={useColumns()}
      form={LinkForm}
      emptyText={words('none')}
      renderActions={(link, edit) => <Actions link={link} edit={edit} />}
    />
  )
}

function useColumns(): ShortListColumn<Link>[] {
  const words = useWords('linkAdmin')
  return [
    { label: words('name'), text: ({ name }) => name, show: ({ name }) => plainText(name) || words('unnamed') },
    { label: words('url'), text: ({ url }) => url, show: ({ url }) => <NewTab url={url} /> },
    { label: words('sort'), text: ({ sort }) => String(sort) },
  ]
}

function NewTab({ url }: { url: string }) {
  return (
    <a href={url} target="_blank" rel="noopener">
      {url}
    </a>
  )
}

function Actions({ link, edit }: { link: Link; edit: () => void }) {
  const words = useWords('linkAdmin')
  const name = plainText(link.name) || words('unnamed')
  const remove = useAction<typeof removeLink>('/admin/link/remove')
  return (
    <EditMenu name={name} edit={edit} confirmation={words('removeAsk', { name })} remove={() => remove.run({ linkId: link.id })}>
      <LogLink about={`link ${link.id}`} />
    </EditMenu>
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
