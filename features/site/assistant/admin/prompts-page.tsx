import { useRef, useState } from 'react'
import { useLoaderData } from 'react-router'
import { PromptHistory } from '#assistant/admin/prompt-history.tsx'
import { editPrompt, type previewPrompt, type promptList, type PromptView, type returnPrompt } from '#assistant/prompt-contract.ts'
import { maxPromptTextLength, promptNames } from '#assistant/prompts.ts'
import { offeredLanguages } from '#base/admin/in-languages.tsx'
import { UnsavedGuard } from '#base/admin/unsaved-guard.tsx'
import { VersionedForm } from '#base/admin/versioned-form.tsx'
import type { Output } from '#base/contract.ts'
import { confirm } from '#base/web/dialogs.ts'
import { useAction } from '#base/web/action.ts'
import { Form, Submit, TextField } from '#base/web/form.tsx'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import { mayDo } from '#staff/admin/staff.tsx'
import css from '#assistant/admin/assistant.module.css'

/** The prompts of the assistant. */
export function Page() {
  const words = useWords('assistantAdmin')
  const { prompts } = useLoaderData<Output<typeof promptList>>()
  const offered = offeredLanguages.use()
  return (
    <>
      <h1>{words('prompts')}</h1>
      <p className="meta">{words('promptsWhat')}</p>
      {promptNames.map((name) => (
        <section key={name} aria-labelledby={`prompt-${name}`}>
          <h2 id={`prompt-${name}`}>{words(`prompt${name}`)}</h2>
          <p className="meta">{words(`prompt${name}What`)}</p>
          {prompts
            .filter((one) => one.name === name && offered.includes(one.language))
            .map((one) => (
              <Prompt key={one.language} prompt={one} />
            ))}
        </section>
      ))}
    </>
  )
}

function Prompt({ prompt }: { prompt: PromptView }) {
  const words = useWords('assistantAdmin')
  const { name, language, isStandard, placeholders, guard } = prompt
  const id = `${name}-${language}`
  return (
    <section className={css.prompt} aria-labelledby={`prompt-${name} ${id}`}>
      <h3 id={id}>
        {words(`${language}Language`)} <span className="mark">{words(isStandard ? 'isStandard' : 'isChanged')}</span>
      </h3>
      <p className="meta">
        {words('canFill')} <code>{placeholders.map((one) => `{${one}}`).join(' ')}</code>
      </p>
      {mayDo('assistant.manage') ? (
        <VersionedForm item={prompt} staysOpen>
          {(now) => <PromptForm prompt={now} />}
        </VersionedForm>
      ) : (
        <pre className={css.text}>{prompt.text}</pre>
      )}
      <details>
        <summary>{words('guard')}</summary>
        <p className="meta">{words('guardWhat')}</p>
        <pre className={css.text}>{guard}</pre>
      </details>
      <PromptHistory prompt={prompt} />
    </section>
  )
}

function PromptForm({ prompt }: { prompt: PromptView }) {
  const { name, language, text, version, preview } = prompt
  const words = useWords('assistantAdmin')
  const box = useRef<HTMLDivElement>(null)
  const look = useAction<typeof previewPrompt>('/admin/assistant/prompt/preview')
  const [previewText, show] = useState<string | null>(null)

  async function lookAt(): Promise<void> {
    const typed = box.current?.querySelector<HTMLTextAreaElement>('[name="text"]')?.value ?? ''
    const answer = await look.run({ name, language, text: typed })
    if (answer) show(answer.preview)
  }

  function saved(): void {
    show(null)
    toast(words('saved'))
  }

  return (
    <div ref={box}>
      <Form endpoint={editPrompt} extra={{ name, language, version }} onSuccess={saved}>
        <UnsavedGuard />
        <TextField
          name="text"
          label={words('text')}
          rows={name === 'chat' ? 8 : 3}
          defaultValue={text}
          required
          maxLength={maxPromptTextLength}
          dir="auto"
        />
        <p className={css.actions}>
          <Submit>{words('save')}</Submit>
          <button type="button" className="button quiet" disabled={look.isBusy} onClick={() => void lookAt()}>
            {words('preview')}
          </button>
          {!prompt.isStandard && <RestoreDefault prompt={prompt} />}
        </p>
      </Form>
      <PromptPreview text={previewText ?? preview} isOpen={previewText !== null} />
    </div>
  )
}

function PromptPreview({ text, isOpen }: { text: string; isOpen: boolean }) {
  const words = useWords('assistantAdmin')
  return (
    <details open={isOpen}>
      <summary>{words('asSent')}</summary>
      <pre className={css.text} role="status">
        {text}
      </pre>
    </details>
  )
}

function RestoreDefault({ prompt: { name, language, version } }: { prompt: PromptView }) {
  const words = useWords('assistantAdmin')
  const back = useAction<typeof returnPrompt>('/admin/assistant/prompt/return')

  async function giveBack(): Promise<void> {
    if (await confirm(words('giveBackAsk'), words('giveBack'))) await back.run({ name, language, version }, { message: words('givenBack') })
  }

  return (
    <button type="button" className="button quiet" disabled={back.isBusy} onClick={() => void giveBack()}>
      {words('giveBack')}
    </button>
  )
}
