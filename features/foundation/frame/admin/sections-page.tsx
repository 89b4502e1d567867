import { useLoaderData } from 'react-router'
import { LogLink } from '#audit/admin/audit.tsx'
import { AddOrEdit, EditMenu, Manage, NameFields, SortField, type EditFormProps } from '#base/admin/manage.tsx'
import { nameColumn, type ShortListColumn } from '#base/admin/filter-tree.ts'
import { ParentField } from '#base/admin/tree.tsx'
import type { Output } from '#base/contract.ts'
import { useAction } from '#base/web/action.ts'
import { SelectField, Field } from '#base/web/form.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { addSection, audiences, editSection, type removeSection, type sectionList } from '#frame/contract.ts'
import css from '#frame/admin/frame.module.css'

type Data = Output<typeof sectionList>
type Section = Data['sections'][number]

/** The navigation in the header of every page. */
export function Page() {
  const words = useWords('frameAdmin')
  const language = useLanguage()
  const { sections } = useLoaderData<Data>()
  return (
    <Manage<Section>
      title={words('sections')}
      summary={words('sectionsWhat')}
      addLabel={words('addSection')}
      items={sections}
      labelOf={({ name }) => name[language]}
      columns={useColumns()}
      form={SectionForm}
      emptyText={words('noSections')}
      renderActions={(section, edit) => <Actions section={section} edit={edit} />}
    />
  )
}

function useColumns(): ShortListColumn<Section>[] {
  const words = useWords('frameAdmin')
  return [
    nameColumn(words('name'), { show: (section) => <SectionName section={section} /> }),
    { label: words('url'), text: ({ url }) => url, show: ({ url }) => <SectionUrl url={url} /> },
    { label: words('audience'), text: ({ audience }) => words(audience) },
    { label: words('order'), show: ({ sort }) => sort },
  ]
}

function SectionName({ section: { parentId, name } }: { section: Section }) {
  const language = useLanguage()
  return (
    <div className={parentId === null ? undefined : css.under}>
      <bdi>{name[language]}</bdi> <span className="meta">{name[language === 'zh' ? 'en' : 'zh']}</span>
    </div>
  )
}

function SectionUrl({ url }: { url: string }) {
  const words = useWords('frameAdmin')
  return <div className={css.url}>{url || <span className="meta">{words('noUrl')}</span>}</div>
}

function Actions({ section: { id, name: names }, edit }: { section: Section; edit: () => void }) {
  const words = useWords('frameAdmin')
  const name = names[useLanguage()]
  const remove = useAction<typeof removeSection>('/admin/section/remove')
  return (
    <EditMenu name={name} edit={edit} confirmation={words('removeAsk', { name })} remove={() => remove.run({ sectionId: id })}>
      <LogLink about={`section ${id}`} />
    </EditMenu>
  )
}

function SectionForm({ item: section, onDone }: EditFormProps<Section>) {
  const words = useWords('frameAdmin')
  const { sections } = useLoaderData<Data>()
  return (
    <AddOrEdit
      addEndpoint={addSection}
      editEndpoint={editSection}
      editedId={section && { sectionId: section.id, version: section.version }}
      onDone={onDone}
    >
      <NameFields name={section?.name} maxLength={40} />
      <Field name="url" label={words('url')} help={words('urlHelp')} defaultValue={section?.url} maxLength={500} inputMode="url" />
      <ParentField label={words('parent')} none={words('noParent')} items={sections} item={section} />
      <SelectField name="audience" label={words('audience')} defaultValue={section?.audience ?? 'everybody'}>
        {audiences.map((audience) => (
          <option key={audience} value={audience}>
            {words(audience)}
          </option>
        ))}
      </SelectField>
      <SortField sort={section?.sort} />
    </AddOrEdit>
  )
}
