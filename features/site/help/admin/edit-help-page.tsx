import { useLoaderData, useNavigate, useSearchParams } from 'react-router'
import { InLanguages } from '#base/admin/in-languages.tsx'
import { SortField } from '#base/admin/manage.tsx'
import { MarkdownField } from '#base/admin/markdown-field.tsx'
import { SideBySide } from '#base/admin/side-by-side.tsx'
import { UnsavedGuard } from '#base/admin/unsaved-guard.tsx'
import { VersionedForm } from '#base/admin/versioned-form.tsx'
import type { Output } from '#base/contract.ts'
import { SelectField, Field, Form, Submit } from '#base/web/form.tsx'
import { Link } from '#base/web/link.tsx'
import { toast } from '#base/web/toast.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { addHelp, editHelp, type helpList, type helpSource, previewHelp } from '#help/staff-contract.ts'

type Source = Output<typeof helpSource>
type Data = { page: Source | null; categories: Output<typeof helpList>['categories'] }

export function Page() {
  const words = useWords('helpAdmin')
  const { page } = useLoaderData<Data>()
  const go = useNavigate()

  function saved(): Promise<void> | void {
    toast(words('saved'))
    return go('/admin/help')
  }

  return (
    <>
      <p className="meta">
        <Link to="/admin/help">{words('help')}</Link>
      </p>
      <h1>{words(page ? 'editPage' : 'addPage')}</h1>
      {page ? (
        <VersionedForm key={page.id} item={page}>
          {(now) => (
            <Form endpoint={editHelp} extra={{ pageId: now.id, version: now.version }} onSuccess={saved}>
              <Fields page={now} />
            </Form>
          )}
        </VersionedForm>
      ) : (
        <Form endpoint={addHelp} onSuccess={saved}>
          <Fields page={null} />
        </Form>
      )}
    </>
  )
}

const titles = { zh: 'titleZh', en: 'titleEn' } as const
const bodies = { zh: 'bodyZh', en: 'bodyEn' } as const

function Fields({ page }: { page: Source | null }) {
  const words = useWords('helpAdmin')
  const language = useLanguage()
  const [query] = useSearchParams()
  const { categories } = useLoaderData<Data>()
  return (
    <>
      <UnsavedGuard />
      <SideBySide>
        <InLanguages names={titles} stored={page ? { zh: page.titleZh, en: page.titleEn } : undefined}>
          {({ name, language, value, isAlone }) => (
            <Field name={name} label={words(isAlone ? 'title' : titles[language])} defaultValue={value} required maxLength={120} />
          )}
        </InLanguages>
        <InLanguages names={bodies} stored={page ? { zh: page.bodyZh, en: page.bodyEn } : undefined}>
          {({ name, language, value = '', isAlone }) => (
            <MarkdownField previews={previewHelp} name={name} label={words(isAlone ? 'body' : bodies[language])} value={value} />
          )}
        </InLanguages>
      </SideBySide>
      <SideBySide>
        <SelectField name="categoryId" label={words('category')} defaultValue={page?.categoryId ?? query.get('categoryId') ?? ''}>
          {categories.map(({ id, name }) => (
            <option key={id} value={id}>
              {name[language]}
            </option>
          ))}
        </SelectField>
        <SortField sort={page?.sort} />
      </SideBySide>
      <Field
        name="isVisible"
        type="checkbox"
        label={words('visible')}
        help={words('visibleHelp')}
        defaultChecked={page?.isVisible ?? true}
      />
      <Submit>{words('save')}</Submit>
    </>
  )
}
