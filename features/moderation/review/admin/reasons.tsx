import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { UnsavedGuard } from '#base/admin/unsaved-guard.tsx'
import { Form, Submit, TextField } from '#base/web/form.tsx'
import type { Endpoint } from '#base/contract.ts'
import { Link } from '#base/web/link.tsx'
import type { FormOptions } from '#base/web/form-state.ts'
import { useLanguage, useWords } from '#base/web/words.tsx'
import type { Post } from '#review/admin/queue.data.ts'
import { mayDo } from '#staff/admin/staff.tsx'
import css from '#review/admin/review-page.module.css'

type Reason = Post['rejectReasons'][number]
type ReasonsProps<E extends Endpoint> = FormOptions<E> & {
  reasons: readonly Reason[]
  /** The label of the button. */
  action: string
  /** Rejects with a stock reason, by its number. */
  rejectFor: (reason: { reasonZh: string; reasonEn: string }) => void
}

/** The first nine reasons have a key. */
export const maxShortcuts = 9

/** The reason of a rejection: a stock reason by one key, or free text. */
export function Reasons<E extends Endpoint>({ reasons, action, rejectFor, ...wish }: ReasonsProps<E>) {
  const words = useWords('reviewAdmin')
  const [chosen, choose] = useState<Reason | null>(null)
  const place = useNumberKeys((number) => {
    const reason = reasons[number - 1]
    if (reason) rejectFor({ reasonZh: reason.zh, reasonEn: reason.en })
  })
  return (
    <div ref={place}>
      <Form {...wish}>
        <UnsavedGuard />
        <p className="meta">{words('reasonsWhat')}</p>
        <Choices {...{ reasons, chosen, choose }} />
        <div key={chosen?.en}>
          <TextField name="reasonZh" label={words('reasonZh')} rows={2} maxLength={500} defaultValue={chosen?.zh} />
          <TextField
            name="reasonEn"
            label={words('reasonEn')}
            help={words('reasonHelp')}
            rows={2}
            maxLength={500}
            defaultValue={chosen?.en}
          />
        </div>
        <Submit>{action}</Submit>
      </Form>
    </div>
  )
}

type ChoicesProps = { reasons: readonly Reason[]; chosen: Reason | null; choose: (reason: Reason) => void }

function Choices({ reasons, chosen, choose }: ChoicesProps) {
  const words = useWords('reviewAdmin')
  const language = useLanguage()
  return (
    <>
      <div className={css.reasons}>
        {reasons.map((reason, index) => (
          <button
            key={reason.en}
            type="button"
            className="button quiet"
            data-first={index === 0 || undefined}
            aria-pressed={reason === chosen}
            onClick={() => choose(reason)}
          >
            <bdi>{reason[language]}</bdi>
            {index < maxShortcuts && <kbd aria-hidden="true">{index + 1}</kbd>}
          </button>
        ))}
      </div>
      <p className="meta">
        {words('reasonsByKey')} {mayDo('setting.change') && <Link to="/admin/setting?group=review">{words('reasonsEdit')}</Link>}
      </p>
    </>
  )
}

/** Handles the keys 1 to 9 in its part of the page, except in text fields. */
function useNumberKeys(run: (number: number) => void) {
  const place = useRef<HTMLDivElement>(null)
  const does = useEffectEvent(run)
  useEffect(() => {
    const dialog = place.current?.closest('dialog')
    function press(event: KeyboardEvent): void {
      if (event.target instanceof HTMLTextAreaElement || event.ctrlKey || event.metaKey || event.altKey || !/^[1-9]$/.test(event.key))
        return
      event.preventDefault()
      does(Number(event.key))
    }
    dialog?.addEventListener('keydown', press)
    return () => dialog?.removeEventListener('keydown', press)
  }, [])
  return place
}
