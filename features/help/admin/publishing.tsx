import { useRef, useState } from 'react'
import type { Output } from '#base/contract.ts'
import { useDeed } from '#base/web/deed.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { Field, Submit } from '#base/web/form.tsx'
import { say } from '#base/web/toast.tsx'
import { changesBetween, type Changes } from '#base/web/versions/changes.ts'
import { Changed } from '#base/web/versions/versions-dialog.tsx'
import { useWords } from '#base/web/words.tsx'
import type { previewHelp } from '#help/staff-contract.ts'
import css from '#help/admin/help.module.css'

type Terms = { zh: string; en: string }
/** What became different; null where nothing did. */
type Found = Record<keyof Terms, Changes | null>

const labels = { zh: 'bodyZh', en: 'bodyEn' } as const

/** The last look before a version goes out to everybody: what is different, and who will be asked. Stands in the form. */
export function Publishing({ before, isFirst }: { before: Terms; isFirst: boolean }) {
  const words = useWords('helpAdmin')
  const button = useRef<HTMLButtonElement>(null)
  const preview = useDeed<typeof previewHelp>('/admin/help/preview')
  const [found, show] = useState<Found | null>(null)

  async function look(): Promise<void> {
    const form = button.current?.form
    if (!form) return
    const typed = new FormData(form)
    const now = { zh: textIn(typed, 'zh'), en: textIn(typed, 'en') }
    if (!now.zh.trim() || !now.en.trim()) {
      say(words('bothNeeded'))
      return
    }
    const htmlOf = async (markdown: string) => htmlIn(await preview.go({ markdown }))
    const [zhBefore, zh, enBefore, en] = [await htmlOf(before.zh), await htmlOf(now.zh), await htmlOf(before.en), await htmlOf(now.en)]
    if (zhBefore === null || zh === null || enBefore === null || en === null) return
    const found = (old: string, fresh: string) => (old === fresh ? null : changesBetween(old, fresh))
    show({ zh: found(zhBefore, zh), en: found(enBefore, en) })
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
            {(['zh', 'en'] as const).map((language) => (
              <section key={language}>
                <h3>{words(labels[language])}</h3>
                <div className={css.changed}>
                  <Language found={found[language]} />
                </div>
              </section>
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

function Language({ found }: { found: Changes | null }) {
  const words = useWords('helpAdmin')
  return found ? <Changed changes={found.changes} /> : <p className="meta">{words('unchanged')}</p>
}

function textIn(typed: FormData, name: string): string {
  const text = typed.get(name)
  return typeof text === 'string' ? text : ''
}

function htmlIn(answer: Output<typeof previewHelp> | undefined): string | null {
  return answer ? answer.segments.map(({ html }) => html).join('') : null
}
