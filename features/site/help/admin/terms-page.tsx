import { useLoaderData } from 'react-router'
import { InLanguages, offeredLanguages } from '#base/admin/in-languages.tsx'
import { MarkdownField } from '#base/admin/markdown-field.tsx'
import { SideBySide } from '#base/admin/side-by-side.tsx'
import { UnsavedGuard } from '#base/admin/unsaved-guard.tsx'
import type { Output } from '#base/contract.ts'
import { useApi } from '#base/web/api.ts'
import { Form } from '#base/web/form.tsx'
import { Time } from '#base/web/time.tsx'
import { toast } from '#base/web/toast.tsx'
import { Versions as Earlier } from '#base/web/versions.tsx'
import { useWords } from '#base/web/words.tsx'
import { Publishing } from '#help/admin/publishing.tsx'
import { publishTerms, type termsList, type termsVersions, previewHelp } from '#help/staff-contract.ts'
import css from '#help/admin/help.module.css'

const bodies = { zh: 'bodyZh', en: 'bodyEn' } as const
const comparisons = { zh: 'compareZh', en: 'compareEn' } as const

export function Page() {
  const words = useWords('helpAdmin')
  const { versions, zh, en } = useLoaderData<Output<typeof termsList>>()
  const newest = versions[0]?.id
  return (
    <>
      <h1>{words('terms')}</h1>
      <p className="meta">{words('termsWhat')}</p>
      <Form
        key={newest ?? 'first'}
        endpoint={publishTerms}
        extra={newest ? { basedOn: newest } : {}}
        onSuccess={() => void toast(words('published'))}
      >
        <UnsavedGuard />
        <SideBySide>
          <InLanguages names={{ zh: 'zh', en: 'en' }}>
            {({ name, language, isAlone }) => (
              <MarkdownField
                previews={previewHelp}
                name={name}
                label={words(isAlone ? 'body' : bodies[language])}
                value={{ zh, en }[language]}
              />
            )}
          </InLanguages>
        </SideBySide>
        <Publishing before={{ zh, en }} isFirst={newest === undefined} />
      </Form>
      <Versions versions={versions} />
    </>
  )
}

function Versions({ versions }: Pick<Output<typeof termsList>, 'versions'>) {
  const words = useWords('helpAdmin')
  const api = useApi()
  const offered = offeredLanguages.use()
  const load = (language: 'zh' | 'en') => (page: number) => api.read<typeof termsVersions>('/admin/terms/versions', { language, page })
  return (
    <section>
      <h2>{words('versions')}</h2>
      {versions.length > 0 && (
        <p className={css.compare}>
          {offered.map((language) => (
            <Earlier key={language} label={words(offered.length === 1 ? 'compare' : comparisons[language])} load={load(language)} />
          ))}
        </p>
      )}
      {versions.length === 0 && <p className="meta">{words('noVersions')}</p>}
      {versions.length > 0 && (
        <table className="list">
          <thead>
            <tr>
              <th>{words('publishedAt')}</th>
              <th>{words('publishedBy')}</th>
              <th>{words('asked')}</th>
              <th>{words('agreed')}</th>
            </tr>
          </thead>
          <tbody>
            {versions.map(({ id, publishedAt, publishedBy, asksAgain, agreed }) => (
              <tr key={id}>
                <td>
                  <Time at={publishedAt} />
                </td>
                <td>{publishedBy}</td>
                <td>{words(asksAgain ? 'yes' : 'no')}</td>
                <td>{agreed}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}
