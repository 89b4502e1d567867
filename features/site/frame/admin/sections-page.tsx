import { useLoaderData } from 'react-router'
import { LogLink } from '#audit/admin/audit.tsx'
import { AddOrEdit, ActionsHead, EditMenu, Manage, NameFields, SortField, type EditFormProps } from '#base/admin/manage.tsx'
import { nameColumn } from '#base/admin/filter-tree.ts'
import type { Output } from '#base/contract.ts'
import { useAction } from '#base/web/action.ts'
import { SelectField, Field } from '#base/web/form.tsx'
import { Empty } from '#base/web/states.tsx'
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
      columns={[
        nameColumn(words('name')),
        { label: words('url'), text: ({ url }) => url },
        { label: words('audience'), text: ({ audience }) => words(audience) },
      ]}
      form={SectionForm}
    >
      {(visible, edit) => (sections.length === 0 ? <Empty>{words('noSections')}</Empty> : <Table sections={visible} edit={edit} />)}
    </Manage>
  )
}

function Table({ sections, edit }: { sections: readonly Section[]; edit: (section: Section) => void }) {
  const words = useWords('frameAdmin')
  return (
    <table className="list">
      <thead>
        <tr>
          <th>{words('name')}</th>
          <th>{words('url')}</th>
          <th>{words('audience')}</th>
          <th>{words('order')}</th>
          <ActionsHead />
        </tr>
      </thead>
      <tbody>
        {sections.map((section) => (
          <Line key={section.id} section={section} edit={() => edit(section)} />
        ))}
      </tbody>
    </table>
  )
}

function Line({ section: { id, parentId, name, url, audience, sort }, edit }: { section: Section; edit: () => void }) {
  const words = useWords('frameAdmin')
  const language = useLanguage()
  const remove = useAction<typeof removeSection>('/admin/section/remove')
  const called = name[language]
  return (
    <tr>
      <td className={parentId === null ? undefined : css.under}>
        <bdi>{called}</bdi> <span className="meta">{name[language === 'zh' ? 'en' : 'zh']}</span>
      </td>
      <td className={css.url} data-label={words('url')}>
        {url || <span className="meta">{words('noUrl')}</span>}
      </td>
      <td data-label={words('audience')}>{words(audience)}</td>
      <td data-label={words('order')}>{sort}</td>
      <td>
        <EditMenu
          name={called}
          edit={edit}
          confirmation={words('removeAsk', { name: called })}
          remove={() => remove.run({ sectionId: id })}
        >
          <LogLink about={`section ${id}`} />
        </EditMenu>
      </td>
    </tr>
  )
}

function SectionForm({ item: section, onDone }: EditFormProps<Section>) {
  const words = useWords('frameAdmin')
  const language = useLanguage()
  const { sections } = useLoaderData<Data>()
  const tops = sections.filter(({ id, parentId }) => parentId === null && id !== section?.id)
  return (
    <AddOrEdit
      addEndpoint={addSection}
      editEndpoint={editSection}
      editedId={section && { sectionId: section.id, version: section.version }}
      onDone={onDone}
    >
      <NameFields name={section?.name} maxLength={40} />
      <Field name="url" label={words('url')} help={words('urlHelp')} defaultValue={section?.url} maxLength={500} inputMode="url" />
      <SelectField name="parentId" label={words('parent')} defaultValue={section?.parentId ?? ''}>
        <option value="">{words('noParent')}</option>
        {tops.map(({ id, name }) => (
          <option key={id} value={id}>
            {name[language]}
          </option>
        ))}
      </SelectField>
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
