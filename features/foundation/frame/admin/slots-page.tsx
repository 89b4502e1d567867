import { useRef, useState } from 'react'
import { useLoaderData } from 'react-router'
import { InLanguages } from '#base/admin/in-languages.tsx'
import { UnsavedGuard } from '#base/admin/unsaved-guard.tsx'
import { VersionedForm } from '#base/admin/versioned-form.tsx'
import type { Output } from '#base/contract.ts'
import { useAction } from '#base/web/action.ts'
import { Field, Form, Submit, TextField } from '#base/web/form.tsx'
import { toast } from '#base/web/toast.tsx'
import { useLanguage, useWords } from '#base/web/words.tsx'
import { editSlot, maxSlotLength, type previewSlot, type slotList } from '#frame/contract.ts'
import { StaffHtml } from '#frame/web/frame.tsx'
import css from '#frame/admin/frame.module.css'

type Data = Output<typeof slotList>
type Slot = Data['slots'][number]

/** The slots of every page for HTML of staff. */
export function Page() {
  const words = useWords('frameAdmin')
  const { slots } = useLoaderData<Data>()
  return (
    <>
      <h1>{words('slots')}</h1>
      <p className="meta">{words('slotsWhat')}</p>
      <details className={css.rules}>
        <summary>{words('allowed')}</summary>
        <p>{words('allowedWhat')}</p>
      </details>
      {slots.map((slot) => (
        <SlotPanel key={slot.place} slot={slot} />
      ))}
    </>
  )
}

function SlotPanel({ slot }: { slot: Slot }) {
  const words = useWords('frameAdmin')
  const { place, isOn } = slot
  return (
    <section className={css.slot} aria-labelledby={`slot-${place}`}>
      <h2 id={`slot-${place}`}>
        {words(place)} {isOn && <span className="mark">{words('isOn')}</span>}
      </h2>
      <p className="meta">{words(`${place}What`)}</p>
      <VersionedForm item={slot} staysOpen>
        {(now) => <SlotForm slot={now} />}
      </VersionedForm>
    </section>
  )
}

const labels = { zh: 'htmlZh', en: 'htmlEn' } as const

function SlotForm({ slot: { place, zh, en, isOn, version } }: { slot: Slot }) {
  const words = useWords('frameAdmin')
  const box = useRef<HTMLDivElement>(null)

  function saved({ leftOut }: Output<typeof editSlot>): void {
    toast(words(leftOut.length > 0 ? 'savedWithout' : 'saved', { leftOut: leftOut.join(', ') }), { isPersistent: leftOut.length > 0 })
  }

  return (
    <div ref={box}>
      <Form endpoint={editSlot} extra={{ place, version }} onSuccess={saved}>
        <UnsavedGuard />
        <div className={css.both}>
          <InLanguages names={{ zh: 'zh', en: 'en' }} stored={{ zh, en }}>
            {({ name, language, value, isAlone }) => (
              <TextField
                name={name}
                label={isAlone ? 'HTML' : words(labels[language])}
                {...(!isAlone && { help: words('htmlEnHelp') })}
                rows={6}
                maxLength={maxSlotLength}
                defaultValue={value}
                spellCheck={false}
              />
            )}
          </InLanguages>
        </div>
        <Field name="isOn" type="checkbox" label={words('show')} defaultChecked={isOn} />
        <Preview textOf={(name) => box.current?.querySelector<HTMLTextAreaElement>(`textarea[name="${name}"]`)?.value ?? ''} />
      </Form>
    </div>
  )
}

/** The cleaned HTML in the reader's language, and the list of what was removed. */
function Preview({ textOf }: { textOf: (name: 'zh' | 'en') => string }) {
  const words = useWords('frameAdmin')
  const language = useLanguage()
  const preview = useAction<typeof previewSlot>('/admin/slot/preview')
  const [previewed, show] = useState<Output<typeof previewSlot> | null>(null)

  async function look(): Promise<void> {
    const html = textOf(language) || textOf(language === 'zh' ? 'en' : 'zh')
    const answer = await preview.run({ html })
    if (answer) show(answer)
  }

  return (
    <>
      <p className={css.actions}>
        <Submit>{words('save')}</Submit>
        <button type="button" className="button quiet" disabled={preview.isBusy} onClick={() => void look()}>
          {words('preview')}
        </button>
      </p>
      {previewed && (
        <div className={css.preview} role="status">
          {previewed.leftOut.length > 0 && (
            <p className="wrong">
              {words('leftOut')} {previewed.leftOut.join(', ')}
            </p>
          )}
          {previewed.html.trim() ? <StaffHtml html={previewed.html} /> : <p className="meta">{words('empty')}</p>}
        </div>
      )}
    </>
  )
}
