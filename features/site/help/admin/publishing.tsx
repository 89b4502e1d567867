import { useRef, useState } from 'react'
import type { Output } from '#base/contract.ts'
import { offeredLanguages } from '#base/admin/in-languages.tsx'
import { useAction } from '#base/web/action.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { Field, Submit } from '#base/web/form.tsx'
import { toast } from '#base/web/toast.tsx'
import { changesBetween, type Changes } from '#base/web/versions/changes.ts'
import { Changed } from '#base/web/versions/versions-dialog.tsx'
import { useWords } from '#base/web/words.tsx'
import type { previewHelp } from '#help/staff-contract.ts'
import css from '#help/admin/help.module.css'

type TermsText = { zh: string; en: string }
/** Changes to the terms; null for an unchanged text. */
type TermsChanges = Partial<Record<keyof TermsText, Changes | null>>

const labels = { zh: 'bodyZh', en: 'bodyEn' } as const

/** The preview before a version is published: its changes, and the number of members asked to agree. Part of the form. */
export function Publishing({ before, isFirst }: { before: TermsText; isFirst: boolean }) {
  const words = useWords('helpAdmin')
  const offered = offeredLanguages.use()
  const button = useRef<HTMLButtonElement>(null)
  const preview = useAction<typeof previewHelp>('/admin/help/preview')
  const [found, show] = useState<TermsChanges | null>(null)

  async function look(): Promise<void> {
    const form = button.current?.form
    if (!form) return
    const typed = new FormData(form)
    const now = offered.map((language) => ({ language, text: textIn(typed, language) }))
    if (now.some(({ text }) => !text.trim())) {
      toast(words('bothNeeded'))
      return
    }
    const htmlOf = async (markdown: string) => htmlIn(await preview.run({ markdown }))
    const found: TermsChanges = {}
    for (const { language, text } of now) {
      const [old, fresh] = [await htmlOf(before[language]), await htmlOf(text)]
      if (old === null || fresh === null) return
      found[language] = old === fresh ? null : changesBetween(old, fresh)
    }
    show(found)
  }

  return (
    <>
      <button ref={button} type="button" className="button" disabled={preview.isBusy} onClick={() => void look()}>
        {words('lookAndPublish')}
      </button>
      <Dialog title={words('publishTitle')} isOpen={found !== null} close={() => show(null)}>
        {found && (
          <>
            {isFirst && <p>{words('firstVersion')}</p>}
            {offered.map((language) => (
              <Language key={language} label={offered.length > 1 && words(labels[language])} found={found[language] ?? null} />
            ))}
            <Field name="asksAgain" type="checkbox" label={words('asksAgain')} help={words('asksAgainHelp')} />
            <p>{words('publishWhat')}</p>
            <Submit>{words('publish')}</Submit>
          </>
        )}
      </Dialog>
    </>
  )
}

function Language({ label, found }: { label: string | false; found: Changes | null }) {
  const words = useWords('helpAdmin')
  return (
    <section>
      {label && <h3>{label}</h3>}
      <div className={css.changed}>{found ? <Changed changes={found.changes} /> : <p className="meta">{words('unchanged')}</p>}</div>
    </section>
  )
}

function textIn(typed: FormData, name: string): string {
  const text = typed.get(name)
  return typeof text === 'string' ? text : ''
}

function htmlIn(answer: Output<typeof previewHelp> | undefined): string | null {
  return answer ? answer.segments.map(({ html }) => html).join('') : null
}
