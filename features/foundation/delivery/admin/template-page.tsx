import { useRef, useState } from 'react'
import { useLoaderData } from 'react-router'
import { offeredLanguages } from '#base/admin/in-languages.tsx'
import { UnsavedGuard } from '#base/admin/unsaved-guard.tsx'
import { VersionedForm } from '#base/admin/versioned-form.tsx'
import type { Output } from '#base/contract.ts'
import { confirm } from '#base/web/dialogs.ts'
import { useAction } from '#base/web/action.ts'
import { Field, Form, Submit, TextField } from '#base/web/form.tsx'
import { HtmlFrame } from '#base/web/html.tsx'
import { Link } from '#base/web/link.tsx'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import { TemplateHistory } from '#delivery/admin/template-history.tsx'
import {
  editTemplate,
  maxSubjectLength,
  maxTextLength,
  testTemplate,
  type previewTemplate,
  type returnTemplate,
  type templateView,
} from '#delivery/template-contract.ts'
import css from '#delivery/admin/delivery.module.css'

type Data = Output<typeof templateView>
type LanguageData = Data['inLanguages'][number]
type Preview = Output<typeof previewTemplate>

export function Page() {
  const words = useWords('deliveryAdmin')
  const { name, values, keeps, isApproved, canTest, inLanguages } = useLoaderData<Data>()
  const offered = offeredLanguages.use()
  return (
    <>
      <p className="meta">
        <Link to="/admin/delivery/template">{words('templates')}</Link>
      </p>
      <h1>{words(`${name}Template`)}</h1>
      <p className="meta">
        {words('canFill')} <Values names={values} />{' '}
        {keeps.length > 0 && (
          <>
            {words('mustFill')} <Values names={keeps} />
          </>
        )}
      </p>
      {isApproved && <p className="note">{words('approvedWhat')}</p>}
      {inLanguages
        .filter(({ language }) => offered.includes(language))
        .map((its) => (
          <section key={`${name} ${its.language}`} className={css.section} aria-labelledby={`in-${its.language}`}>
            <h2 id={`in-${its.language}`}>{words(`${its.language}Language`)}</h2>
            <VersionedForm item={its} staysOpen>
              {(now) => <TextForm name={name} its={now} />}
            </VersionedForm>
            <TemplateActions name={name} its={its} canTest={canTest} />
            <TemplateHistory template={name} its={its} />
          </section>
        ))}
    </>
  )
}

function Values({ names }: { names: readonly string[] }) {
  return names.map((name) => (
    <code key={name} className={css.value}>
      {`{${name}}`}
    </code>
  ))
}

type TemplateProps = { name: Data['name']; its: LanguageData }

function TextForm({ name, its: { language, subject, text, version, preview } }: TemplateProps) {
  const words = useWords('deliveryAdmin')
  const box = useRef<HTMLDivElement>(null)
  const look = useAction<typeof previewTemplate>('/admin/delivery/template/preview')
  const [rendered, show] = useState<Preview | null>(null)

  async function lookAt(): Promise<void> {
    const typed = (field: string) => box.current?.querySelector<HTMLInputElement | HTMLTextAreaElement>(`[name="${field}"]`)?.value ?? ''
    const answer = await look.run({ template: name, language, subject: typed('subject'), text: typed('text') })
    if (answer) show(answer)
  }

  function saved(): void {
    show(null)
    toast(words('saved'))
  }

  return (
    <div ref={box}>
      <Form endpoint={editTemplate} extra={{ template: name, language, version }} onSuccess={saved}>
        <UnsavedGuard />
        <Field name="subject" label={words('subject')} defaultValue={subject} required maxLength={maxSubjectLength} />
        <TextField name="text" label={words('text')} rows={6} defaultValue={text} required maxLength={maxTextLength} />
        <p className={css.actions}>
          <Submit>{words('save')}</Submit>
          <button type="button" className="button quiet" disabled={look.isBusy} onClick={() => void lookAt()}>
            {words('preview')}
          </button>
        </p>
      </Form>
      <PreviewFrame preview={rendered ?? preview} />
    </div>
  )
}

function PreviewFrame({ preview: { subject, text, light, dark } }: { preview: Preview }) {
  const words = useWords('deliveryAdmin')
  return (
    <div className={css.preview} role="status">
      <p>
        <strong>{subject}</strong>
      </p>
      <div className={css.both}>
        <HtmlFrame html={light} title={words('previewLight')} className={css.frame} />
        <HtmlFrame html={dark} title={words('previewDark')} className={css.frame} />
      </div>
      <details>
        <summary>{words('asText')}</summary>
        <pre className={css.text}>{text}</pre>
      </details>
    </div>
  )
}

/** Resets to the default text, and sends a test to oneself. */
function TemplateActions({ name, its: { language, isChanged, version }, canTest }: TemplateProps & Pick<Data, 'canTest'>) {
  const words = useWords('deliveryAdmin')
  const back = useAction<typeof returnTemplate>('/admin/delivery/template/return')

  async function giveBack(): Promise<void> {
    if (!(await confirm(words('askGiveBack'), words('giveBack')))) return
    await back.run({ template: name, language, version }, { message: words('givenBack') })
  }

  return (
    <>
      {isChanged && (
        <button type="button" className="button quiet" disabled={back.isBusy} onClick={() => void giveBack()}>
          {words('giveBack')}
        </button>
      )}
      {canTest && (
        <Form endpoint={testTemplate} extra={{ template: name, language }} onSuccess={() => void toast(words('begun'))} resetsOnSuccess>
          <Field name="email" type="email" label={words('sendToYourself')} help={words('testTemplateHelp')} required maxLength={190} />
          <Submit>{words('send')}</Submit>
        </Form>
      )}
    </>
  )
}
