import { Unsaved } from '#base/admin/unsaved.tsx'
import type { Output } from '#base/contract.ts'
import { Choice, Field, Form, Submit } from '#base/web/form.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { addSection, audiences, editSection, type sectionList } from '#frame/contract.ts'

export type Section = Output<typeof sectionList>['sections'][number]

type SectionFormProps = { section: Section | null; under: string | null; all: readonly Section[]; done: () => void }

/** A section of the navigation, new or as it stands. */
export function SectionForm({ section, under, all, done }: SectionFormProps) {
  const words = useWords('frameAdmin')
  const fields = (
    <>
      <Unsaved />
      <Field name="nameZh" label={words('nameZh')} defaultValue={section?.nameZh} required maxLength={40} data-first />
      <Field name="nameEn" label={words('nameEn')} defaultValue={section?.nameEn} required maxLength={40} />
      <Field name="url" label={words('url')} help={words('urlHelp')} defaultValue={section?.url} maxLength={500} inputMode="url" />
      <Parent section={section} under={under} all={all} />
      <Choice name="audience" label={words('audience')} defaultValue={section?.audience ?? 'everybody'}>
        {audiences.map((audience) => (
          <option key={audience} value={audience}>
            {words(audience)}
          </option>
        ))}
      </Choice>
      <Field name="sort" type="number" label={words('sort')} help={words('sortHelp')} defaultValue={section?.sort ?? 0} />
      <Submit>{words('save')}</Submit>
    </>
  )
  if (!section)
    return (
      <Form sends={addSection} then={done}>
        {fields}
      </Form>
    )
  return (
    <Form sends={editSection} along={{ sectionId: section.id, version: section.version }} then={done}>
      {fields}
    </Form>
  )
}

function Parent({ section, under, all }: Omit<SectionFormProps, 'done'>) {
  const words = useWords('frameAdmin')
  const language = useLanguage()
  const tops = all.filter(({ id, parentId }) => parentId === null && id !== section?.id)
  return (
    <Choice name="parentId" label={words('parent')} defaultValue={section?.parentId ?? under ?? ''}>
      <option value="">{words('noParent')}</option>
      {tops.map(({ id, nameZh, nameEn }) => (
        <option key={id} value={id}>
          {language === 'zh' ? nameZh : nameEn}
        </option>
      ))}
    </Choice>
  )
}
